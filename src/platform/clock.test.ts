import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { systemClock } from './clock.ts';
import { watchEventLoop } from './event-loop.ts';
import { randomId, randomToken, sha256Hex, shortId, uuid } from './ids.ts';

test('a sleep ends when its signal fires, on either clock', async () => {
  for (const clock of [systemClock, createFakeClock()]) {
    const stop = new AbortController();
    const sleeping = clock.sleep(3_600_000, stop.signal);
    stop.abort();
    await assert.rejects(sleeping, { code: 'aborted' });
    await assert.rejects(clock.sleep(1, stop.signal), { code: 'aborted' });
  }
});

test('the fake clock runs due timers in order and leaves the others', async () => {
  const clock = createFakeClock(0);
  const seen: string[] = [];
  clock.setTimeout(() => seen.push(`b${clock.now()}`), 20);
  clock.setTimeout(() => seen.push(`a${clock.now()}`), 10);
  clock.setTimeout(() => seen.push('never'), 15).cancel();
  const tick = clock.setInterval(() => seen.push('tick'), 12);
  await clock.advance(25);
  tick.cancel();
  assert.deepEqual(seen, ['a10', 'tick', 'b20', 'tick']);
  assert.equal(clock.pending(), 0);
});

test('blocking the loop shows', async () => {
  using watch = watchEventLoop();
  await systemClock.sleep(30);
  const until = performance.now() + 120;
  while (performance.now() < until) JSON.stringify([until]);
  await systemClock.sleep(30);
  const reading = watch.read();
  assert.ok(reading.maxMs >= 50, JSON.stringify(reading));
  assert.ok(
    reading.p99Ms <= reading.maxMs && reading.utilization > 0 && reading.utilization <= 1,
    JSON.stringify(reading),
  );
});

test('ids have their documented shapes', () => {
  assert.match(randomId(), /^[0-9a-f]{32}$/);
  assert.match(shortId(), /^[0-9a-f]{8}$/);
  assert.match(randomToken(), /^[0-9a-f]{48}$/);
  assert.match(uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.equal(sha256Hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
