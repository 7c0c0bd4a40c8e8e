// Work for a process at rest: not before it rests, a step in each round of the event loop, none once somebody came.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { warmUp } from './warm-up.ts';

/** Steps that note when they were taken, `stop` after the one of that number. */
function steps(taken: number[], stop?: { readonly at: number; readonly by: AbortController }) {
  return async function* () {
    for (let step = 1; step <= 5; step++) {
      taken.push(step);
      if (step === stop?.at) stop.by.abort();
      yield;
    }
  };
}

it('begins after a second, and takes every step with the event loop in between', async () => {
  const [clock, taken, rounds]: [ReturnType<typeof createFakeClock>, number[], number[]] = [createFakeClock(), [], []];
  const done = warmUp(steps(taken), {
    clock,
    log: silentLog,
    signal: new AbortController().signal,
    until: () => undefined,
  });
  await clock.advance(999);
  assert.deepEqual(taken, []);
  const watch = (): void => {
    rounds.push(taken.length);
    if (taken.length < 5) setImmediate(watch);
  };
  setImmediate(watch);
  await clock.advance(1);
  await done;
  assert.deepEqual(taken, [1, 2, 3, 4, 5]);
  for (const count of [1, 2, 3, 4]) assert.ok(rounds.includes(count), `${count} in ${rounds}`);
});

it('does nothing where somebody came first, and no step more when somebody comes', async () => {
  for (const [at, expected] of [
    [undefined, []],
    [2, [1, 2]],
  ] as const) {
    const [clock, by, taken]: [ReturnType<typeof createFakeClock>, AbortController, number[]] = [
      createFakeClock(),
      new AbortController(),
      [],
    ];
    const done = warmUp(steps(taken, at && { at, by }), {
      clock,
      log: silentLog,
      signal: new AbortController().signal,
      until: (came) => by.signal.addEventListener('abort', came),
    });
    if (at === undefined) by.abort();
    await clock.advance(1000);
    await done;
    assert.deepEqual(taken, expected);
    assert.equal(clock.pending(), 0);
  }
});

it('fails nobody where a step fails', async () => {
  const [clock, logged]: [ReturnType<typeof createFakeClock>, unknown[]] = [createFakeClock(), []];
  const log = { ...silentLog, debug: (_event: string, fields?: object) => void logged.push(fields) };
  const error = new Error('no key');
  async function* failing(): AsyncGenerator<void> {
    yield;
    throw error;
  }
  const done = warmUp(failing, { clock, log, signal: new AbortController().signal, until: () => undefined });
  await clock.advance(1000);
  await done;
  assert.deepEqual(logged, [{ error }]);
});
