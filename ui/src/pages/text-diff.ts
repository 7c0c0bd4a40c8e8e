/** The difference of two texts by lines, as a unified diff without file names. Pure; time and memory are bounded. */
import { structuredPatch } from 'diff/lib/patch/create.js';

/** More changed lines than these are shown as a replacement of the whole text. */
const MAX_CHANGED_LINES = 1000;

/** Empty: they are equal. */
export function textDiff(before: string, after: string): string {
  if (before === after) return '';
  // A last line without a line feed would be marked as such.
  const patch = structuredPatch('', '', `${before}\n`, `${after}\n`, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_CHANGED_LINES,
  });
  if (!patch) return replacement(before.split('\n'), after.split('\n'));
  return patch.hunks
    .flatMap(({ oldStart, newStart, lines }) => [`@@ -${oldStart} +${newStart} @@`, ...lines])
    .join('\n');
}

const replacement = (before: readonly string[], after: readonly string[]): string =>
  ['@@ -1 +1 @@', ...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)].join('\n');
