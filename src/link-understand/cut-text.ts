/** Cuts a text to length at a sentence or word boundary, and marks the cut. */
import { head } from '../core/cut.ts';

const MARK = '\n\n[… cut here; the page continues]';
/** How far back a good place is looked for, as a part of the length. */
const SEARCHED_SHARE = 0.3;

/**
 * At most `maxChars` characters, the mark included; `more`: something is missing even though the text is short enough.
 */
export function cutText(
  text: string,
  { maxChars, more }: { maxChars: number; more: boolean },
): { text: string; truncated: boolean } {
  if (text.length <= maxChars && !more) return { text, truncated: false };
  const room = maxChars - MARK.length;
  if (text.length <= room) return { text: `${text}${MARK}`, truncated: true };
  if (room <= 0) return { text: head(text, maxChars), truncated: true };
  const kept = pause(text.slice(0, room + 1)).trimEnd();
  return { text: `${kept}${openFence(kept) ? '\n```' : ''}${MARK}`.slice(0, maxChars), truncated: true };
}

/**
 * Up to the last paragraph, else sentence, line or word that ends within reach; one character longer than wanted comes
 * in.
 */
function pause(text: string): string {
  const least = text.length * (1 - SEARCHED_SHARE);
  for (const end of [/\n\n/g, /[.!?…。！？]["'”’)\]]*(?=\s|$)|[。！？]/gu, /\n/g, /\s/g]) {
    const places = [...text.matchAll(end)]
      .map((match) => match.index + (match[0].trim() === '' ? 0 : match[0].length))
      .filter((at) => at >= least && at < text.length);
    if (places.length > 0) return text.slice(0, places.at(-1));
  }
  return head(text, text.length - 1);
}

const openFence = (text: string): boolean => [...text.matchAll(/^ *```/gm)].length % 2 === 1;
