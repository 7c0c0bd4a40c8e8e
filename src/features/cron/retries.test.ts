/** A run that fails or is skipped is tried again when it makes sense, never in a hot loop, and given up aloud. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronOutcome } from './cron-job.ts';
import { cronInstances, DAY, HOUR, MINUTE, NOON, SECOND, TEXT } from './harness.ts';

const every = (everyMs: number, more: object = {}) => ({ schedule: { kind: 'every', everyMs }, ...TEXT, ...more });
const at = (atMs: number, more: object = {}) => ({ schedule: { kind: 'at', atMs }, ...TEXT, ...more });
const sinceNoon = (slots: readonly number[], unit = MINUTE): number[] => slots.map((slot) => (slot - NOON) / unit);
const failing =
  (error = 'no network', more: Partial<CronOutcome> = {}) =>
  (): CronOutcome => ({ status: 'error', error, ...more });
const ok = (): CronOutcome => ({ status: 'ok' });

describe('a run that fails', () => {
  it('is tried again after 30 s, 1, 5, 15 and 60 minutes, then its owner hears that a job for once was given up', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: failing() });
    const { id } = await cron.add(at(NOON + MINUTE));
    await s.pass(DAY);
    const starts = s.runs.map(({ run }) => run.startedAtMs);
    assert.deepEqual(
      starts.slice(1).map((start, nth) => (start - starts[nth]!) / SECOND),
      [30, 60, 300, 900, 3600],
    );
    assert.deepEqual(
      s.runs.map(({ run }) => [run.attempt, run.trigger, run.slotMs]),
      [0, 1, 2, 3, 4, 5].map((attempt) => [attempt, attempt === 0 ? 'schedule' : 'retry', NOON + MINUTE]),
    );
    const { enabled, state } = cron.get(id)!;
    assert.deepEqual(
      [enabled, state.consecutiveErrors, state.disabledReason, state.nextRunAtMs],
      [false, 6, 'It failed 6 times: no network', undefined],
    );
    assert.deepEqual(
      s.notices.map(({ text }) => text),
      ['The job "look around" was disabled. It failed 6 times: no network. Set a new time, or run it manually.'],
    );
  });

  it('and then goes well is forgotten', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({
      outcome: (_job, { attempt }) => (attempt < 2 ? { status: 'error', error: 'no' } : { status: 'ok' }),
    });
    const { id } = await cron.add(every(DAY));
    await s.pass(DAY + HOUR);
    assert.deepEqual(
      (await s.rows(id)).map(({ attempt, state }) => [attempt, state]),
      [
        [0, 'error'],
        [1, 'error'],
        [2, 'ok'],
      ],
    );
    const { state } = cron.get(id)!;
    assert.deepEqual(
      [state.consecutiveErrors, state.lastError, state.lastStatus, state.nextRunAtMs],
      [undefined, undefined, 'ok', NOON + 2 * DAY],
    );
  });

  it('gives way to the next instant when that comes first', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: failing() });
    const { id } = await cron.add({ schedule: { kind: 'cron', expr: '0 * * * *' }, ...TEXT });
    await s.pass(3 * HOUR + MINUTE);
    // 30 s, 1 min, 5 min, 15 min after each other; the fifth wait would last beyond 14:00.
    assert.deepEqual(
      s.runs.slice(0, 6).map(({ run }) => [(run.slotMs - NOON) / HOUR, run.attempt]),
      [
        [1, 0],
        [1, 1],
        [1, 2],
        [1, 3],
        [1, 4],
        [2, 0],
      ],
    );
    assert.equal(s.runs[5]!.run.startedAtMs, NOON + 2 * HOUR, 'in time');
    assert.equal(cron.get(id)!.enabled, true);
  });

  it('every second slows down to the backoff: no hot loop', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: failing() });
    const { id } = await cron.add(every(SECOND));
    await s.pass(4 * HOUR);
    const starts = s.runs.map(({ run }) => run.startedAtMs);
    assert.deepEqual(
      starts.slice(1).map((start, nth) => Math.round((start - starts[nth]!) / SECOND)),
      [30, 60, 300, 900, 3600, 3600, 3600],
    );
    assert.equal(cron.get(id)!.state.consecutiveErrors, 8);
    assert.ok((await s.rows(id)).length < 20, 'a gap is one row');
  });

  it('for good switches the job off at once, and says so once over all runs', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: failing('no such model', { permanent: true }) });
    const { id } = await cron.add(every(HOUR));
    await s.pass(3 * HOUR);
    assert.equal(s.runs.length, 1);
    assert.match(cron.get(id)!.state.disabledReason!, /no such model/);
    await cron.close();
    await s.instance();
    await s.pass(HOUR);
    assert.deepEqual(
      s.notices.map(({ id: notice }) => notice),
      [`cron:${id}:${NOON + HOUR}:off`],
    );
    const next = await s.instance({ outcome: ok });
    const job = await next.update(id, { enabled: true });
    assert.deepEqual([job.state.disabledReason, job.state.nextRunAtMs], [undefined, NOON + 5 * HOUR]);
  });

  it('after its work was done is not done again', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: failing('not delivered', { final: true }) });
    const { id } = await cron.add(every(DAY));
    await s.pass(DAY + 3 * HOUR);
    assert.deepEqual([s.runs.length, cron.get(id)!.enabled], [1, true]);
  });

  it('by throwing is an error like any other', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({
      outcome: () => {
        throw new Error('bug');
      },
    });
    const { id } = await cron.add(every(DAY));
    await s.pass(DAY);
    assert.equal(cron.get(id)!.state.lastError, 'bug');
  });

  it('keeps its place in the retries over a restart', async () => {
    await using s = await cronInstances();
    const first = await s.instance({ outcome: failing() });
    const { id } = await first.add(at(NOON + MINUTE));
    await s.pass(MINUTE + 45 * SECOND); // attempts 0 and 1
    await first.close();
    const cron = await s.instance({ outcome: ok });
    await s.pass(20 * SECOND);
    assert.equal(cron.get(id)!.state.nextRunAtMs, NOON + 2 * MINUTE + 30 * SECOND);
    await s.pass(HOUR);
    assert.deepEqual(
      s.runs.map(({ run }) => run.attempt),
      [0, 1, 2],
    );
    assert.deepEqual([cron.get(id)!.enabled, cron.get(id)!.state.lastStatus], [false, 'ok']);
  });
});

describe('a run that was skipped', () => {
  it('is tried when it asks to be, and not before (T170)', async () => {
    await using s = await cronInstances();
    const opens = NOON + 8 * HOUR;
    const cron = await s.instance({
      outcome: (_job, { startedAtMs }) =>
        startedAtMs < opens ? { status: 'skipped', error: 'quiet-hours', retryAtMs: opens } : { status: 'ok' },
    });
    await cron.add(at(NOON + MINUTE));
    await s.pass(DAY);
    assert.deepEqual(
      s.runs.map(({ run }) => [run.attempt, (run.startedAtMs - NOON) / MINUTE]),
      [
        [0, 1],
        [1, 480],
      ],
    );
  });

  it('without a word when to try again is tried after the usual waits, and is no failure (T160, T170)', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({
      outcome: (_job, { attempt }) => (attempt < 3 ? { status: 'skipped', error: 'empty' } : { status: 'ok' }),
    });
    const { id } = await cron.add(at(NOON + MINUTE));
    await s.pass(30 * MINUTE);
    const starts = s.runs.map(({ run }) => run.startedAtMs);
    assert.deepEqual(
      starts.slice(1).map((start, nth) => (start - starts[nth]!) / SECOND),
      [30, 60, 300],
    );
    assert.deepEqual([cron.get(id)!.state.consecutiveErrors, s.notices], [undefined, []]);
  });

  it('until it is too late is given up, and its owner hears of it', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: () => ({ status: 'skipped', error: 'empty' }) });
    const { id } = await cron.add(at(NOON + MINUTE));
    await s.pass(3 * DAY);
    assert.ok(s.runs.length < 40, `${s.runs.length} attempts in a day`);
    assert.deepEqual([cron.get(id)!.enabled, s.notices.length], [false, 1]);
    assert.match(s.notices[0]!.text, /expired: empty/);
  });

  it('waits for the next instant when it repeats', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: () => ({ status: 'skipped', error: 'empty' }) });
    const { id } = await cron.add(every(HOUR));
    await s.pass(3 * HOUR);
    assert.deepEqual(sinceNoon(s.slots(id), HOUR), [1, 2, 3]);
    assert.deepEqual([cron.get(id)!.enabled, cron.get(id)!.state.lastStatus], [true, 'skipped']);
  });

  it('and asks to be tried at once does not spin', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: () => ({ status: 'skipped', error: 'busy', retryAtMs: 0 }) });
    await cron.add(at(NOON + MINUTE));
    await s.pass(11 * MINUTE);
    assert.ok(s.runs.length <= 22, `${s.runs.length} attempts in ten minutes`);
  });
});
