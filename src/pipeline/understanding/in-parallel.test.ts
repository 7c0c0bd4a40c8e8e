import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from './in-parallel.ts';

test('results keep the order of the items, and no more than the limit run at once', async () => {
  let running = 0;
  let max = 0;
  const results = await inParallel([30, 10, 20, 0], 2, async (turns) => {
    max = Math.max(max, ++running);
    for (let i = 0; i < turns; i++) await Promise.resolve();
    running--;
    return turns;
  });
  assert.deepEqual([results, max], [[30, 10, 20, 0], 2]);
  assert.deepEqual(await inParallel([], 3, async () => 1), []);
});

test('the first failure ends it, after what runs has ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  await assert.rejects(
    inParallel([0, 1, 2, 3], 2, async (item) => {
      begun.push(item);
      if (item === 0) throw new Error('first');
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    }),
    /first/,
  );
  assert.deepEqual([begun, ended], [[0, 1], [1]]);
});
