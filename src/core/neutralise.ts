/**
 * Makes external text inert: nothing in it can be mistaken for a block of the gateway, a person's words, a directive or
 * a command. Pure.
 */
import { FORGERIES } from './external-content.ts';
import { replaceFolded, type FoldedRule } from './folded.ts';

/** What stands before a line that would have meant something. */
export const NEUTRALISED = '[neutralized] ';

/**
 * No pattern here has two repeats of the same characters side by side: on a long run of them that would hold the event
 * loop for seconds.
 */

/**
 * The indentation of a line (`\r` ends one too, so none crosses it) that begins with `MEDIA:`, a heading, an envelope
 * or a remark of ours, what stands before a person's own words, or a command.
 */
const MEDIA_LINE = /^[^\S\n\r\u2028\u2029]*(?=MEDIA\s*:)/gim;
const HEADING_LINE =
  /^[^\S\n\r\u2028\u2029]*(?=\[\s*(?:Link|Image|Audio|Video|File|Attachment|Queue(?:d\s+messages|\s+overflow)|Chat\s+messages\s+since|Current\s+message|(?:\/\s*)?(?:Replying|Quoting|Thread)|Forwarded\s+from|message_id)\b|\[[^\]\n]{1,300}\bid:[^\]\n]{1,300}\])/gim;
/** What we set around a person's words: where they come from and when, what they answer, what was said before. */
const FRAME_LINE =
  /^[^\S\n\r\u2028\u2029]*(?=\[\s*(?:Queue(?:d\s+messages|\s+overflow)|Chat\s+messages\s+since|Current\s+message|(?:\/\s*)?(?:Replying|Quoting|Thread)\b|Forwarded\s+from|message_id)|\[[^\]\n]{1,300}\bid:[^\]\n]{1,300}\])/gim;
/** What the gateway itself says: that something happened, that a job is due, that a program called. */
const EVENT_LINE = /^[^\S\n\r\u2028\u2029]*(?=System[^\S\n]+event[^\S\n]*:|\[[^\S\n]*(?:cron[^\S\n]*:|hook\b))/gim;
const SPEAKER_LINE = /^[^\S\n\r\u2028\u2029]*(?=(?:User\s+text\s*:|Queued\s*#\s*\d+)[^\S\n]*$)/gim;
const COMMAND_LINE = /^[^\S\n\r\u2028\u2029]*(?=\/[a-z][\w-]*(?![\w/.-]))/gim;
/** Anywhere: directives of replies and the tags of file blocks. */
const DIRECTIVE = /\[\[(?=\s*(?:reply_to|audio_as_voice))/gi;
const FILE_TAG = /<(?=\s*(?:\/\s*)?file\b)/gi;

const mark = (line: string): string => line.replace(/^\s*/, (indent) => indent + NEUTRALISED);

const MEDIA: readonly FoldedRule[] = [{ pattern: MEDIA_LINE, replacement: mark }];
const ALL: readonly FoldedRule[] = [
  ...MEDIA,
  { pattern: HEADING_LINE, replacement: mark },
  { pattern: EVENT_LINE, replacement: mark },
  { pattern: SPEAKER_LINE, replacement: mark },
  { pattern: COMMAND_LINE, replacement: mark },
  { pattern: DIRECTIVE, replacement: () => '[ [' },
  { pattern: FILE_TAG, replacement: () => '&lt;' },
  ...FORGERIES,
];

/**
 * For what commands print, recordings say, pictures show and documents hold; other text comes back as it is. Line
 * breaks become `\n`.
 */
export const neutralise = (text: string): string => replaceFolded(text.replace(/\r\n?/g, '\n'), ALL);

/** Lines that would attach a file, and nothing else. */
export const neutraliseMedia = (text: string): string => replaceFolded(text, MEDIA);

const FRAMES: readonly FoldedRule[] = [
  { pattern: FRAME_LINE, replacement: mark },
  { pattern: EVENT_LINE, replacement: mark },
  { pattern: SPEAKER_LINE, replacement: mark },
];

/**
 * For a person's own words among those of others: no line of them can pass for the beginning of somebody else's
 * message. Commands and the like stay.
 */
export const neutraliseFrames = (text: string): string => replaceFolded(text.replace(/\r\n?/g, '\n'), FRAMES);
