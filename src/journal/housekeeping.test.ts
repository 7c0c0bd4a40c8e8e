/**
 * Background work: old rows are deleted in batches, open messages are resumed, an error does not stop the next round.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silentLog } from '../core/log.ts';
import type { Journal } from './journal.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createHousekeeping, KEEP_MS, OVERDUE_MS } from './housekeeping.ts';

function harness({ bites = [] as number[], overdue = 0, swept = 0, expired = 0, fails = false } = {}) {
  const clock = createFakeClock();
  const pruned: number[] = [];
  const asked: number[] = [];
  const logged: string[] = [];
  const note = (event: string): void => void logged.push(event);
  const journal = {
    prune: async (keepMs: number) => {
      pruned.push(keepMs);
      if (fails) throw new Error('disk full');
      return bites.shift() ?? 0;
    },
    outbox: { expire: async (before: number) => (before === clock.now() - KEEP_MS ? expired : 0) },
    inbound: {
      overdue: (before: number) => {
        asked.push(before);
        return overdue;
      },
    },
  } as unknown as Journal;
  const housekeeping = createHousekeeping({
    journal,
    clock,
    log: { ...silentLog, warn: note, error: note },
    sweep: async () => swept,
    pruneMedia: async () => 0,
    restTranscripts: () => 0,
  });
  housekeeping.start();
  return { clock, pruned, asked, logged, housekeeping };
}

it('forgets in bites, with pauses, until nothing is left', async () => {
  const { clock, pruned } = harness({ bites: [500, 500, 3] });
  await clock.advance(60_000);
  assert.deepEqual(pruned, [KEEP_MS]);
  await clock.advance(50);
  await clock.advance(100);
  assert.equal(pruned.length, 4);
});

it('takes up what has no end, and reports what has had none for long', async () => {
  const { clock, asked, logged } = harness({ swept: 2, overdue: 1 });
  await clock.advance(60_000);
  assert.deepEqual([asked, logged], [[clock.now() - OVERDUE_MS], ['messages.taken-up', 'messages.overdue']]);
});

it('says how many messages were given up because their channel never came back', async () => {
  const { clock, logged } = harness({ expired: 3 });
  await clock.advance(60_000);
  assert.deepEqual(logged, ['outbox.expired']);
});

it('says nothing when all is well', async () => {
  const { clock, logged } = harness();
  await clock.advance(180_000);
  assert.deepEqual(logged, []);
});

it('tries again after trouble, until it is stopped', async () => {
  const { clock, pruned, logged, housekeeping } = harness({ fails: true });
  await clock.advance(120_000);
  assert.deepEqual([pruned.length, logged], [2, ['housekeeping', 'housekeeping']]);
  housekeeping.stop();
  await clock.advance(120_000);
  assert.deepEqual([pruned.length, clock.pending()], [2, 0]);
});
