/** Shows text that is not the concierge's own, so that it stays text. Pure. */
import { excerpt } from '../../sdk/index.ts';

/** A fence longer than any inside, so that what is quoted cannot end it. */
export function quote(text: string): string {
  const longest = [...text.matchAll(/`{3,}/g)].reduce((max, [run]) => Math.max(max, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${inert(text.replace(/(?<!\n)\n+$/, ''))}\n${fence}`;
}

/** Words by which an agent says that it says nothing; in a quote they must not count as said. */
const SILENT_WORDS = ['NO_REPLY', 'HEARTBEAT_OK', 'REPLY_SKIP', 'ANNOUNCE_SKIP'] as const;

/**
 * What comes from files and people must not act as a directive of ours: a character of no width breaks the spelling.
 */
export function inert(text: string): string {
  const broken = text.replaceAll('[[', '[\u200b[').replace(/^([^\S\n\r\u2028\u2029]*)(MEDIA):/gim, '$1$2\u200b:');
  return SILENT_WORDS.reduce((said, word) => said.replaceAll(word, word.replace('_', '\u200b_')), broken);
}

/** In one line, short enough for a sentence; it cannot end the code it may stand in. */
export function briefly(text: string, max = 200): string {
  return excerpt(inert(text.replace(/\s+/g, ' ').trim()).replaceAll('`', "'"), max);
}

/** A name as a person may have put it between quotes. */
export const unquoted = (text: string): string => text.trim().replace(/^(["'`])(.*)\1$/, '$2');
