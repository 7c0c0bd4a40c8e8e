/** A deadline holds whether or not the work listens to its signal, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { startDeadline, withDeadline } from './deadline.ts';

const words = { late: 'no answer within 1 s', stopped: 'It was stopped.' };
const never = (): Promise<never> => new Promise(() => undefined);

test('work that is done in time answers, and leaves nothing behind', async () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  assert.equal(await withDeadline({ clock, timeoutMs: 10, ...words, signal }, async () => 'done'), 'done');
  await assert.rejects(
    withDeadline({ clock, timeoutMs: 10, ...words, signal }, () => Promise.reject(new Error('its own'))),
    /its own/,
  );
  assert.equal(clock.pending(), 0);
});

test('work that takes too long or is stopped ends at once, with its signal fired', async () => {
  const clock = createFakeClock();
  let inner: AbortSignal | undefined;
  const late = withDeadline({ clock, timeoutMs: 1000, ...words, signal: new AbortController().signal }, (signal) => {
    inner = signal;
    return never();
  });
  const refused = assert.rejects(late, { code: 'timeout', message: 'no answer within 1 s' });
  await clock.advance(1000);
  await refused;
  assert.equal(inner?.aborted, true);
  const stop = new AbortController();
  const stopped = assert.rejects(withDeadline({ clock, timeoutMs: 1000, ...words, signal: stop.signal }, never), {
    code: 'aborted',
  });
  stop.abort();
  await stopped;
  await assert.rejects(withDeadline({ clock, timeoutMs: 1000, ...words, signal: AbortSignal.abort() }, never), {
    code: 'aborted',
  });
  assert.equal(clock.pending(), 0);
});

test('the signal says why it fired, and does not once it is disposed of', async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const begin = () => startDeadline({ clock, timeoutMs: 1000, ...words, signal: stop.signal });
  {
    using kept = begin();
    assert.equal(kept.signal.aborted, false);
  }
  assert.equal(clock.pending(), 0);
  using late = begin();
  await clock.advance(1000);
  assert.equal((late.signal.reason as Error).message, words.late);
  using stopped = begin();
  stop.abort(new Error('going home'));
  assert.equal((stopped.signal.reason as Error).message, words.stopped);
  assert.match(String((stopped.signal.reason as Error).cause), /going home/);
});
