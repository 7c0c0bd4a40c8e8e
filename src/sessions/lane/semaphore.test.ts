/** Permits: first come, first served, up to the current limit, each kind of work separately. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { acquire, grant, placesUsed, release, type Bulkhead } from './semaphore.ts';

const empty = (): Bulkhead<string> => new Map();
const waitFor = (bulkhead: Bulkhead<string>, ...names: string[]): Bulkhead<string> =>
  names.reduce((before, name) => acquire(before, 'main', name), bulkhead);

it('gives places in order of asking, as many as the limit is now', () => {
  const [one, first] = grant(waitFor(empty(), 'a', 'b', 'c', 'd'), 'main', 1);
  assert.deepEqual([first, placesUsed(one)], [['a'], 1]);
  const [two, next] = grant(release(one, 'main'), 'main', 2);
  assert.deepEqual([next, placesUsed(two)], [['b', 'c'], 2]);
  const [three, last] = grant(release(two, 'main'), 'main', 2);
  assert.deepEqual([last, placesUsed(three)], [['d'], 2]);
});

it('gives nothing while more run than a lowered limit allows', () => {
  const [full] = grant(waitFor(empty(), 'a', 'b', 'c'), 'main', 2);
  const [lowered, none] = grant(release(full, 'main'), 'main', 1);
  assert.deepEqual([none, placesUsed(lowered)], [[], 1]);
  assert.deepEqual(grant(release(lowered, 'main'), 'main', 1)[1], ['c']);
});

it('counts each kind apart', () => {
  const asked = acquire(waitFor(empty(), 'asks'), 'nested', 'is asked');
  const [main, first] = grant(asked, 'main', 1);
  const [both, second] = grant(main, 'nested', Infinity);
  assert.deepEqual([first, second, placesUsed(both)], [['asks'], ['is asked'], 2]);
});

it('never gives more than the limit, and everybody gets a place once, in order', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('ask' as const) }),
    fc.record({ do: fc.constant('give back' as const) }),
    fc.record({ do: fc.constant('grant' as const), limit: fc.integer({ min: 0, max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let bulkhead: Bulkhead<number> = new Map();
      let asked = 0;
      const granted: number[] = [];
      for (const one of steps) {
        const before = placesUsed(bulkhead);
        if (one.do === 'ask') bulkhead = acquire(bulkhead, 'main', asked++);
        else if (one.do === 'grant') {
          const [next, given] = grant(bulkhead, 'main', one.limit);
          bulkhead = next;
          granted.push(...given);
          assert.ok(placesUsed(bulkhead) <= Math.max(before, one.limit), 'over the limit');
        } else if (before > 0) bulkhead = release(bulkhead, 'main');
      }
      granted.push(...grant(bulkhead, 'main', Infinity)[1]);
      assert.deepEqual(
        granted,
        Array.from({ length: asked }, (_, index) => index),
      );
    }),
  );
});
