/** Every instant runs once: in time, beside others, by hand, while jobs change, and whoever else looks on (P8). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronOutcome } from './cron-job.ts';
import { cronInstances, DAY, HOUR, MINUTE, NOON, SECOND, TEXT } from './harness.ts';

const every = (everyMs: number, more: object = {}) => ({ schedule: { kind: 'every', everyMs }, ...TEXT, ...more });
const at = (atMs: number, more: object = {}) => ({ schedule: { kind: 'at', atMs }, ...TEXT, ...more });
const sinceNoon = (slots: readonly number[], unit = MINUTE): number[] => slots.map((slot) => (slot - NOON) / unit);
const ok = (): CronOutcome => ({ status: 'ok' });

describe('a job', () => {
  it('runs at its instants, and each of them has its row', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add(every(20 * MINUTE));
    await s.pass(HOUR);
    assert.deepEqual(sinceNoon(s.slots(id)), [20, 40, 60]);
    assert.deepEqual(
      (await s.rows(id)).map(({ slotMs, attempt, trigger, state }) => [
        (slotMs - NOON) / MINUTE,
        attempt,
        trigger,
        state,
      ]),
      [20, 40, 60].map((minute) => [minute, 0, 'schedule', 'ok']),
    );
    assert.equal(cron.get(id)!.state.nextRunAtMs, NOON + 80 * MINUTE);
  });

  it('that runs once is switched off when it went well, or removed when it says so (T156)', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const stays = await cron.add(
      at(NOON + MINUTE, { sessionTarget: 'main', payload: { kind: 'systemEvent', text: 'tea' } }),
    );
    const goes = await cron.add(at(NOON + MINUTE, { deleteAfterRun: true }));
    await s.pass(DAY);
    assert.equal(s.runs.length, 2);
    const [left, ...none] = (await cron.list({ includeDisabled: true })).jobs;
    assert.deepEqual(
      [left!.id, left!.enabled, left!.state.lastStatus, left!.state.disabledReason, left!.nextRunsAtMs, none],
      [stays.id, false, 'ok', undefined, [], []],
    );
    assert.equal((await s.rows(goes.id)).length, 1, 'what it did stays known');
    assert.deepEqual(s.notices, []);
  });

  it('with a stagger runs later by the same time every time, and its instants stay what they are', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id, nextRunsAtMs } = await cron.add({
      schedule: { kind: 'cron', expr: '0 * * * *', staggerMs: 10 * MINUTE },
      ...TEXT,
    });
    await s.pass(3 * HOUR + 15 * MINUTE);
    assert.deepEqual(sinceNoon(s.slots(id), HOUR), [1, 2, 3].slice(0, s.runs.length));
    const late = s.runs.map(({ run }) => run.startedAtMs - run.slotMs);
    assert.equal(new Set(late).size, 1);
    assert.equal(nextRunsAtMs[0], NOON + HOUR + late[0]!);
    assert.ok(late[0]! >= 0 && late[0]! < 10 * MINUTE);
  });

  it('is not begun twice at once: what comes due meanwhile runs once afterwards, and what gave way has a row', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add(every(MINUTE));
    await s.pass(4 * MINUTE + 30 * SECOND);
    assert.equal(s.runs.length, 1);
    await s.runs[0]!.end();
    await s.pass(0);
    assert.deepEqual(sinceNoon(s.slots()), [1, 4]);
    const skipped = (await s.rows(id)).find(({ state }) => state === 'skipped')!;
    assert.deepEqual([sinceNoon([skipped.slotMs]), /2 instants .* newer instant/.test(skipped.error!)], [[3], true]);
  });

  it('runs beside others up to the limit; who waits for a place was not missed', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ config: { maxConcurrentRuns: 2 } });
    for (let nth = 0; nth < 3; nth++)
      await cron.add(at(NOON + MINUTE, { name: `job ${nth}`, missed: { policy: 'skip' } }));
    await s.pass(2 * HOUR);
    assert.deepEqual([s.runs.length, (await cron.status()).running], [2, 2]);
    await s.runs[0]!.end();
    await s.pass(0);
    assert.deepEqual([s.runs.length, s.runs[2]!.run.trigger], [3, 'schedule']);
  });

  it('that takes an hour keeps nobody from reading or changing jobs (T174)', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ config: { maxConcurrentRuns: 1 } });
    const { id } = await cron.add(every(MINUTE));
    await s.pass(MINUTE);
    assert.equal((await cron.list()).jobs[0]!.state.runningAtMs, NOON + MINUTE);
    await cron.update(id, { name: 'another' });
    assert.equal(cron.get(id)!.state.runningAtMs, NOON + MINUTE, 'it still runs');
    await cron.remove(id);
    await s.runs[0]!.end({ summary: 'done all the same' });
    await s.pass(HOUR);
    assert.deepEqual(
      [
        s.runs.length,
        (await s.rows(id)).map(({ summary }) => summary),
        (await cron.list({ includeDisabled: true })).total,
      ],
      [1, ['done all the same'], 0],
      'its result is kept, the job does not come back',
    );
  });

  it('is not moved by looking at it (T172)', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ config: { maxConcurrentRuns: 1 } });
    await cron.add(at(NOON + MINUTE));
    const second = await cron.add(every(2 * MINUTE));
    await s.pass(10 * MINUTE); // the first one holds the only place
    for (let round = 0; round < 3; round++) {
      await cron.list({ includeDisabled: true });
      await cron.calendar({ fromMs: 0, toMs: NOON + DAY, limit: 10 });
      assert.equal(cron.get(second.id)!.state.nextRunAtMs, NOON + 2 * MINUTE);
    }
    await s.runs[0]!.end();
    await s.pass(0);
    assert.deepEqual(sinceNoon(s.slots(second.id)), [10]);
  });

  it('runs once when two services share its file and ledger (T162)', async () => {
    await using s = await cronInstances();
    const one = await s.instance({ outcome: ok });
    const { id } = await one.add(every(10 * MINUTE));
    await one.flush();
    const other = await s.instance({ outcome: ok });
    assert.equal(other.get(id)?.id, id);
    await s.pass(HOUR);
    assert.deepEqual(sinceNoon(s.slots(id)), [10, 20, 30, 40, 50, 60]);
  });
});

describe('a run by hand', () => {
  it('runs a job that is not due (T173), is answered as soon as it is begun (T175b), and moves nothing', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add(every(HOUR));
    assert.deepEqual(await cron.run(id, 'due'), { ran: false, reason: 'not-due' });
    const begun = await cron.run(id, 'force');
    assert.deepEqual(begun, { ran: true, runId: `cron:${id}:${s.runs[0]!.run.slotMs}` });
    assert.equal(s.runs[0]!.run.trigger, 'manual');
    assert.deepEqual(await cron.run(id, 'force'), { ran: false, reason: 'already-running' });
    assert.equal(cron.get(id)!.state.nextRunAtMs, NOON + HOUR);
    await s.runs[0]!.end();
    await s.pass(HOUR);
    assert.deepEqual(sinceNoon(s.slots(id)), [0, 60]);
  });

  it('at the very instant of the schedule is one run more, not that instant', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add({ schedule: { kind: 'every', everyMs: HOUR, anchorMs: NOON + HOUR }, ...TEXT });
    await s.pass(HOUR - 1);
    s.setClock(1); // the timer has not fired yet
    await cron.run(id, 'force');
    await s.pass(MINUTE);
    assert.deepEqual(
      s.slots(id).map((slot) => slot - NOON - HOUR),
      [1, 0],
    );
  });

  it('is possible for a job that is switched off, with force, and for a whole scheduler that is (T161)', async () => {
    await using s = await cronInstances();
    const warned: string[] = [];
    const log = {
      debug() {},
      info() {},
      warn: (event: string) => void warned.push(event),
      error() {},
      child: () => log,
    };
    const cron = await s.instance({ outcome: ok, config: { enabled: false }, log });
    const { id } = await cron.add(every(MINUTE));
    await cron.update(id, { description: 'twice' });
    await s.pass(DAY);
    const { enabled, nextWakeAtMs, jobs, enabledJobs } = await cron.status();
    assert.deepEqual([s.runs.length, enabled, nextWakeAtMs, jobs, enabledJobs], [0, false, null, 1, 1]);
    assert.deepEqual(warned.filter((event) => event === 'cron.disabled').length, 1);
    await cron.update(id, { enabled: false });
    assert.deepEqual(await cron.run(id, 'due'), { ran: false, reason: 'disabled' });
    assert.equal((await cron.run(id, 'force')).ran, true);
    await assert.rejects(cron.run('nobody', 'force'), { code: 'not_found' });
  });

  it('of a job that failed changes nothing about its retries', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add(every(DAY));
    await cron.run(id, 'force');
    await s.runs[0]!.end({ status: 'error', error: 'no' });
    await s.pass(HOUR);
    assert.deepEqual(
      [s.runs.length, cron.get(id)!.state.consecutiveErrors, cron.get(id)!.state.lastError],
      [1, undefined, 'no'],
    );
  });
});

describe('a job that is changed', () => {
  it('owes nothing under its old schedule', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add(every(DAY));
    await s.pass(10 * MINUTE);
    await cron.update(id, { schedule: { kind: 'every', everyMs: MINUTE } });
    assert.equal(s.runs.length, 0);
    await s.pass(2 * MINUTE);
    assert.deepEqual(sinceNoon(s.slots(id)), [11, 12]);
  });

  it('by its own run keeps the change: a reminder may put itself off', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add(at(NOON + MINUTE));
    await s.pass(MINUTE);
    await cron.update(id, { schedule: 'in 10 minutes' });
    await s.runs[0]!.end();
    await s.pass(0);
    assert.deepEqual([cron.get(id)!.enabled, cron.get(id)!.state.nextRunAtMs], [true, NOON + 11 * MINUTE]);
    await s.pass(10 * MINUTE);
    await s.runs[1]!.end();
    await s.pass(0);
    assert.deepEqual([s.runs.length, cron.get(id)!.enabled], [2, false]);
  });

  it('is off for as long as it is off: what came due meanwhile is not owed', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add(every(HOUR));
    await cron.update(id, { enabled: false });
    assert.deepEqual([cron.get(id)!.state.nextRunAtMs, cron.get(id)!.nextRunsAtMs], [undefined, []]);
    await s.pass(3 * HOUR + 10 * MINUTE);
    await cron.update(id, { enabled: true });
    await s.pass(HOUR);
    assert.deepEqual(sinceNoon(s.slots(id), HOUR), [4]);
  });
});

describe('news', () => {
  it('tells what becomes of jobs and runs', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: ok });
    const { id } = await cron.add(every(HOUR));
    await s.pass(HOUR);
    await cron.update(id, { name: 'x' });
    await cron.remove(id);
    assert.deepEqual(
      s.news.map(({ action, jobId }) => [action, jobId === id]),
      ['added', 'started', 'finished', 'updated', 'removed'].map((action) => [action, true]),
    );
    assert.equal(s.news.find((reported) => reported.action === 'finished')?.nextRunAtMs, NOON + 2 * HOUR);
  });
});
