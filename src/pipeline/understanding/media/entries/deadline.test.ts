import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../../testing/fake-clock.ts';
import { withDeadline } from './deadline.ts';

const never = (): Promise<never> => new Promise(() => undefined);

test('work that is done in time answers, and leaves nothing behind', async () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  assert.equal(await withDeadline({ clock, ms: 10, signal }, async () => 'done'), 'done');
  await assert.rejects(
    withDeadline({ clock, ms: 10, signal }, () => Promise.reject(new Error('its own'))),
    /its own/,
  );
  assert.equal(clock.pending(), 0);
});

test('work that takes too long or is stopped ends at once, with its signal fired', async () => {
  const clock = createFakeClock();
  let inner: AbortSignal | undefined;
  const late = withDeadline({ clock, ms: 1000, signal: new AbortController().signal }, (signal) => {
    inner = signal;
    return never();
  });
  const refused = assert.rejects(late, { code: 'timeout', message: 'no answer within 1 s' });
  await clock.advance(1000);
  await refused;
  assert.equal(inner?.aborted, true);
  const stop = new AbortController();
  const stopped = assert.rejects(withDeadline({ clock, ms: 1000, signal: stop.signal }, never), { code: 'aborted' });
  stop.abort();
  await stopped;
  await assert.rejects(withDeadline({ clock, ms: 1000, signal: AbortSignal.abort() }, never), { code: 'aborted' });
  assert.equal(clock.pending(), 0);
});
