/** Makes text from outside inert: nothing in it can pass for a block of ours, a directive, or a command. Pure. */
import { replaceFolded } from './folded.ts';

/** What stands before a line that would have meant something. */
export const NEUTRALISED = '[neutralized] ';

/** The indentation of a line that begins with `MEDIA:`, a heading of our blocks, or a command. */
const MEDIA_LINE = /^[^\S\n]*(?=MEDIA\s*:)/gim;
const HEADING_LINE = /^[^\S\n]*(?=\[\s*(?:Link|Image|Audio|Video|File)\b)/gim;
const COMMAND_LINE = /^[^\S\n]*(?=\/[a-z][\w-]*(?![\w/.-]))/gim;
/** Anywhere: directives of replies and the tags of file blocks. */
const DIRECTIVE = /\[\[(?=\s*(?:reply_to|audio_as_voice))/gi;
const FILE_TAG = /<(?=\s*\/?\s*file\b)/gi;

/** For results of commands and text of documents; other text comes back as it is. Line breaks become `\n`. */
export function neutralise(text: string): string {
  let safe = neutraliseMedia(text.replace(/\r\n?/g, '\n'));
  for (const line of [HEADING_LINE, COMMAND_LINE]) safe = replaceFolded(safe, line, mark);
  safe = replaceFolded(safe, DIRECTIVE, () => '[ [');
  return replaceFolded(safe, FILE_TAG, () => '&lt;');
}

/** Lines that would attach a file, and nothing else. */
export const neutraliseMedia = (text: string): string => replaceFolded(text, MEDIA_LINE, mark);

const mark = (indent: string): string => indent + NEUTRALISED;
