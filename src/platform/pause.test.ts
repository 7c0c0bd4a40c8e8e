/** A pause ends by itself or with its signal, and never rejects. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { pause } from './pause.ts';

it('is over after its time, or as soon as it is stopped', async () => {
  const stop = new AbortController();
  assert.equal(await pause(1, stop.signal), true);
  const waiting = pause(60_000, stop.signal);
  stop.abort();
  assert.equal(await waiting, false);
  assert.equal(await pause(60_000, stop.signal), false, 'stopped before it began');
});

it('takes its time from the clock it is given', async () => {
  const clock = createFakeClock();
  const waiting = pause(1000, undefined, clock);
  await clock.advance(1000);
  assert.equal(await waiting, true);
});
