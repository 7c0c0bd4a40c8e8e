/** Coming times in words, the month as a grid, how jobs and runs stand, and what the form sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobRun } from './wire.ts';
import {
  agentOf,
  deliveryMark,
  missedWords,
  outcomeOf,
  placeWords,
  schedulerMark,
  standing,
  targetWords,
  triggerWords,
} from './job-words.ts';
import { countWords, runBars } from './run-chart.ts';
import { NOON, HERE, job } from './fake-job.ts';

test('a job stands in one way at a time', () => {
  const words = (over: Partial<Job>): string[] => {
    const { tone, words: said } = standing({ ...job, ...over });
    return [tone, said];
  };
  assert.deepEqual(words({}), ['good', 'succeeded']);
  assert.deepEqual(words({ state: {} }), ['quiet', 'not run yet']);
  assert.deepEqual(words({ state: { lastStatus: 'error', consecutiveErrors: 3 } }), ['bad', 'failed 3 times']);
  assert.deepEqual(words({ state: { lastStatus: 'error', consecutiveErrors: 1 } }), ['bad', 'failed']);
  assert.deepEqual(words({ state: { lastStatus: 'skipped' } }), ['warn', 'skipped']);
  assert.deepEqual(words({ enabled: false }), ['quiet', 'off']);
  assert.deepEqual(
    words({ enabled: false, state: { disabledReason: 'no such model' } }),
    ['bad', 'disabled'],
    'nobody did so by hand',
  );
  assert.deepEqual(words({ enabled: false, schedule: { kind: 'at', atMs: 1 } }), ['quiet', 'done']);
  assert.deepEqual(words({ problem: 'the agent is gone' }), ['bad', 'cannot run']);
  assert.deepEqual(words({ problem: 'the agent is gone', state: { runningAtMs: 1 } }), ['running', 'running']);
});

test('where a job runs, where its answer goes, whose it is', () => {
  assert.equal(placeWords(job), 'in a new conversation');
  assert.equal(
    placeWords({ sessionTarget: 'main', wakeMode: 'next-heartbeat' }),
    'in the main conversation, with the next heartbeat',
  );
  const labels = { telegram: 'Telegram' };
  const target = (payload: object): string =>
    targetWords({ payload: { kind: 'agentTurn', message: '', ...payload } }, labels);
  assert.equal(targetWords(job, labels), 'Telegram · 42');
  assert.equal(target({ deliver: true }), 'the chat you last wrote in');
  assert.equal(target({ channel: 'matrix', to: '!r' }), 'matrix · !r', 'a recipient alone asks for delivery');
  assert.equal(target({ deliver: false, to: '42' }), '');
  assert.equal(target({}), '');
  assert.equal(targetWords({ payload: { kind: 'systemEvent', text: 'x' } }, labels), '');
  assert.equal(missedWords(job), 'of missed runs only the newest runs, up to 6 h old');
  assert.equal(missedWords({}), '');
  assert.deepEqual(
    [agentOf({}), agentOf({ agentId: 'garden' }), agentOf({ owner: { sessionKey: 'agent:work:main' } })],
    ['main', 'garden', 'work'],
  );
});

test('runs, deliveries, the scheduler and the last look, in words', () => {
  assert.deepEqual(outcomeOf({ status: 'error' }), { tone: 'bad', words: 'failed' });
  assert.equal(triggerWords({ trigger: 'retry', attempt: 2 }), 'attempt 3');
  assert.equal(triggerWords({ trigger: 'catch-up', attempt: 0 }), 'catch-up');
  assert.equal(deliveryMark({}).words, '');
  assert.deepEqual(deliveryMark({ deliveryStatus: 'not-delivered' }), { tone: 'bad', words: 'not delivered' });
  assert.deepEqual(schedulerMark({ enabled: false, running: 0 }), { tone: 'bad', words: 'off' });
  assert.deepEqual(schedulerMark({ enabled: true, running: 2 }), { tone: 'good', words: '2 running' });
  assert.equal(schedulerMark({ enabled: true, running: 0, problem: 'line 3' }).tone, 'bad');
});

const run = (status: JobRun['status'], durationMs: number): JobRun => ({
  ts: 1,
  jobId: 'a',
  action: 'finished',
  status,
  runAtMs: NOON,
  durationMs,
  runId: 'r',
  slotMs: 1,
  attempt: 0,
  trigger: 'schedule',
});

test('bars: the longest is full, the shortest is seen, the oldest left, no more than fit', () => {
  const bars = runBars([run('ok', 3_600_000), run('error', 0), run('ok', 60_000)], HERE);
  assert.deepEqual(
    bars.map(({ tone }) => tone),
    ['good', 'bad', 'good'],
  );
  assert.equal(bars[0]!.height, 44);
  assert.equal(bars[1]!.height, 4);
  assert.ok(bars[2]!.height > 4, 'a minute beside an hour is not flat');
  assert.ok(bars[0]!.x < bars[1]!.x);
  assert.equal(
    runBars(
      Array.from({ length: 100 }, () => run('ok', 0)),
      HERE,
    ).length,
    40,
  );
  assert.equal(countWords([run('ok', 1), run('error', 1), run('ok', 1)]), '2 succeeded, 1 failed');
});
