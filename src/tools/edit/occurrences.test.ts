/** The search for long passages finds what the built-in one does. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { occurrences } from './occurrences.ts';

const builtIn = (text: string, wanted: string): readonly number[] => {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && found.length < 20; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
};

it('finds every place, overlapping ones too, at both ends, and twenty at most', () => {
  const long = 'ab'.repeat(3000);
  const cases: readonly (readonly [text: string, wanted: string])[] = [
    [`x${long}y${long}`, long],
    [long + long, long],
    ['a'.repeat(9000), 'a'.repeat(4000)],
    [`${long}c`, `${long}c`],
    [long, `${long}c`],
    [`${long}aab${long}`, `${long.slice(0, 2000)}aab${long.slice(0, 2000)}`],
    ['aab'.repeat(3000), 'aab'.repeat(2990)],
    ['\ud83d\ude00'.repeat(4000), '\ud83d\ude00'.repeat(3999)],
    ['a,b', ','],
    ['a', 'abc'],
  ];
  for (const [text, wanted] of cases)
    assert.deepEqual(occurrences(text, wanted), builtIn(text, wanted), `${text.slice(0, 10)} ${wanted.slice(0, 10)}`);
});
