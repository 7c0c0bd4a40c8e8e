/** Finds the passage of a file that is most similar to the one a model named. Pure. */

const MAX_SHOWN = 12;
/** Comparing lines of longer texts would hold up everybody else. */
const MAX_CHARS = 96 * 1024;
/** Pairs of lines that are compared for a partial likeness. */
const MAX_PAIRS = 20_000;

/** A sentence to append to "not found": the region of the file most like `wanted`, or how to go on when nothing is. */
export function closestRegion(text: string, wanted: string): string {
  if (text.length + wanted.length > MAX_CHARS) return ' Read the place in question again and copy the passage exactly.';
  const lines = text.split(/\r?\n/);
  const sought = wanted.split(/\r?\n/);
  while (sought.length > 1 && sought[0]!.trim() === '') sought.shift();
  const best = bestWindow(lines.map(bare), sought.map(bare));
  if (!best) return ' No line of it is in the file; read the file again.';
  const shown = lines
    .slice(best.start, best.start + Math.min(sought.length, MAX_SHOWN))
    .map((line, index) => `${best.start + index + 1}: ${line}`);
  return (
    ` ${best.same} of its ${sought.length} lines match near line ${best.start + 1}, where the file ` +
    `says:\n${shown.join('\n')}\nCopy the passage exactly, spaces and indentation included.`
  );
}

/** Only lines that say something count. */
function bestWindow(
  lines: readonly string[],
  sought: readonly string[],
): { readonly start: number; readonly same: number } | undefined {
  const scores = new Map<number, number>();
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries())
    if (line.length > 2) places.set(line, [...(places.get(line) ?? []).slice(0, 50), index]);
  for (const [index, line] of sought.entries()) {
    for (const place of places.get(line) ?? []) {
      const start = Math.max(0, place - index);
      scores.set(start, (scores.get(start) ?? 0) + 1);
    }
  }
  const [winner] = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (winner) return { start: winner[0], same: winner[1] };
  if (lines.length * sought.length > MAX_PAIRS) return undefined;
  const partial = lines.findIndex(
    (line) => line.length > 5 && sought.some((one) => one.length > 5 && (one.includes(line) || line.includes(one))),
  );
  return partial === -1 ? undefined : { start: partial, same: 0 };
}

const bare = (line: string): string => line.replace(/\s+/g, ' ').trim();
