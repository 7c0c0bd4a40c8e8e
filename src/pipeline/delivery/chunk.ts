/** Splits a long text at lines and words and keeps code fences balanced in every chunk; linear time. */
import { closerOf, fenceAfter, type Fence } from '../../core/fence.ts';
import { wholeCharacters } from './grapheme.ts';

export interface ChunkRules {
  /** Characters of one message; at least 1. */
  readonly limit: number;
  readonly maxLines?: number;
  /** `newline`: also at every blank line outside fences. Default `length`. */
  readonly mode?: 'length' | 'newline';
}

/**
 * Nothing but the white space at a cut is lost; fences that are cut are closed and opened again. Blank text: no chunk.
 */
export function chunkText(text: string, rules: ChunkRules): readonly string[] {
  const whole = text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  const parts = rules.mode === 'newline' ? paragraphs(whole) : [whole];
  return parts.flatMap((part) => byLength(part, rules));
}

/** At blank lines outside fences. */
function paragraphs(text: string): readonly string[] {
  const parts: string[][] = [[]];
  let open: Fence | undefined;
  for (const line of text.split('\n')) {
    const blank = !open && line.trim() === '';
    open = fenceAfter(open, line);
    if (!blank) parts.at(-1)!.push(line);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part !== '');
}

interface Cut {
  /** Where this chunk ends, and where the next one begins. */
  readonly end: number;
  readonly next: number;
  /** The fence that is open there. */
  readonly open: Fence | undefined;
}

function byLength(text: string, rules: ChunkRules): readonly string[] {
  const chunks: string[] = [];
  let carried: Fence | undefined;
  for (let at = 0; at < text.length; ) {
    if (carried) {
      const closed = closingLine(text, at, carried);
      if (closed !== undefined) {
        [at, carried] = [skipBlank(text, closed), undefined]; // the chunk before closed it
        continue;
      }
    }
    const { end, next, open } = findCut(text, at, carried, rules);
    const chunk = (carried ? `${carried.opener}\n` : '') + text.slice(at, end) + (open ? `\n${closerOf(open)}` : '');
    if (chunk.trim() !== '') chunks.push(chunk);
    [at, carried] = [open ? next : skipBlank(text, next), open];
  }
  return chunks;
}

/** Where the line after a fence's closing line begins, when the line at `at` closes it. */
function closingLine(text: string, at: number, open: Fence): number | undefined {
  const end = lineEnd(text, at);
  return fenceAfter(open, text.slice(at, end)) ? undefined : end;
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

/** Characters of white space that are skipped at a time. */
const FAR = 4096;

/** Blank lines between messages say nothing; the indentation of the first line that says something does. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (let end = at; end < Math.min(text.length, from + FAR) && /\s/.test(text[end]!); end++)
    if (text[end] === '\n') at = end + 1;
  return at;
}

/** The best place that fits: the end, a line outside fences, a line of code, a word, a character. */
function findCut(
  text: string,
  at: number,
  carried: Fence | undefined,
  { limit, maxLines = Infinity }: ChunkRules,
): Cut {
  const before = carried ? carried.opener.length + 1 : 0;
  const seen = scan({ text, at, carried, room: limit - before, lines: maxLines - (carried ? 1 : 0), limit });
  if (seen.whole) return { end: text.length, next: text.length, open: seen.whole.open };
  if (seen.outside !== undefined) return { end: seen.outside, next: seen.outside + 1, open: undefined };
  if (seen.inside) return { end: seen.inside.end, next: seen.inside.end + 1, open: seen.inside.open };
  return cutInLine(text, at, {
    room: limit - before,
    open: carried ?? seen.opening,
    opening: carried === undefined && seen.opening !== undefined,
  });
}

interface Scan {
  readonly text: string;
  readonly at: number;
  readonly carried: Fence | undefined;
  readonly room: number;
  readonly lines: number;
  readonly limit: number;
}
interface Seen {
  whole?: { readonly open: Fence | undefined };
  /** Ends of lines: the last one outside fences (parentheses count as one word), the last one inside. */
  outside?: number;
  inside?: { readonly end: number; readonly open: Fence };
  /** The fence whose opening line begins the text. */
  opening?: Fence;
}

/** Reads lines until they do not fit any more. */
function scan({ text, at, carried, room, lines, limit }: Scan): Seen {
  const seen: Seen = {};
  let open = carried;
  let depth = 0;
  let fallback: number | undefined;
  let count = 0;
  for (let start = at; ; count++) {
    const end = lineEnd(text, Math.min(start, text.length));
    const was = open;
    if (end - at > room || count >= lines) break;
    const line = text.slice(start, end);
    open = framed(fenceAfter(was, line), limit);
    if (start === at && !was && open) seen.opening = open;
    const closing = open ? closerOf(open).length + 1 : 0;
    const fits = end - at + closing <= room && count + 1 + (open ? 1 : 0) <= lines;
    if (end >= text.length) {
      if (fits) seen.whole = { open };
      break;
    }
    if (!was && !open) depth = depthAfter(depth, line);
    if (fits && !open && end > at) fallback = end;
    if (fits && !open && end > at && depth === 0) seen.outside = end;
    if (fits && open && open === was) seen.inside = { end, open };
    start = end + 1;
  }
  if (seen.outside === undefined && fallback !== undefined) seen.outside = fallback;
  return seen;
}

/** A fence whose frame would fill the message loses its info string; one whose marks alone would is text. */
function framed(fence: Fence | undefined, limit: number): Fence | undefined {
  const frame = (opener: string): number => opener.length + (fence ? closerOf(fence).length : 0) + 6;
  if (!fence || frame(fence.opener) <= limit) return fence;
  return frame(closerOf(fence)) <= limit ? { ...fence, opener: closerOf(fence) } : undefined;
}

const depthAfter = (depth: number, line: string): number => {
  let now = depth;
  for (const char of line) now = char === '(' ? now + 1 : char === ')' ? Math.max(0, now - 1) : now;
  return now;
};

/** One line is longer than a message. */
function cutInLine(
  text: string,
  at: number,
  { room, open, opening }: { room: number; open: Fence | undefined; opening: boolean },
): Cut {
  const max = at + Math.max(1, room - (open ? closerOf(open).length + 1 : 0));
  const from = open && opening ? lineEnd(text, at) + 1 : at; // an opening line alone is an empty block
  const line = Math.min(max, lineEnd(text, Math.min(from, text.length)));
  const word = open ? undefined : lastSpace(text, from, line);
  if (word !== undefined) return { end: word, next: afterSpaces(text, word), open };
  const end = wholeCharacters(text, from, line);
  return { end, next: end, open };
}

/** The last white space outside parentheses, else the last at all. */
function lastSpace(text: string, from: number, to: number): number | undefined {
  let depth = 0;
  let any: number | undefined;
  let outside: number | undefined;
  for (let index = from; index < Math.min(to + 1, text.length); index++) {
    const char = text[index]!;
    if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (index > from && /\s/.test(char)) [any, outside] = [index, depth === 0 ? index : outside];
  }
  return [outside, any].find((place) => place !== undefined && text.slice(from, place).trim() !== '');
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] === ' ' || text[at] === '\t')) at++;
  return text[at] === '\n' ? at + 1 : at;
}
