/** Did you mean …: the known name nearest to a mistyped one. */

/** Names are shorter. */
const LONGEST = 200;

/** The nearest of `names`, undefined when none is near. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    // So many letters more or less are no slip; and comparing long words letter by letter takes long.
    if (Math.abs(word.length - name.length) > limit || name.length > LONGEST) continue;
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
}

/** Levenshtein, with two neighbours swapped counting as one step. */
function editDistance(a: string, b: string): number {
  let [older, previous]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(row[j - 1]! + 1, previous![j]! + 1, previous![j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, older![j - 2]! + 1);
    }
    [older, previous] = [previous, row];
  }
  return previous![b.length]!;
}
