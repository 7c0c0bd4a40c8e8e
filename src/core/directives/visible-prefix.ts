/** Selects the part of an unfinished answer that may be shown: nothing that is or may become a directive. Pure. */
import { mayDirect, withoutMargins } from './read-directives.ts';
import { scanDirectives } from './scan.ts';
import { begunToken, readSilence } from './silence.ts';

/** Only grows with the answer, apart from white space at its end, and ends as the whole answer is read. */
export function visiblePrefix(written: string): string {
  const text = withoutMargins(scanDirectives(written, { partial: true }).text);
  return readSilence(text.slice(0, text.length - begunToken(text))).text;
}

/** The same in the product's own chat, where a text without directives is shown as it is written. */
export const visibleChatPrefix = (written: string): string =>
  mayDirect(written) ? visiblePrefix(written) : written.slice(0, written.length - begun(written.slice(-LONGEST_BEGUN)));

/** Characters of the longest beginning of a directive that is none yet, with what stands before it on its line. */
const LONGEST_BEGUN = 16;
const begun = (end: string): number =>
  /(?:(?<=^|\n)[ \t]*M(?:E(?:D(?:I(?:A)?)?)?)?|\[(?:[Ee](?:[Mm](?:[Bb][Ee]?)?)?)?)$/.exec(end)?.[0].length ?? 0;
