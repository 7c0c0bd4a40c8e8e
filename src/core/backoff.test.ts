/** Backoff delays double up to their maximum, and are spread by jitter. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { backoff, jittered } from './backoff.ts';

it('doubles up to the most', () => {
  const times = { first: 500, max: 3000 };
  assert.deepEqual(
    [0, 1, 2, 3, 2000].map((repetition) => backoff(times, repetition)),
    [500, 1000, 2000, 3000, 3000],
  );
});

it('is spread between two shares', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => jittered(1000, [0.75, 1.25], random)),
    [750, 1000, 1250],
  );
});
