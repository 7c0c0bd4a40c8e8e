/** The newest entries are kept; setting a key again makes it the newest. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setNewest } from './bounded-map.ts';

it('keeps the newest entries, to the limit', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) assert.equal(setNewest(map, key, index, 3), index);
  assert.deepEqual(
    [...map],
    [
      ['c', 2],
      ['a', 3],
      ['d', 4],
    ],
  );
});

it('makes room down to a lower limit, and remembers nothing with none', () => {
  const map = new Map([1, 2, 3, 4].map((key) => [key, key]));
  setNewest(map, 5, 5, 2);
  assert.deepEqual([...map.keys()], [4, 5]);
  setNewest(map, 6, 6, 0);
  assert.equal(map.size, 0);
});
