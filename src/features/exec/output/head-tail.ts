/** Keeps the beginning and the end of a long text, with the size of the gap. Pure. */
import { characterStart } from '../../../core/cut.ts';

export interface HeadTail {
  readonly output: string;
  /** Characters that are left out. */
  readonly cut: number;
}

/** How far a cut may move to fall between two lines. */
const SLACK = 200;

/** `head` and `tail` are characters; a text as long as both is kept whole. */
export function headTail(text: string, { head, tail }: { readonly head: number; readonly tail: number }): HeadTail {
  if (text.length <= head + tail) return { output: text, cut: 0 };
  const first = headEnd(text, head);
  const last = tailStart(text, text.length - tail);
  const cut = last - first;
  const before = first > 0 && text[first - 1] !== '\n' ? '\n' : '';
  return { output: `${text.slice(0, first)}${before}${gap(cut)}\n${text.slice(last)}`, cut };
}

/** The line that stands where something was left out. */
export const gap = (cut: number): string => `[… ${cut} characters left out …]`;

/** Behind the last line that is whole, when it ends close by; never inside a character. */
function headEnd(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return line > 0 && at - line <= SLACK ? line : characterStart(text, at);
}

function tailStart(text: string, at: number): number {
  const line = text.indexOf('\n', at - 1) + 1;
  return line > 0 && line - at <= SLACK && line < text.length ? line : characterStart(text, at) < at ? at + 1 : at;
}
