/** The difference of two texts by lines, as a unified diff. Pure; time and memory are bounded. */

const CONTEXT = 3;
/** Beyond so many pairs of lines what differs is told as a whole. */
const MAX_PAIRS = 4_000_000;

interface Line {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Empty: they are the same. */
export function textDiff(before: string, after: string): string {
  const lines = compared(before.split('\n'), after.split('\n'));
  if (lines.every(({ sign }) => sign === ' ')) return '';
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  const out: string[] = [];
  let [old, now] = [1, 1];
  lines.forEach(({ sign, text }, at) => {
    if (near[at]) {
      if (!near[at - 1]) out.push(`@@ -${old} +${now} @@`);
      out.push(sign + text);
    }
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
  });
  return out.join('\n');
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ sign: ' ', text }));
  return [
    ...same(before.slice(0, start)),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(end === 0 ? [] : before.slice(-end)),
  ];
}

function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ sign: '-', text });
  const added = (text: string): Line => ({ sign: '+', text });
  if (before.length * after.length > MAX_PAIRS) return [...before.map(removed), ...after.map(added)];
  const common = commonLengths(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i]! });
      i += 1;
      j += 1;
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!) lines.push(removed(before[i++]!));
    else lines.push(added(after[j++]!));
  }
  return [...lines, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}

/** By position in both: how many lines the rests have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      rows[i]![j] = before[i] === after[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  return rows;
}
