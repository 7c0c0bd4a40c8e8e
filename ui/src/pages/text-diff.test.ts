/** Differences by lines: what is shown, and that applying it gives the other text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from '../tools/diff-lines.ts';
import { textDiff } from './text-diff.ts';

test('a change stands between three lines of each side, numbered as in the new text', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const after = before.with(9, 'changed').toSpliced(15, 1);
  const diff = textDiff(before.join('\n'), after.join('\n'));
  assert.deepEqual(
    diffLines(diff)
      .filter(({ kind }) => kind === 'added' || kind === 'removed')
      .map(({ kind, text, line }) => [kind, text, line]),
    [
      ['removed', 'line 9', 10],
      ['added', 'changed', 10],
      ['removed', 'line 15', 16],
    ],
  );
  assert.ok(!diff.includes('line 2') && diff.includes('line 12') && !diff.includes('line 19'));
  assert.equal(textDiff('a\nb', 'a\nb'), '');
});

test('what is kept and added is the new text, whatever the two are', () => {
  const words = ['a', 'b', 'c', ''];
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
  for (let round = 0; round < 300; round++) {
    const text = (): string[] => Array.from({ length: 1 + random(6) }, () => words[random(4)]!);
    const [before, after] = [text(), text()];
    const lines = diffLines(textDiff(before.join('\n'), after.join('\n'))).filter(({ kind }) => kind !== 'hunk');
    if (before.join('\n') === after.join('\n')) continue;
    const of = (without: string): string[] => lines.filter(({ kind }) => kind !== without).map(({ text }) => text);
    // In short texts every line is near a change.
    assert.ok(after.join('\n').includes(of('removed').join('\n')));
    assert.ok(before.join('\n').includes(of('added').join('\n')));
  }
});

test('two large texts without a line in common take no time and no memory', () => {
  const text = (name: string): string => Array.from({ length: 20_000 }, (_, at) => `${name}${at}`).join('\n');
  assert.equal(diffLines(textDiff(text('a'), text('b'))).length, 40_001);
});
