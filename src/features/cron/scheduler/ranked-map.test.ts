/** Whatever is put in and taken out, the map agrees with one that sorts, and what it was before stays as it was. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { firstRanked, ranked, takeRanked, withRanked, type RankedMap } from './ranked-map.ts';

const changes = fc.array(
  fc.record({ id: fc.nat(40).map((nth) => `job-${nth}`), rank: fc.option(fc.nat(20), { nil: undefined }) }),
  { maxLength: 200 },
);
const built = (list: readonly { readonly id: string; readonly rank: number | undefined }[]): RankedMap =>
  list.reduce<RankedMap>(
    (map, { id, rank }) => withRanked(map, id, rank === undefined ? undefined : { rank }),
    undefined,
  );
const inOrder = (known: ReadonlyMap<string, number>): string[] =>
  [...known].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([id]) => id);

describe('a ranked map', () => {
  it('answers as a map does, lowest rank first', () => {
    fc.assert(
      fc.property(changes, fc.nat(20), (list, until) => {
        const known = new Map<string, number>();
        for (const { id, rank } of list)
          if (rank === undefined) known.delete(id);
          else known.set(id, rank);
        const map = built(list);
        for (const { id } of list) assert.equal(ranked(map, id)?.rank, known.get(id));
        assert.equal(firstRanked(map)?.id, inOrder(known)[0]);
        const [taken, rest] = takeRanked(map, until);
        const due = inOrder(known).filter((id) => known.get(id)! <= until);
        assert.deepEqual(
          taken.map(({ id }) => id),
          due,
        );
        assert.deepEqual(
          takeRanked(rest, Infinity)[0].map(({ id }) => id),
          inOrder(known).slice(due.length),
        );
      }),
    );
  });

  it('is what it was when others are made from it', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const map = built(before);
        const all = takeRanked(map, Infinity)[0];
        after.reduce((one, { id, rank }) => withRanked(one, id, rank === undefined ? undefined : { rank }), map);
        assert.deepEqual(takeRanked(map, Infinity)[0], all);
      }),
    );
  });

  it('stays shallow for ten thousand ids that count up', () => {
    const map = built(Array.from({ length: 10_000 }, (_, nth) => ({ id: `job-${nth}`, rank: nth })));
    const depth = (node: typeof map): number =>
      node ? 1 + Math.max(depth(node.left as typeof map), depth(node.right as typeof map)) : 0;
    assert.ok(depth(map) < 60, `${depth(map)} levels`);
  });
});
