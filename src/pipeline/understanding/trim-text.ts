/** Cuts text to a number of characters where a word ends, never inside one of them. */
import { head } from '../../core/cut.ts';

/** `maxChars` counts UTF-16 units, the ellipsis among them. Shorter text is trimmed and otherwise as it was. */
export function trimText(text: string, maxChars: number | undefined): string {
  const trimmed = text.trim();
  if (maxChars === undefined || trimmed.length <= maxChars) return trimmed;
  if (maxChars < 2) return '…'.slice(0, maxChars);
  const room = head(trimmed, maxChars - 1);
  const cutInWord = /\S/.test(trimmed[room.length] ?? '') && /\S$/.test(room);
  const wordEnd = cutInWord ? room.search(/\s\S*$/) : -1;
  // One endless word, or a language without spaces: better half of it than nothing.
  return `${(wordEnd > maxChars / 2 ? room.slice(0, wordEnd) : room).trimEnd()}…`;
}
