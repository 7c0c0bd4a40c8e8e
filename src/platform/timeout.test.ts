/** Waits with a timeout: the first result counts, and nothing is left behind. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { onceAborted, orAborted, raceSignal, orTimeout, settlesWithin, within } from './timeout.ts';

const never = new Promise<never>(() => undefined);
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('a wait with an end', () => {
  it('gives what the work gives, fails like it, and leaves no timer and no listener', async () => {
    const clock = createFakeClock();
    const { signal } = new AbortController();
    assert.equal(await within(Promise.resolve(1), { ms: 100, otherwise: 2, signal, clock }), 1);
    await assert.rejects(
      within(Promise.reject(new Error('broken')), { ms: 100, otherwise: 2, signal, clock }),
      /broken/,
    );
    assert.deepEqual([clock.pending(), listeners(signal)], [0, 0]);
  });

  it('gives the other thing when the time is up, exactly then', async () => {
    const clock = createFakeClock();
    const waiting = within<never, string>(never, { ms: 100, otherwise: 'late', clock });
    const state = { over: false };
    void waiting.then(() => (state.over = true));
    await clock.advance(99);
    assert.equal(state.over, false);
    await clock.advance(1);
    assert.deepEqual([await waiting, state.over], ['late', true]);
  });

  it('gives the other thing when it is stopped, also before it began', async () => {
    const stop = new AbortController();
    const clock = createFakeClock();
    const waiting = within<never, string>(never, { ms: 100, otherwise: 'stopped', signal: stop.signal, clock });
    stop.abort();
    const after = within<never, string>(never, { ms: 100, otherwise: 'stopped', signal: stop.signal, clock });
    assert.deepEqual([await waiting, await after, clock.pending()], ['stopped', 'stopped', 0]);
  });

  it('waits longer than a timer of the system can', async () => {
    assert.equal(await within(Promise.resolve('soon'), { ms: 2 ** 40, otherwise: 'at once' }), 'soon');
  });

  it('tells whether work settled, well or not', async () => {
    const clock = createFakeClock();
    assert.equal(await settlesWithin(Promise.resolve(), 100, clock), true);
    assert.equal(await settlesWithin(Promise.reject(new Error('broken')), 100, clock), true);
    const late = settlesWithin(never, 100, clock);
    await clock.advance(100);
    assert.equal(await late, false);
  });

  it('fails in time with the error it is given', async () => {
    const error = (): Error => new Error('too late');
    assert.equal(await orTimeout(Promise.resolve(1), { ms: 60_000, error }), 1);
    await assert.rejects(orTimeout(Promise.reject(new Error('broken')), { ms: 60_000, error }), /broken/);
    const clock = createFakeClock();
    const late = assert.rejects(orTimeout(never, { ms: 100, error, clock }), /too late/);
    await clock.advance(100);
    await late;
  });

  it('rejects for whoever stops waiting, keeping why', async () => {
    const stop = new AbortController();
    assert.equal(await orAborted(Promise.resolve(1), stop.signal), 1);
    await assert.rejects(orAborted(Promise.reject(new Error('broken')), stop.signal), /broken/);
    assert.equal(listeners(stop.signal), 0);
    const waiting = assert.rejects(orAborted(never, stop.signal, 'Closed.'), { code: 'aborted', message: 'Closed.' });
    stop.abort(new Error('going home'));
    await waiting;
    await assert.rejects(orAborted(never, stop.signal), (error: Error) => /going home/.test(String(error.cause)));
  });

  it("rejects with the signal's own reason", async () => {
    const stop = new AbortController();
    assert.equal(await raceSignal(Promise.resolve(1), stop.signal), 1);
    const waiting = assert.rejects(raceSignal(never, stop.signal), /going home/);
    stop.abort(new Error('going home'));
    await waiting;
    assert.equal(listeners(stop.signal), 0);
  });

  it('waits for a signal', async () => {
    const stop = new AbortController();
    const waiting = onceAborted(stop.signal);
    stop.abort();
    await waiting;
    await onceAborted(stop.signal);
  });
});
