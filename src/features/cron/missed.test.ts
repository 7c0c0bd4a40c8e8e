/** Runs missed while the gateway was not running, and clocks that jump (P8). */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import type { CronOutcome } from './cron-job.ts';
import { cronInstances, DAY, HOUR, MINUTE, NOON, SECOND, TEXT } from './harness.ts';

const every = (everyMs: number, more: object = {}) => ({ schedule: { kind: 'every', everyMs }, ...TEXT, ...more });
const at = (atMs: number, more: object = {}) => ({ schedule: { kind: 'at', atMs }, ...TEXT, ...more });
const sinceNoon = (slots: readonly number[], unit = MINUTE): number[] => slots.map((slot) => (slot - NOON) / unit);
const ok = (): CronOutcome => ({ status: 'ok' });

describe('what was missed', () => {
  /** One instance makes the job; the next one starts `gone` later. */
  async function missed(job: object, gone: number, config: object = {}) {
    const s = await cronInstances();
    const first = await s.instance({ config });
    const { id } = await first.add(job);
    await first.close();
    await s.pass(gone);
    const cron = await s.instance({ outcome: ok, config });
    await s.pass(5 * SECOND);
    return {
      s,
      id,
      cron,
      skips: async () => (await s.rows(id)).filter(({ state }) => state === 'skipped'),
      [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
    };
  }

  it('runs once: the newest instant, with a row for the others (T171)', async () => {
    await using m = await missed(every(HOUR), 5 * HOUR + MINUTE * 30);
    assert.deepEqual([sinceNoon(m.s.slots(), HOUR), m.s.runs[0]!.run.trigger], [[5], 'catch-up']);
    assert.deepEqual(
      (await m.skips()).map(({ slotMs, error }) => [(slotMs - NOON) / HOUR, /4 instants/.test(error!)]),
      [[4, true]],
    );
    await m.s.pass(HOUR);
    assert.deepEqual(sinceNoon(m.s.slots(), HOUR), [5, 6]);
  });

  it('counts from when a job written by hand was first seen, also when nothing else happened to it', async () => {
    await using s = await cronInstances();
    await mkdir(dirname(s.path), { recursive: true });
    const job = (hour: number) => ({
      id: 'hand',
      name: 'By hand',
      enabled: true,
      createdAtMs: NOON - DAY,
      updatedAtMs: NOON - DAY,
      schedule: { kind: 'cron', expr: `0 ${hour} * * *`, tz: 'UTC' },
      sessionTarget: 'isolated',
      wakeMode: 'now',
      ...TEXT,
      state: {},
    });
    const instance = async (hour: number): Promise<void> => {
      await writeFile(s.path, JSON.stringify({ version: 1, jobs: [job(hour)] }));
      await (await s.instance()).close();
    };
    await instance(9);
    await instance(15); // changed while the gateway was not running
    await s.pass(5 * HOUR);
    await s.instance({ outcome: ok });
    await s.pass(5 * SECOND);
    assert.deepEqual(sinceNoon(s.slots(), HOUR), [3]);
  });

  it('is skipped where the job says so, visibly', async () => {
    await using m = await missed(every(HOUR, { missed: { policy: 'skip' } }), 3 * HOUR + MINUTE * 30);
    assert.deepEqual([m.s.runs.length, (await m.skips()).length], [0, 1]);
    assert.match((await m.skips())[0]!.error!, /3 instants .*gateway was not running/);
    assert.equal(m.cron.get(m.id)!.state.lastStatus, 'skipped');
    assert.equal(m.cron.get(m.id)!.state.nextRunAtMs, NOON + 4 * HOUR);
  });

  it('is skipped where the configuration says so, in either spelling', async () => {
    for (const config of [{ missed: { policy: 'skip' } }, { skipMissedJobs: true }]) {
      await using m = await missed(every(HOUR), 3 * HOUR + MINUTE * 30, config);
      assert.equal(m.s.runs.length, 0);
    }
  });

  it('runs each, the oldest first, where the job says all', async () => {
    await using m = await missed(every(HOUR, { missed: { policy: 'all' } }), 4 * HOUR + MINUTE * 30);
    await m.s.pass(10 * SECOND);
    assert.deepEqual([sinceNoon(m.s.slots(), HOUR), await m.skips()], [[1, 2, 3, 4], []]);
  });

  it('runs a hundred at most; the rest is one row', async () => {
    await using m = await missed(every(MINUTE, { missed: { policy: 'all' } }), 5 * HOUR);
    for (let step = 0; step < 400 && m.s.runs.length < 100; step++) await m.s.pass(SECOND / 10);
    await m.s.pass(SECOND);
    const slots = sinceNoon(m.s.slots());
    assert.deepEqual([slots.length, slots[0], slots.at(-1)], [100, 201, 300]);
    assert.match((await m.skips())[0]!.error!, /100 or more instants/);
  });

  it('is not caught up when it is too old', async () => {
    for (const more of [
      { missed: { policy: 'once', maxAge: '30m' } },
      { missed: { policy: 'all', maxAgeMs: 30 * MINUTE } },
    ]) {
      await using m = await missed(every(2 * HOUR, more), 3 * HOUR);
      assert.deepEqual([m.s.runs.length, (await m.skips()).length], [0, 1]);
      assert.match((await m.skips())[0]!.error!, /more than 30 min ago/);
    }
  });

  it('ends a job that was to run once, and its owner hears of it', async () => {
    await using m = await missed(at(NOON + HOUR), 2 * DAY);
    assert.equal(m.s.runs.length, 0);
    const job = m.cron.get(m.id)!;
    assert.deepEqual([job.enabled, m.s.notices.length], [false, 1]);
    assert.match(m.s.notices[0]!.text, /disabled.*gateway was not running.*new time/);
    await assert.rejects(m.cron.update(m.id, { enabled: true }), /in the past/);
    assert.equal((await m.cron.update(m.id, { enabled: true, schedule: 'in 20 minutes' })).enabled, true);
  });

  it('is a short absence: less than a minute late is in time', async () => {
    await using m = await missed(at(NOON + 10 * SECOND, { missed: { policy: 'skip' } }), 40 * SECOND);
    assert.deepEqual([m.s.runs.length, m.s.runs[0]?.run.trigger], [1, 'schedule']);
  });

  it('by many jobs at once is caught up one by one', async () => {
    await using s = await cronInstances();
    const first = await s.instance();
    for (let nth = 0; nth < 8; nth++) await first.add(at(NOON + HOUR, { name: `job ${nth}` }));
    await first.close();
    await s.pass(2 * HOUR);
    await s.instance({ outcome: ok, config: { maxConcurrentRuns: 64 } });
    await s.pass(10 * SECOND);
    const starts = s.runs.map(({ run }) => run.startedAtMs);
    assert.deepEqual(
      starts.map((start) => start - starts[0]!),
      [0, 250, 500, 750, 1000, 1250, 1500, 1750],
    );
  });
});

describe('the clock on the wall', () => {
  it('that jumps ahead, or a machine that slept: noticed within a minute, the newest instant runs', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add(every(HOUR));
    s.setClock(10 * HOUR + 5 * MINUTE);
    await s.pass(MINUTE);
    assert.deepEqual(sinceNoon(s.slots(id), HOUR), [10]);
    await s.pass(2 * HOUR);
    assert.deepEqual(sinceNoon(s.slots(id), HOUR), [10, 11, 12]);
  });

  it('that is set back runs nothing twice, and nothing is left out', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add({ schedule: { kind: 'cron', expr: '*/15 * * * *' }, ...TEXT });
    await s.pass(HOUR);
    s.setClock(-50 * MINUTE);
    await s.pass(2 * HOUR);
    assert.deepEqual(sinceNoon(s.slots(id)), [15, 30, 45, 60, 75, 90, 105, 120]);
  });

  it('that was a year ahead by mistake does not leave a job silent for a year', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add({ schedule: { kind: 'cron', expr: '0 * * * *' }, ...TEXT });
    await s.pass(HOUR);
    s.setClock(365 * DAY);
    await s.pass(HOUR);
    s.setClock(-365 * DAY);
    await s.pass(2 * HOUR);
    assert.deepEqual(
      sinceNoon(s.slots(id), HOUR).filter((hour) => hour < 1000),
      [1, 3, 4],
    );
    assert.ok(
      sinceNoon(s.slots(id), HOUR).some((hour) => hour > 8000),
      'it ran under the wrong clock, once an hour',
    );
    assert.equal(new Set(s.slots(id)).size, s.slots(id).length);
  });

  it('that was wrong while the gateway was down is noticed at the start', async () => {
    await using s = await cronInstances({ startMs: NOON + 365 * DAY });
    const wrong = await s.instance({ outcome: ok });
    const { id } = await wrong.add({ schedule: { kind: 'cron', expr: '0 * * * *' }, ...TEXT });
    await s.pass(HOUR);
    await wrong.close();
    s.setClock(-365 * DAY);
    await s.instance({ outcome: ok });
    await s.pass(2 * HOUR);
    assert.deepEqual(sinceNoon(s.slots(id), HOUR), [365 * 24 + 1, 2, 3]);
  });
});
