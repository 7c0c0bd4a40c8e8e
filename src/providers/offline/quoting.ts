/** Shows text that is not the concierge's own, so that it stays text. Pure. */

/** A fence longer than any inside, so that what is quoted cannot end it. */
export function quote(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${inert(text.replace(/\n+$/, ''))}\n${fence}`;
}

/** What comes from files and people must not act as a directive of ours: a character of no width breaks the spelling. */
export const inert = (text: string): string => text.replaceAll('[[', '[\u200b[').replace(/^(\s*)(MEDIA):/gim, '$1$2\u200b:').replaceAll('NO_REPLY', 'NO\u200b_REPLY').replaceAll('HEARTBEAT_OK', 'HEARTBEAT\u200b_OK');

/** A name as a person may have put it between quotes. */
export const unquoted = (text: string): string => text.trim().replace(/^(["'`])(.*)\1$/, '$2');
