/** Finds where a partial answer can be split into blocks. Pure. */
import { fenceAfter, type Fence } from '../../core/fence.ts';
import { wholeCharacters } from './grapheme.ts';

export interface BlockRules {
  readonly minChars: number;
  readonly maxChars: number;
  readonly prefer: 'paragraph' | 'newline' | 'sentence';
  /** Blocks are merged until they have so many characters, or nothing came for `idleMs`. */
  readonly coalesce: { readonly minChars: number; readonly maxChars: number; readonly idleMs: number };
  /** `message_end`: nothing goes out before the model's message is whole. */
  readonly flush: 'text_end' | 'message_end';
}

/** Code and words in turn; a code fence is never cut. */
const BREAKS = { paragraph: /\n[ \t]*\n/g, newline: /\n/g, sentence: /[.!?。！？]["')\]]?\s/g, space: /\s/g } as const;

/** The length of the first block of `text`; undefined while there is none yet. */
export function blockEnd(
  text: string,
  { minChars, maxChars, prefer }: Pick<BlockRules, 'minChars' | 'maxChars' | 'prefer'>,
): number | undefined {
  if (text.length < minChars) return undefined;
  const fences = fencesOf(text, maxChars);
  const order = [prefer, 'paragraph', 'newline', 'sentence', 'space'] as const;
  for (const kind of order) {
    // Weaker places only once the block is full.
    if (kind !== prefer && text.length < maxChars) return undefined;
    const end = lastBreak(text, BREAKS[kind], { minChars, maxChars, fences });
    if (end !== undefined) return end;
  }
  const around = fences.find(({ from, to }) => from < maxChars && to > maxChars);
  if (!around) return wholeCharacters(text, 0, maxChars);
  if (around.from >= minChars || (around.from > 0 && text.slice(0, around.from).trim() !== '')) return around.from;
  return around.to === Infinity ? undefined : around.to;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function lastBreak(
  text: string,
  pattern: RegExp,
  { minChars, maxChars, fences }: { minChars: number; maxChars: number; fences: readonly Span[] },
): number | undefined {
  let last: number | undefined;
  for (const match of text.slice(0, maxChars + 1).matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (
      end >= minChars &&
      end <= maxChars &&
      !fences.some(({ from, to }) => match.index >= from && match.index < to - 1)
    )
      last = end;
  }
  return last;
}

/**
 * Where code is that begins within so many characters; the end of an open fence is not known yet. What comes behind is
 * the next block's.
 */
function fencesOf(text: string, maxChars: number): readonly Span[] {
  const spans: Span[] = [];
  let open: Fence | undefined;
  let from = 0;
  for (let at = 0; at <= text.length && (open || at <= maxChars); ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const after = fenceAfter(open, text.slice(at, end));
    if (!open && after) from = at;
    if (open && !after) spans.push({ from, to: Math.min(text.length, end + 1) });
    open = after;
    at = end + 1;
  }
  return open ? [...spans, { from, to: Infinity }] : spans;
}

/**
 * What of `text` was not said yet, when `sent` is what its blocks said; white space does not count.
 * All of it when they do not say its beginning.
 */
export function finalWithout(sent: string, text: string): string {
  let at = 0;
  for (const char of sent) {
    if (/\s/.test(char)) continue;
    while (at < text.length && /\s/.test(text[at]!)) at++;
    if (!text.startsWith(char, at)) return text;
    at += char.length;
  }
  return text.slice(at).replace(/^(?:[ \t]*\n)+|^[ \t]+(?=\S)/, '');
}
