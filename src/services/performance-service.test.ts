// Performance of the last hour, from a journal with messages.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqliteFixture } from '../testing/journal-harness.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { createPerformanceReport } from './performance-service.ts';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;
const eventLoop = {
  read: () => ({ p99Ms: 1, maxMs: 2, utilization: 0 }),
  lastHour: () => ({ p99Ms: 3, maxMs: 40, writtenBytes: 4096 }),
  [Symbol.dispose]: () => {},
};

it('tells answers, slowest steps, commits and syncs of the last hour, and nothing older', async () => {
  await using fixture = await sqliteFixture()();
  const { journal, time } = fixture;
  const take = async (id: string, at: number, tookMs: number): Promise<void> => {
    time.now = at;
    const sample = accepted({ id });
    await journal.inbound.accept({ ...sample, message: { ...sample.message, receivedAt: at - 7 } }, id);
    time.now = at + tookMs;
    const row = await journal.inbound.find(id);
    await journal.inbound.end([row!.seq], { state: 'declined', reason: 'for the test' });
  };
  await take('old', START, 90_000);
  await take('quick', START + HOUR_MS, 100);
  await take('slow', START + HOUR_MS + 1000, 5000);
  time.now = START + HOUR_MS + 10_000;

  const report = await createPerformanceReport({ journal, eventLoop, clock: { now: () => time.now } })();
  assert.deepEqual([report.messages, report.answers], [2, { count: 2, p50Ms: 5000, p95Ms: 5000 }]);
  assert.deepEqual(report.eventLoop, eventLoop.lastHour());
  assert.ok(report.commits.count >= 6 && report.syncs.count >= 6);
  assert.ok(report.commits.p50Ms <= report.commits.maxMs);
  assert.deepEqual(
    report.slowest.map(({ stage, ms, runId }) => [stage, ms, runId]),
    [
      ['accepted', 7, 'slow'],
      ['accepted', 7, 'quick'],
    ],
  );
});
