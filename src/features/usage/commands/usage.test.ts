/** What the terminal says of usage, asked of a gateway that is played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../../cli/harness.ts';
import type { UsageReport, UsageRow } from '../answers.ts';
import { LATENCY_BOUNDS, noLatency } from '../latency.ts';
import { usageShow } from './usage.ts';

const row: UsageRow = {
  day: '2026-11-27',
  agent: 'main',
  channel: 'webchat',
  model: 'mock/large',
  turns: 2,
  failed: 1,
  calls: 3,
  input: 12_000,
  output: 400,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 1.25,
  priced: 3,
  latency: noLatency().with(1, 2),
};
const report: UsageReport = {
  zone: 'UTC',
  today: '2026-11-28',
  from: '2026-10-30',
  rows: [row, { ...row, day: '2026-11-28', model: 'mock/small\u001b[2J', cost: 0, priced: 0, input: 10 }],
  bounds: [...LATENCY_BOUNDS],
  budget: { dailyUsd: 5, monthlyUsd: 1 },
};

test('usage shows days with their sum, and the budgets', async () => {
  const { out, io } = await runCommand(usageShow, { 'usage.report': report }, { flags: { days: 7 } });
  const lines = out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
  assert.deepEqual(lines, [
    'DAY | TURNS | FAILED | TOKENS | COST | HALF WITHIN',
    '2026-11-27 | 2 | 1 | 12k | $1.25 | 0.8 s',
    '2026-11-28 | 2 | 1 | 410 | – | 0.8 s',
    'All | 4 | 2 | 13k | $1.25 + | 0.8 s',
    'Today: $0.00 of $5.00.',
    'This month: $1.25 of $1.00, over the budget.',
  ]);
  assert.deepEqual(io.requests[0], { method: 'usage.report', params: { days: 7 } });
});

test('usage by model: the largest first, no name controls the terminal', async () => {
  const { out } = await runCommand(usageShow, { 'usage.report': report }, { flags: { by: 'model' } });
  assert.match(out.split('\n')[1]!, /^mock\/large /);
  assert.ok(out.includes('mock/small⟨U+001B⟩[2J') && !out.includes('\u001b'));
});

test('usage says that nothing was used, and what --by takes', async () => {
  const empty = { ...report, rows: [], budget: {}, reading: { done: 1, total: 9 } };
  const { out } = await runCommand(usageShow, { 'usage.report': empty });
  assert.equal(out, 'No usage since 2026-10-30.\nTranscripts are still being read: 1 of 9.');
  await assert.rejects(runCommand(usageShow, { 'usage.report': empty }, { flags: { by: 'moon' } }), {
    message: '--by must be day, model, agent, channel, not "moon".',
  });
  const { out: data } = await runCommand(usageShow, { 'usage.report': empty }, { flags: { json: true } });
  assert.deepEqual(JSON.parse(data), empty);
});
