/** Finds the one place of a file a hunk means: word for word first, then forgiving. Pure. */
import { closestRegion, plainText } from '../../sdk/files.ts';
import { PatchProblem, type Hunk } from './patch.ts';

export interface Place {
  /** 0-based line of the file at which the hunk begins. */
  readonly at: number;
  /** Not word for word: spaces at line ends, quotes or dashes differ. */
  readonly loose: boolean;
}

type Reading = (line: string) => string;

/** From strict to forgiving. */
const READINGS: readonly Reading[] = [(line) => line, (line) => line.trimEnd(), (line) => plainText(line).trimEnd()];
/** Longer texts are read as they are only: reading forgivingly takes time. */
const FORGIVING_CHARS = 1024 * 1024;

/**
 * Comparisons of lines for all hunks of a file together: a hundred hunks of a large file take far fewer, and more would
 * hold up everybody else.
 */
const MAX_COMPARED = 3_000_000;

/** A file as its hunks look at it. */
export interface ReadableLines {
  readonly lines: readonly string[];
  readonly readings: readonly LineReading[];
  /** Lines were compared so often. Throws `PatchProblem` when it was too often. */
  compared(times: number, line: number): void;
}

interface LineReading {
  readonly read: Reading;
  /** Built when it is first needed: most hunks fit word for word. */
  index(): LineIndex;
}

interface LineIndex {
  readonly lines: readonly string[];
  /** Where a line stands, in order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function readableLines(lines: readonly string[]): ReadableLines {
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  let left = MAX_COMPARED;
  const compared = (times: number, line: number): void => {
    if ((left -= times) < 0)
      throw new PatchProblem(
        line,
        'too many places of the file look like the ones meant. Use `edit`, or `write` for the whole file.',
      );
  };
  return {
    lines,
    compared,
    readings: READINGS.slice(0, chars > FORGIVING_CHARS ? 1 : undefined).map((read) => lineReading(read, lines)),
  };
}

function lineReading(read: Reading, written: readonly string[]): LineReading {
  let index: LineIndex | undefined;
  return { read, index: () => (index ??= indexOf(written.map(read))) };
}

function indexOf(lines: readonly string[]): LineIndex {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  }
  return { lines, places };
}

/** `from`: behind the hunk before. Throws `PatchProblem` when there is no such place, or more than one. */
export function placeHunk(file: ReadableLines, hunk: Hunk, { path, from }: { path: string; from: number }): Place {
  const old = hunk.changes.filter(({ sign }) => sign !== '+').map(({ text }) => text);
  const anchors = anchorsOf(file, hunk, { path, from });
  if (old.length === 0) return insertion(file.lines, hunk, { path, anchors });
  for (const [level, { read, index }] of file.readings.entries()) {
    const found = candidates(index(), old.map(read), {
      from: hunk.atEnd ? Math.max(from, file.lines.length - old.length) : from,
      compared: (times) => file.compared(times, hunk.line),
    });
    const meant = anchors ? nextTo(anchors, found) : found;
    if (meant.length === 1) return { at: meant[0]!, loose: level > 0 };
    if (meant.length > 1)
      throw new PatchProblem(
        hunk.line,
        `these lines occur ${meant.length} times in ${path} (${atLines(meant)}). Add unchanged lines around ` +
          `them, or \`@@ <a line above>\`, until only one place fits.`,
      );
  }
  throw new PatchProblem(hunk.line, notFound(file.lines, old, { path, from, atEnd: hunk.atEnd }));
}

function candidates(
  { lines, places }: LineIndex,
  wanted: readonly string[],
  { from, compared }: { readonly from: number; compared(times: number): void },
): readonly number[] {
  const starts = places.get(wanted[0]!) ?? [];
  compared(starts.length);
  return starts.filter((at) => {
    if (at < from) return false;
    const other = wanted.findIndex((line, offset) => line !== lines[at + offset]);
    compared(other === -1 ? wanted.length : other);
    return other === -1;
  });
}

/** The lines behind which the hunk is to be looked for; undefined without headings. */
function anchorsOf(
  file: ReadableLines,
  { headings, line }: Hunk,
  { path, from }: { path: string; from: number },
): readonly number[] | undefined {
  let anchors: readonly number[] | undefined;
  for (const heading of headings) {
    const all = linesLike(file, heading, { from, line });
    anchors = anchors ? behindEach(anchors, all) : all;
    if (anchors.length === 0)
      throw new PatchProblem(
        line,
        `\`@@ ${heading}\` is no line of ` +
          `${path}${from > 0 ? ` behind line ${from}` : ''}.${closestRegion(file.lines.join('\n'), heading)}`,
      );
  }
  return anchors;
}

/** A heading may leave out the indentation. */
function linesLike(
  { readings, lines, compared }: ReadableLines,
  heading: string,
  { from, line }: { readonly from: number; readonly line: number },
): readonly number[] {
  for (const { read, index } of readings) {
    const places = index().places.get(read(heading)) ?? [];
    compared(places.length, line);
    const found = places.filter((at) => at >= from);
    if (found.length > 0) return found;
  }
  const bare = heading.trim();
  compared(lines.length, line);
  return readings
    .at(-1)!
    .index()
    .lines.flatMap((text, at) => (at >= from && text.trim() === bare ? [at] : []));
}

const atLines = (places: readonly number[]): string =>
  `at lines ${places
    .slice(0, 20)
    .map((at) => at + 1)
    .join(', ')}${places.length > 20 ? ' …' : ''}`;

/** Of places in order: the first one behind each anchor. */
function behindEach(anchors: readonly number[], places: readonly number[]): readonly number[] {
  const found = new Set<number>();
  let next = 0;
  for (const anchor of anchors) {
    while (next < places.length && places[next]! <= anchor) next++;
    if (next < places.length) found.add(places[next]!);
  }
  return [...found];
}

/** The first candidate behind each heading and before the next; the heading itself may be its first line. */
function nextTo(anchors: readonly number[], candidates: readonly number[]): readonly number[] {
  const found: number[] = [];
  let next = 0;
  for (const [index, anchor] of anchors.entries()) {
    while (next < candidates.length && candidates[next]! < anchor) next++;
    if (next < candidates.length && candidates[next]! < (anchors[index + 1] ?? Infinity)) found.push(candidates[next]!);
  }
  return found;
}

/** A hunk that only adds: behind its heading, otherwise at the end of the file. */
function insertion(
  lines: readonly string[],
  { line, headings, atEnd }: Hunk,
  { path, anchors }: { path: string; anchors: readonly number[] | undefined },
): Place {
  if (!anchors || atEnd) return { at: lines.length, loose: false };
  if (anchors.length > 1)
    throw new PatchProblem(
      line,
      `\`@@ ${headings.at(-1)}\` occurs ${anchors.length} times in ${path} (${atLines(anchors)}). Add ` +
        'unchanged lines to the hunk.',
    );
  return { at: anchors[0]! + 1, loose: false };
}

function notFound(
  lines: readonly string[],
  old: readonly string[],
  { path, from, atEnd }: { path: string; from: number; atEnd: boolean },
): string {
  const where = atEnd
    ? ` at the end of ${path}`
    : ` in ${path}${from > 0 ? ` behind line ${from}, where the hunk before it ends` : ''}`;
  return `these lines were not found${where}.${closestRegion(lines.join('\n'), old.join('\n'))}`;
}
