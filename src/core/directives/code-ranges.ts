/** Finds the code in Markdown text, because directives in code are only text. Pure, linear. */
import { fenceAfter, type Fence } from '../fence.ts';

/** Offsets into the text, `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The code of a text, and what is not decided while more text may follow. */
export interface CodeRanges {
  /** In order, without overlaps: fenced blocks, indented blocks, inline spans. */
  readonly ranges: readonly Range[];
  /**
   * What follows may become code: a backtick run without a partner in the last paragraph, or the last line of a text
   * that goes on, which may yet begin or end a fenced block.
   */
  readonly openFrom: number | undefined;
}

interface Line extends Range {
  readonly text: string;
}

/** `partial`: the text goes on, so backticks at its end may not be all of their run. */
export function codeRanges(text: string, { partial = false }: { partial?: boolean } = {}): CodeRanges {
  const ranges: Range[] = [];
  const state = { fence: undefined as Fence | undefined, mayIndent: true, paragraph: undefined as number | undefined };
  let openSpan: number | undefined;
  let openLine: number | undefined;
  const endParagraph = (at: number): void => {
    if (state.paragraph !== undefined) openSpan = addSpans(text, { from: state.paragraph, to: at }, ranges);
    state.paragraph = undefined;
  };
  for (const line of linesOf(text)) {
    if (partial && line.to === text.length && !state.fence && isUndecided(line.text)) {
      openLine = line.from;
      break;
    }
    const after = fenceAfter(state.fence, line.text);
    const isFenced = state.fence !== undefined || after !== undefined;
    state.fence = after;
    const isBlank = line.text.trim() === '';
    const isIndented = !isFenced && !isBlank && state.mayIndent && /^(?: {0,3}\t| {4})/.test(line.text);
    if (isFenced || isBlank || isIndented) {
      endParagraph(line.from);
      openSpan = undefined;
      if (!isBlank) ranges.push({ from: line.from, to: line.to });
    } else state.paragraph ??= line.from;
    state.mayIndent = isBlank || isIndented || (isFenced && after === undefined);
  }
  // A line that is not decided leaves the paragraph before it open, and closes none of its spans.
  endParagraph(openLine ?? (partial ? text.length - trailingBackticks(text) : text.length));
  return { ranges, openFrom: openSpan ?? openLine };
}

/** Whether the last line of a text that goes on may yet be blank or not, or the line of a fence. */
const isUndecided = (line: string): boolean => line.trim() === '' || mayBecomeFence(line);

/** Whether a line that is not whole may become one that opens or closes a fenced block. */
export const mayBecomeFence = (line: string): boolean => /^ {0,3}(?:`{1,2}|~{1,2}|`{3,}[^`]*|~{3,}[^\n]*)$/.test(line);

/** Tells of any position whether it is code, in logarithmic time. */
export function codeLookup(ranges: readonly Range[]): (at: number) => boolean {
  return (at) => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]!.to <= at) low = middle + 1;
      else high = middle;
    }
    return low < ranges.length && ranges[low]!.from <= at;
  };
}

/** Every line with its offsets, the line feed left out. */
function* linesOf(text: string): Generator<Line> {
  for (let from = 0; from <= text.length; ) {
    const feed = text.indexOf('\n', from);
    const to = feed === -1 ? text.length : feed;
    yield { from, to, text: text.slice(from, to) };
    from = to + 1;
  }
}

/** Pairs the backtick runs of a paragraph by their length; answers the first that has no partner. */
function addSpans(text: string, paragraph: Range, ranges: Range[]): number | undefined {
  const runs = backtickRuns(text, paragraph);
  const nextOfLength = new Map<number, number>();
  const partner = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index]!;
    partner[index] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, index);
  }
  let open: number | undefined;
  for (let index = 0; index < runs.length; index++) {
    const closer = runs[partner[index]!];
    if (!closer) open ??= runs[index]!.at;
    else {
      ranges.push({ from: runs[index]!.at, to: closer.at + closer.length });
      index = partner[index]!;
    }
  }
  return open;
}

/** A backslash takes the first backtick of a run away, as it does in Markdown. */
function backtickRuns(text: string, { from, to }: Range): { at: number; length: number }[] {
  const runs: { at: number; length: number }[] = [];
  let end = from;
  for (const match of text.slice(from, to).matchAll(/`+/g)) {
    const at = from + match.index;
    let slashes = 0;
    while (at - slashes > end && text[at - slashes - 1] === '\\') slashes++;
    end = at + match[0].length;
    const escaped = slashes % 2;
    if (match[0].length > escaped) runs.push({ at: at + escaped, length: match[0].length - escaped });
  }
  return runs;
}

function trailingBackticks(text: string): number {
  let count = 0;
  while (text[text.length - 1 - count] === '`') count++;
  return count;
}
