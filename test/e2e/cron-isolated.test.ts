/** Jobs with their own session: answers, delivery, failures. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/core/errors.ts';
import { until } from '../../src/testing/until.ts';
import { openTime, soon } from './time-harness.ts';

const say = (text: string) => ({ text: [text] });

describe('an isolated job', () => {
  it('(T158 T168) runs in a session of its own, delivers, and tells the main session', async () => {
    await using harness = await openTime('isolated');
    harness.model([[/\[cron:\S+ Report\] write it up\nCurrent time: /, say('all is well')]]);
    const job = await harness.job({
      name: 'Report',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'write it up', deliver: true, channel: 'desk', to: 'ann' },
    });
    assert.deepEqual(
      [job.sessionTarget, job.wakeMode, job.enabled, job.nextRunsAtMs.length],
      ['isolated', 'next-heartbeat', true, 1],
    );
    const run = await harness.finished(job.id);
    assert.deepEqual([run.status, run.summary, run.deliveryStatus], ['ok', 'all is well', 'delivered']);
    const reported = (): readonly unknown[] =>
      harness.chat.events
        .filter(({ event, payload }) => event === 'cron' && (payload as any).jobId === job.id)
        .map(({ payload }: any) => [payload.action, typeof (payload.runAtMs ?? payload.nextRunAtMs), payload.status]);
    await until(() => reported().length >= 3, 'three events');
    assert.deepEqual(reported().slice(0, 3), [
      ['added', 'number', undefined],
      ['started', 'number', undefined],
      ['finished', 'number', 'ok'],
    ]);
    assert.deepEqual(harness.said(), ['all is well']);
    assert.deepEqual(harness.desk.sent[0]!.to.chat, { kind: 'direct', id: 'ann' });
    await until(
      async () => (await harness.chat.history()).some(({ text }) => text === 'System event: Cron: all is well'),
      'the main session to hear of it',
    );
    assert.equal((await harness.chat.call('cron.get', { id: job.id })).enabled, false, 'a one-shot job is done');
    assert.equal((await harness.chat.history(`agent:main:cron:${job.id}`)).at(-1)!.text, 'all is well');
  });

  it('(T158) that fails tells the main session why', async () => {
    await using harness = await openTime('failing');
    harness.gateway.models.reply({ error: 'auth' });
    const job = await harness.job({
      name: 'Bad',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      payload: { kind: 'agentTurn', message: 'x' },
    });
    await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
    const { status, error } = await harness.finished(job.id);
    assert.equal(status, 'error');
    await until(
      async () => (await harness.chat.history()).some(({ text }) => text === `System event: Cron (error): ${error}`),
      'the main session to hear of it',
    );
  });

  it('tells the main session under another name, all of it up to a length, and has it look at once when it says so', async () => {
    await using harness = await openTime('isolation');
    harness.model([
      [/^System event/, say('HEARTBEAT_OK')],
      [/./, say(`HEARTBEAT_OK ${'x'.repeat(2500)}`)],
    ]);
    const run = async (more: object): Promise<any> => {
      const job = await harness.job({
        name: 'Long',
        schedule: { kind: 'every', everyMs: 3_600_000 },
        payload: { kind: 'agentTurn', message: 'go' },
        ...more,
      });
      await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
      return harness.finished(job.id);
    };
    await run({
      wakeMode: 'now',
      isolation: { postToMainPrefix: 'Report', postToMainMode: 'full', postToMainMaxChars: 5 },
    });
    await until(() => harness.asked(/^System event: Report: xxxxx…\n/).length === 1, 'the look');
    const { summary } = await run({});
    assert.equal(summary.length, 2000, '(T168)');
    await until(
      async () => (await harness.chat.history()).some(({ text }) => text === `System event: Cron: ${'x'.repeat(2000)}`),
      'the summary',
    );
    assert.equal(harness.asked(/^System event/).length, 1, 'the second one woke nobody');
  });

  it('(T168) has a fresh transcript each time', async () => {
    await using harness = await openTime('fresh');
    harness.model([[/./, say('done')]]);
    const job = await harness.job({
      name: 'Again',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      payload: { kind: 'agentTurn', message: 'look' },
    });
    for (const nth of [1, 2]) {
      assert.equal((await harness.chat.call('cron.run', { id: job.id, mode: 'force' })).ran, true);
      await harness.finished(job.id, nth);
    }
    const sessions = (await harness.runs(job.id)).map(({ sessionId }) => sessionId);
    assert.equal(new Set(sessions).size, 2);
    assert.equal(harness.gateway.models.requests.at(-1)!.texts.length, 1, 'nothing of the first run is told again');
  });

  it('(T167) says nothing when all is well, and nothing twice', async () => {
    await using harness = await openTime('quiet');
    harness.model([[/check/, say('HEARTBEAT_OK')]]);
    const quiet = await harness.job({
      name: 'Quiet',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'check', deliver: true, channel: 'desk', to: 'ann' },
    });
    assert.equal((await harness.finished(quiet.id)).status, 'ok');
    harness.model([[/check/, say('**HEARTBEAT_OK** All quiet.')]]);
    const padded = await harness.job({
      name: 'Padded',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'check', deliver: false },
    });
    assert.equal((await harness.finished(padded.id)).status, 'ok');
    assert.deepEqual(await harness.chat.history(), [], 'nor does the main session hear of nothing');
    harness.gateway.models.reply(
      {
        calls: [
          {
            id: 'c1',
            name: 'message',
            args: { action: 'send', channel: 'desk', target: 'ann', message: 'told by hand' },
          },
        ],
      },
      say('I told them.'),
    );
    const auto = await harness.job({
      name: 'Auto',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'tell', channel: 'desk', to: 'ann' },
    });
    assert.equal((await harness.finished(auto.id)).status, 'ok');
    assert.deepEqual(harness.said(), ['told by hand']);
  });

  it('(T167) tells what stands beside the token when that is long, and goes to `to` without being told to deliver', async () => {
    await using harness = await openTime('beside');
    harness.model([[/./, say(`HEARTBEAT_OK ${'The roof leaks. '.repeat(30)}`)]]);
    const job = await harness.job({
      name: 'Long',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'check', channel: 'desk', to: 'ann' },
    });
    assert.equal((await harness.finished(job.id)).deliveryStatus, 'delivered');
    assert.match(harness.said()[0]!, /^The roof leaks\. /);
  });

  it('(T167) without a recipient is an error, or with bestEffortDeliver skipped', async () => {
    await using harness = await openTime('nobody');
    const job = (name: string, more: object) =>
      harness.job({
        name,
        schedule: { kind: 'at', atMs: soon() },
        payload: { kind: 'agentTurn', message: 'x', deliver: true, ...more },
      });
    const [strict, loose] = [await job('Strict', {}), await job('Loose', { bestEffortDeliver: true })];
    assert.match((await harness.finished(strict.id)).error, /^Cron delivery requires a recipient/);
    assert.equal((await harness.finished(loose.id)).status, 'skipped');
    assert.equal(harness.gateway.models.requests.length, 0);
    const reported = await harness.chat.call('cron.get', { id: strict.id });
    assert.equal(reported.enabled, false);
    assert.match(reported.state.disabledReason, /recipient/);
  });

  it('whose answer the channel refuses has failed, and its work is not done again', async () => {
    await using harness = await openTime('refused');
    harness.desk.failures.push(new AppError('invalid', 'the chat was closed'));
    const job = await harness.job({
      name: 'Refused',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      payload: { kind: 'agentTurn', message: 'x', deliver: true, channel: 'desk', to: 'ann' },
    });
    await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
    const run = await harness.finished(job.id);
    assert.deepEqual([run.status, run.deliveryStatus], ['error', 'not-delivered']);
    assert.match(run.error, /Not delivered: .*chat was closed/);
    const { nextRunsAtMs } = await harness.chat.call('cron.get', { id: job.id });
    assert.ok(nextRunsAtMs[0] > Date.now() + 3_000_000, 'it goes on with its next slot');
    harness.desk.failures.push(new AppError('invalid', 'closed'));
    const lenient = await harness.job({
      name: 'Lenient',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'x', deliver: true, channel: 'desk', to: 'ann', bestEffortDeliver: true },
    });
    assert.equal((await harness.finished(lenient.id)).status, 'ok');
  });

  it('that is stopped by hand is no error and is not tried again', async () => {
    await using harness = await openTime('byhand');
    harness.gateway.models.reply({ hang: true, text: ['on it'] });
    const job = await harness.job({
      name: 'Endless',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      payload: { kind: 'agentTurn', message: 'x' },
    });
    const { runId } = await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
    await until(() => harness.gateway.models.requests.length === 1, 'the turn');
    await harness.chat.call('chat.abort', { sessionKey: `agent:main:cron:${job.id}`, runId });
    assert.deepEqual(
      [(await harness.finished(job.id)).status, (await harness.finished(job.id)).error],
      ['skipped', 'The run was stopped manually.'],
    );
    assert.equal((await harness.chat.call('cron.get', { id: job.id })).enabled, true);
  });

  it('(T168) with a model nobody knows fails for good, and its owner hears of it', async () => {
    await using harness = await openTime('badmodel');
    const job = await harness.job({
      name: 'Wrong',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'x', model: 'nobody/nothing' },
    });
    assert.equal((await harness.finished(job.id)).status, 'error');
    await until(
      async () => (await harness.chat.history()).some(({ text }) => /Wrong/.test(text) && /nobody/.test(text)),
      'the notice',
    );
  });

  it('made in a group keeps to the limits of that group', async () => {
    await using harness = await openTime('limits', {
      channel: { groups: { '*': { requireMention: false, tools: { allow: ['cron', 'read'] } } } },
    });
    harness.gateway.models.reply(
      {
        calls: [
          {
            id: 'c1',
            name: 'cron',
            args: {
              action: 'add',
              job: {
                name: 'Sly',
                schedule: { kind: 'at', atMs: soon(150) },
                sessionTarget: 'isolated',
                payload: { kind: 'agentTurn', message: 'run something' },
              },
            },
          },
        ],
      },
      say('made'),
    );
    await harness.desk.write({ text: 'make a job', group: 'room' });
    await until(() => harness.said().includes('made'), 'the answer');
    await until(async () => (await harness.runs()).length === 1, 'its run');
    const request = harness.gateway.models.requests.find(({ texts }) => /\[cron:/.test(texts.at(-1) ?? ''))!;
    assert.deepEqual(
      request.tools.map(({ name }) => name).filter((name) => name !== 'cron'),
      ['read'],
    );
  });
});
