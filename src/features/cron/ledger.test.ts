/** The ledger of cron: an attempt is claimed once, ends once, and its history stays within bounds (P8, T165). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronRun } from './ledger-rows.ts';
import { fixturesWith, type JournalFixture } from '../../testing/journal-harness.ts';
import { memoryLedger } from './fake-ledger.ts';
import type { CronLedger } from './ledger.ts';
import { CRON_TABLES } from './ledger-tables.ts';

const DAY = 86_400_000;

const begun = (slotMs: number, over: Partial<CronRun> = {}): CronRun => ({
  jobId: 'a',
  slotMs,
  attempt: 0,
  trigger: 'schedule',
  state: 'running',
  startedAtMs: slotMs,
  ...over,
});
const ended = (slotMs: number, over: Partial<CronRun> = {}): CronRun =>
  begun(slotMs, { state: 'ok', endedAtMs: slotMs + 5, ...over });

const ledgerOf = ({ journal }: JournalFixture): CronLedger => journal.tables(CRON_TABLES);

for (const [where, open] of Object.entries(fixturesWith(CRON_TABLES, memoryLedger)))
  describe(`the ledger ${where}`, () => {
    it('lets an attempt be claimed once, in one commit with how far the job is', async () => {
      await using s = await open();
      const cursor = { jobId: 'a', slotMs: 10, plan: 'on', facts: '{}' };
      const [first, second] = await Promise.all([
        ledgerOf(s).commit({ claim: begun(10), cursors: [cursor] }),
        ledgerOf(s).commit({ claim: begun(10, { trigger: 'manual' }) }),
      ]);
      assert.deepEqual([first, second], [true, false]);
      assert.equal(
        await ledgerOf(s).commit({ claim: begun(10, { attempt: 1, trigger: 'retry' }) }),
        true,
        'another attempt',
      );
      assert.equal(await ledgerOf(s).commit({ claim: begun(10, { jobId: 'b' }) }), true, 'another job');
      assert.deepEqual(await ledgerOf(s).cursors('', 10), [cursor]);
      assert.deepEqual(
        (await ledgerOf(s).running()).map(({ jobId, attempt, trigger }) => [jobId, attempt, trigger]),
        [
          ['a', 0, 'schedule'],
          ['a', 1, 'retry'],
          ['b', 0, 'schedule'],
        ],
      );
    });

    it('keeps the first end of a run, and a skip never covers a run', async () => {
      await using s = await open();
      await ledgerOf(s).commit({ claim: begun(10) });
      const end = ended(10, {
        summary: 'done',
        delivery: { status: 'delivered', channel: 'web', to: 'me' },
        sessionKey: 'agent:main:cron:a',
        sessionId: 's1',
      });
      await ledgerOf(s).commit({ ended: end });
      await ledgerOf(s).commit({
        ended: ended(10, { state: 'error', error: 'late' }),
        skipped: [ended(10, { state: 'skipped' })],
      });
      assert.deepEqual(await ledgerOf(s).ended({ jobId: 'a', limit: 10 }), { runs: [end], total: 1 });
    });

    it('shows the newest, oldest first, of one job or all, by outcome, page by page (T165)', async () => {
      await using s = await open();
      await ledgerOf(s).commit({
        skipped: [
          ended(10),
          ended(20, { state: 'error' }),
          ended(30),
          ended(15, { jobId: 'b', state: 'skipped' }),
          ended(40, { jobId: 'b' }),
        ],
        claim: begun(50),
      });
      const slots = async (filter: object) =>
        (await ledgerOf(s).ended({ limit: 2, ...filter })).runs.map(({ slotMs }) => slotMs);
      assert.deepEqual(
        [
          await slots({ jobId: 'a' }),
          await slots({ jobId: 'a', offset: 2 }),
          await slots({ jobId: 'a', status: 'error' }),
          await slots({ jobId: 'c' }),
        ],
        [[20, 30], [10], [20], []],
      );
      assert.deepEqual(
        [await slots({}), await slots({ offset: 2 }), await slots({ offset: 4 }), await slots({ status: 'ok' })],
        [[30, 40], [15, 20], [10], [30, 40]],
      );
      assert.deepEqual(
        [(await ledgerOf(s).ended({ limit: 1 })).total, (await ledgerOf(s).ended({ jobId: 'a', limit: 1 })).total],
        [5, 3],
      );
    });

    it('keeps 2000 rows of a job, however many it runs (T165)', async () => {
      await using s = await open();
      for (let slot = 1; slot <= 2500; slot += 50) {
        const slots = Array.from({ length: 50 }, (_, nth) => slot + nth);
        await Promise.all(
          slots.flatMap((slotMs) => [
            ledgerOf(s).commit({ claim: begun(slotMs) }),
            ledgerOf(s).commit({ ended: ended(slotMs) }),
          ]),
        );
      }
      const { rows, oldestSlotMs } = await ledgerOf(s).kept('a');
      assert.deepEqual([rows, oldestSlotMs], [2000, 501]);
    });

    it('forgets what ended 90 days ago, but neither what runs nor how far a job is', async () => {
      await using s = await open();
      await ledgerOf(s).commit({
        claim: begun(10),
        skipped: [ended(20), ended(30, { state: 'error' }), ended(80 * DAY)],
        cursors: [{ jobId: 'a', slotMs: 30, plan: 'on', facts: '{}' }],
      });
      s.time.now = 95 * DAY;
      while ((await s.journal.prune(14 * DAY)) > 0) {
        /* bite by bite */
      }
      assert.deepEqual(
        (await ledgerOf(s).ended({ jobId: 'a', limit: 10 })).runs.map(({ slotMs }) => slotMs),
        [80 * DAY],
      );
      assert.deepEqual([(await ledgerOf(s).running()).length, (await ledgerOf(s).cursors('', 10)).length], [1, 1]);
    });

    it('holds changes of jobs until the file does', async () => {
      await using s = await open();
      await ledgerOf(s).commit({
        jobs: [
          { jobId: 'a', job: '{"v":1}', version: 1 },
          { jobId: 'b', job: null, version: 2 },
        ],
      });
      await ledgerOf(s).commit({ jobs: [{ jobId: 'a', job: '{"v":3}', version: 3 }] });
      await ledgerOf(s).clearRedo([
        { jobId: 'a', version: 1 },
        { jobId: 'b', version: 2 },
      ]);
      assert.deepEqual(await ledgerOf(s).redo(), [{ jobId: 'a', job: '{"v":3}', version: 3 }], 'changed again since');
      await ledgerOf(s).commit({ forget: ['a'] });
      assert.deepEqual(await ledgerOf(s).cursors('', 1), []);
    });
  });
