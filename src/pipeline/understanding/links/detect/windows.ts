/** Cuts a very long text down to the neighbourhoods of its addresses, so that parsing them takes bounded time. Pure. */
import type { Piece } from './bare-text.ts';
import { MAX_URL } from './find-urls.ts';

/** Characters; shorter text is one window. A longer one sees markup that begins up to `BEFORE` before an address. */
const WHOLE = 4096;
const BEFORE = 1024;
const AFTER = 3072;
/** Lines that open or close fenced code; whatever comes after so many is taken for code. */
const MAX_FENCES = 1000;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Windows in order, none overlapping; what is inside fenced code says so. */
export function* windowsOf(text: string): Generator<Piece> {
  if (text.length <= WHOLE) return yield { text };
  const fences = fencedRanges(text);
  const address = /https?:\/\//gi;
  let done = 0;
  for (let match = address.exec(text); match; match = address.exec(text)) {
    while (fences[0] && fences[0].to <= match.index) fences.shift();
    const fence = fences[0] && fences[0].from <= match.index ? fences.shift() : undefined;
    const window = fence ?? around(text, match.index, { from: done, to: fences[0]?.from ?? text.length });
    yield fence
      ? { text: text.slice(match.index, Math.min(fence.to, match.index + WHOLE)), inside: 'code' }
      : { text: text.slice(window.from, window.to) };
    done = window.to;
    address.lastIndex = done;
  }
}

/** From the paragraph's beginning to its end, or as much of it as is allowed, cut at white space. */
function around(text: string, at: number, { from, to }: Range): Range {
  const before = text.slice(Math.max(from, at - BEFORE), at);
  const paragraph = before.lastIndexOf('\n\n');
  const atSpace = at - before.length === from ? 0 : Math.max(0, before.search(/\s/));
  const start = at - before.length + (paragraph >= 0 ? paragraph + 1 : atSpace);
  const after = text.slice(at + AFTER, Math.min(to, at + AFTER + MAX_URL));
  const space = after.search(/\s/);
  if (space >= 0) return { from: start, to: at + AFTER + space };
  // No white space for longer than an address may be: what goes on there belongs to this one.
  return { from: start, to: Math.min(to, restOfRun(text, at + AFTER)) };
}

function restOfRun(text: string, at: number): number {
  const space = /\s/g;
  space.lastIndex = at;
  return space.exec(text)?.index ?? text.length;
}

/** From the line that opens to the line that closes; an unclosed one goes on to the end. */
function fencedRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let open: { from: number; mark: string } | undefined;
  let count = 0;
  for (const match of text.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    const [line, mark, info] = match as unknown as [string, string, string];
    if (++count > MAX_FENCES) return [...ranges, { from: match.index, to: text.length }];
    if (!open) {
      if (!(mark[0] === '`' && info.includes('`'))) open = { from: match.index, mark };
    } else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && info.trim() === '') {
      ranges.push({ from: open.from, to: match.index + line.length });
      open = undefined;
    }
  }
  return open ? [...ranges, { from: open.from, to: text.length }] : ranges;
}
