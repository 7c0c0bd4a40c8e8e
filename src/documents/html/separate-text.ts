/** Separates text that only a style sheet separates: cents in a price; author, date and reading time in a byline. */
import { ELEMENT_NODE, shortText, type DomDocument, type DomElement } from './dom.ts';

/** A price is short, and stands alone; elsewhere a raised number is an exponent. */
const MAX_PRICE = 24;
const CENTS = /^[.,]?\d{2}$/;
const SIGN = '(?:\\p{Sc}|[A-Z]{3})';
const ALONE = new RegExp(`^(?:${SIGN}\\s?\\d[\\d.,' ]*|\\d[\\d.,' ]*\\s?${SIGN})(?:\\s?/\\s?\\p{L}{1,6}\\.?)?$`, 'u');

/** The raised text with the point that stands for the raising; undefined where it is not the end of a price. */
export function cents(raised: DomElement, text: string): string | undefined {
  if (!CENTS.test(text)) return undefined;
  const price = raised.parentNode === null ? undefined : shortText(raised.parentNode, MAX_PRICE);
  if (price === undefined || !ALONE.test(price)) return undefined;
  return /^\d/.test(text) ? `.${text}` : text;
}

const BYLINES =
  '[class*="byline"], [class*="post-meta"], [class*="entry-meta"], [class*="article-meta"], [class*="postMeta"]';
const INLINE: ReadonlySet<string> = new Set(['a', 'address', 'b', 'em', 'i', 'span', 'strong', 'time']);

/** Parts that stand side by side without a space between them would be one word. */
export function separateBylines(document: DomDocument): void {
  for (const byline of document.querySelectorAll(BYLINES))
    for (const part of byline.children) {
      const before = part.previousSibling;
      if (before?.nodeType !== ELEMENT_NODE || !INLINE.has(part.localName)) continue;
      if (INLINE.has((before as DomElement).localName) && shortText(part, 1) !== '' && shortText(before, 1) !== '')
        part.before(' · ');
    }
}
