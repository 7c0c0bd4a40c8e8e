/** A pause ends by itself or with its signal, and never rejects. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pause } from './pause.ts';

it('is over after its time, or as soon as it is stopped', async () => {
  const stop = new AbortController();
  await pause(1, stop.signal);
  const waiting = pause(60_000, stop.signal);
  stop.abort();
  await waiting;
  await pause(60_000, stop.signal);
  assert.ok(stop.signal.aborted);
});
