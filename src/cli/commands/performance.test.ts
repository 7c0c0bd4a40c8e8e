import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand as run } from '../harness.ts';
import { status } from './status.ts';

const durations = { count: 4, p50Ms: 0.4, p99Ms: 12, maxMs: 12_300 };
const report = {
  sinceMs: Date.now() - 3_600_000,
  messages: 2,
  answers: { count: 2, p50Ms: 900, p95Ms: 2000 },
  eventLoop: { p99Ms: 3, maxMs: 40, writtenBytes: 4096 },
  commits: durations,
  syncs: { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 },
  slowest: [
    {
      stage: 'model',
      detail: 'fake/\u001b[31mecho',
      ms: 1800,
      at: Date.now(),
      runId: 'r',
      sessionKey: 'agent:main:main',
    },
  ],
};

test('status --perf tells what the last hour was like, and what took longest', async () => {
  const { out } = await run(status, { performance: report }, { flags: { perf: true } });
  for (const line of [
    /answers +p50 900 ms, p95 2000 ms/,
    /commits +4, p50 0\.4 ms, p99 12 ms, slowest 12\.3 s/,
    /syncs +none/,
    /written +4 KiB to disks, 2 KiB per message/,
    /model fake\/.*echo +1800 ms +\d+ \w+ ago +agent:main:main/,
  ])
    assert.match(out, line);
  assert.ok(!out.includes('\u001b'));
});

test('status --perf of a gateway nobody wrote to says so', async () => {
  const { out } = await run(
    status,
    { performance: { ...report, messages: 0, slowest: [] } },
    { flags: { perf: true } },
  );
  assert.match(out, /No step of a message was recorded\./);
});
