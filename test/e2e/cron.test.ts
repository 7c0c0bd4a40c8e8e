/** Jobs as people have them: made by hand or by the agent, run when due, once, and answered where it was asked. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../../src/cli/cli.ts';
import { connect } from '../../src/cli/connect.ts';
import { fakeTerminal } from '../../src/cli/fake.ts';
import { AppError } from '../../src/core/errors.ts';
import { until } from '../../src/testing/until.ts';
import { openTime, soon } from './time-stage.ts';

const say = (text: string) => ({ text: [text] });

describe('an isolated job', () => {
  it('(T158 T168) runs in a session of its own, delivers, and tells the main session', async () => {
    await using stage = await openTime('isolated');
    stage.model([[/\[cron:\S+ Report\] write it up\nCurrent time: /, say('all is well')]]);
    const job = await stage.job({ name: 'Report', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'write it up', deliver: true, channel: 'desk', to: 'ann' } });
    assert.deepEqual([job.sessionTarget, job.wakeMode, job.enabled, job.nextRunsAtMs.length], ['isolated', 'next-heartbeat', true, 1]);
    const run = await stage.finished(job.id);
    assert.deepEqual([run.status, run.summary, run.deliveryStatus], ['ok', 'all is well', 'delivered']);
    const told = (): readonly unknown[] => stage.chat.events.filter(({ event, payload }) => event === 'cron' && (payload as any).jobId === job.id).map(({ payload }: any) => [payload.action, typeof (payload.runAtMs ?? payload.nextRunAtMs), payload.status]);
    await until(() => told().length >= 3, 'three events');
    assert.deepEqual(told().slice(0, 3), [['added', 'number', undefined], ['started', 'number', undefined], ['finished', 'number', 'ok']]);
    assert.deepEqual(stage.said(), ['all is well']);
    assert.deepEqual(stage.desk.sent[0]!.to.chat, { kind: 'direct', id: 'ann' });
    await until(async () => (await stage.chat.history()).some(({ text }) => text === 'System event: Cron: all is well'), 'the main session to hear of it');
    assert.equal((await stage.chat.call('cron.get', { id: job.id })).enabled, false, 'a one-shot job is done');
    assert.equal((await stage.chat.history(`agent:main:cron:${job.id}`)).at(-1)!.text, 'all is well');
  });

  it('(T158) that fails tells the main session why', async () => {
    await using stage = await openTime('failing');
    stage.gateway.models.reply({ error: 'auth' });
    const job = await stage.job({ name: 'Bad', schedule: { kind: 'every', everyMs: 3_600_000 }, payload: { kind: 'agentTurn', message: 'x' } });
    await stage.chat.call('cron.run', { id: job.id, mode: 'force' });
    const { status, error } = await stage.finished(job.id);
    assert.equal(status, 'error');
    await until(async () => (await stage.chat.history()).some(({ text }) => text === `System event: Cron (error): ${error}`), 'the main session to hear of it');
  });

  it('tells the main session under another name, all of it up to a length, and has it look at once when it says so', async () => {
    await using stage = await openTime('isolation');
    stage.model([[/^System event/, say('HEARTBEAT_OK')], [/./, say(`HEARTBEAT_OK ${'x'.repeat(2500)}`)]]);
    const run = async (more: object): Promise<any> => {
      const job = await stage.job({ name: 'Long', schedule: { kind: 'every', everyMs: 3_600_000 }, payload: { kind: 'agentTurn', message: 'go' }, ...more });
      await stage.chat.call('cron.run', { id: job.id, mode: 'force' });
      return stage.finished(job.id);
    };
    await run({ wakeMode: 'now', isolation: { postToMainPrefix: 'Report', postToMainMode: 'full', postToMainMaxChars: 5 } });
    await until(() => stage.asked(/^System event: Report: xxxxx…\n/).length === 1, 'the look');
    const { summary } = await run({});
    assert.equal(summary.length, 2000, '(T168)');
    await until(async () => (await stage.chat.history()).some(({ text }) => text === `System event: Cron: ${'x'.repeat(2000)}`), 'the summary');
    assert.equal(stage.asked(/^System event/).length, 1, 'the second one woke nobody');
  });

  it('(T168) has a fresh transcript each time', async () => {
    await using stage = await openTime('fresh');
    stage.model([[/./, say('done')]]);
    const job = await stage.job({ name: 'Again', schedule: { kind: 'every', everyMs: 3_600_000 }, payload: { kind: 'agentTurn', message: 'look' } });
    for (const nth of [1, 2]) {
      assert.equal((await stage.chat.call('cron.run', { id: job.id, mode: 'force' })).ran, true);
      await stage.finished(job.id, nth);
    }
    const sessions = (await stage.runs(job.id)).map(({ sessionId }) => sessionId);
    assert.equal(new Set(sessions).size, 2);
    assert.equal(stage.gateway.models.requests.at(-1)!.texts.length, 1, 'nothing of the first run is told again');
  });

  it('(T167) says nothing when all is well, and nothing twice', async () => {
    await using stage = await openTime('quiet');
    stage.model([[/check/, say('HEARTBEAT_OK')]]);
    const quiet = await stage.job({ name: 'Quiet', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'check', deliver: true, channel: 'desk', to: 'ann' } });
    assert.equal((await stage.finished(quiet.id)).status, 'ok');
    stage.model([[/check/, say('**HEARTBEAT_OK** All quiet.')]]);
    const padded = await stage.job({ name: 'Padded', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'check', deliver: false } });
    assert.equal((await stage.finished(padded.id)).status, 'ok');
    assert.deepEqual(await stage.chat.history(), [], 'nor does the main session hear of nothing');
    stage.gateway.models.reply({ calls: [{ id: 'c1', name: 'message', args: { action: 'send', channel: 'desk', target: 'ann', message: 'told by hand' } }] }, say('I told them.'));
    const auto = await stage.job({ name: 'Auto', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'tell', channel: 'desk', to: 'ann' } });
    assert.equal((await stage.finished(auto.id)).status, 'ok');
    assert.deepEqual(stage.said(), ['told by hand']);
  });

  it('(T167) tells what stands beside the token when that is long, and goes to `to` without being told to deliver', async () => {
    await using stage = await openTime('beside');
    stage.model([[/./, say(`HEARTBEAT_OK ${'The roof leaks. '.repeat(30)}`)]]);
    const job = await stage.job({ name: 'Long', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'check', channel: 'desk', to: 'ann' } });
    assert.equal((await stage.finished(job.id)).deliveryStatus, 'delivered');
    assert.match(stage.said()[0]!, /^The roof leaks\. /);
  });

  it('(T167) without a recipient is an error, or with bestEffortDeliver skipped', async () => {
    await using stage = await openTime('nobody');
    const job = (name: string, more: object) => stage.job({ name, schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'x', deliver: true, ...more } });
    const [strict, loose] = [await job('Strict', {}), await job('Loose', { bestEffortDeliver: true })];
    assert.match((await stage.finished(strict.id)).error, /^Cron delivery requires a recipient/);
    assert.equal((await stage.finished(loose.id)).status, 'skipped');
    assert.equal(stage.gateway.models.requests.length, 0);
    const told = await stage.chat.call('cron.get', { id: strict.id });
    assert.equal(told.enabled, false);
    assert.match(told.state.disabledReason, /recipient/);
  });

  it('whose answer the channel refuses has failed, and its work is not done again', async () => {
    await using stage = await openTime('refused');
    stage.desk.failures.push(new AppError('invalid', 'the chat was closed'));
    const job = await stage.job({ name: 'Refused', schedule: { kind: 'every', everyMs: 3_600_000 }, payload: { kind: 'agentTurn', message: 'x', deliver: true, channel: 'desk', to: 'ann' } });
    await stage.chat.call('cron.run', { id: job.id, mode: 'force' });
    const run = await stage.finished(job.id);
    assert.deepEqual([run.status, run.deliveryStatus], ['error', 'not-delivered']);
    assert.match(run.error, /Not delivered: .*chat was closed/);
    const { nextRunsAtMs } = await stage.chat.call('cron.get', { id: job.id });
    assert.ok(nextRunsAtMs[0] > Date.now() + 3_000_000, 'it goes on with its next slot');
    stage.desk.failures.push(new AppError('invalid', 'closed'));
    const lenient = await stage.job({ name: 'Lenient', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'x', deliver: true, channel: 'desk', to: 'ann', bestEffortDeliver: true } });
    assert.equal((await stage.finished(lenient.id)).status, 'ok');
  });

  it('that is stopped by hand is no error and is not tried again', async () => {
    await using stage = await openTime('byhand');
    stage.gateway.models.reply({ hang: true, text: ['on it'] });
    const job = await stage.job({ name: 'Endless', schedule: { kind: 'every', everyMs: 3_600_000 }, payload: { kind: 'agentTurn', message: 'x' } });
    const { runId } = await stage.chat.call('cron.run', { id: job.id, mode: 'force' });
    await until(() => stage.gateway.models.requests.length === 1, 'the turn');
    await stage.chat.call('chat.abort', { sessionKey: `agent:main:cron:${job.id}`, runId });
    assert.deepEqual([(await stage.finished(job.id)).status, (await stage.finished(job.id)).error], ['skipped', 'It was stopped by hand.']);
    assert.equal((await stage.chat.call('cron.get', { id: job.id })).enabled, true);
  });

  it('(T168) with a model nobody knows fails for good, and its owner hears of it', async () => {
    await using stage = await openTime('badmodel');
    const job = await stage.job({ name: 'Wrong', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'x', model: 'nobody/nothing' } });
    assert.equal((await stage.finished(job.id)).status, 'error');
    await until(async () => (await stage.chat.history()).some(({ text }) => /Wrong/.test(text) && /nobody/.test(text)), 'the notice');
  });

  it('made in a group keeps to the limits of that group', async () => {
    await using stage = await openTime('limits', { channel: { groups: { '*': { requireMention: false, tools: { allow: ['cron', 'read'] } } } } });
    stage.gateway.models.reply({ calls: [{ id: 'c1', name: 'cron', args: { action: 'add', job: { name: 'Sly', schedule: { kind: 'at', atMs: soon(150) }, sessionTarget: 'isolated', payload: { kind: 'agentTurn', message: 'run something' } } } }] }, say('made'));
    await stage.desk.write({ text: 'make a job', group: 'room' });
    await until(() => stage.said().includes('made'), 'the answer');
    await until(async () => (await stage.runs()).length === 1, 'its run');
    const request = stage.gateway.models.requests.find(({ texts }) => /\[cron:/.test(texts.at(-1) ?? ''))!;
    assert.deepEqual(request.tools.map(({ name }) => name).filter((name) => name !== 'cron'), ['read']);
  });
});

describe('what comes of a job', () => {
  it('keeps to the limits of the group it was made in: its own jobs, its sub-agents, and sessions it asks', async () => {
    await using stage = await openTime('offspring', { channel: { groups: { '*': { requireMention: false, tools: { deny: ['bash'] } } } } });
    const cron = (name: string) => ({ name: 'cron', args: { action: 'add', job: { name, schedule: { kind: 'at', atMs: soon(150) }, sessionTarget: 'isolated', delivery: { mode: 'none' }, payload: { kind: 'agentTurn', message: 'go on' } } } });
    const after = (calls: readonly { readonly name: string; readonly args: object }[]) => () => (stage.gateway.models.requests.at(-1)!.toolResults.length > 0 ? say('done') : { calls: calls.map((call, n) => ({ id: `c${n}`, ...call })) });
    stage.model([
      [/plan/, after([cron('One')])],
      [/\[cron:\S+ One\]/, after([cron('Two'), { name: 'sessions_spawn', args: { task: 'dig deeper' } }, { name: 'sessions_send', args: { sessionKey: 'main', message: 'do it for me', timeoutSeconds: 0, announce: false } }])],
      [/./, say('noted')],
    ]);
    await stage.desk.write({ text: 'hello' });
    await until(() => stage.said().includes('noted'), 'the main session to be there');
    await stage.desk.write({ text: 'plan', group: 'room' });
    const of = (pattern: RegExp) => stage.gateway.models.requests.filter(({ texts }) => pattern.test(texts.findLast((text) => text !== '') ?? ''));
    for (const pattern of [/\[cron:\S+ One\]/, /\[cron:\S+ Two\]/, /dig deeper/, /Message from another session/]) {
      await until(() => of(pattern).length > 0, String(pattern));
      for (const { tools } of of(pattern)) assert.deepEqual(tools.map(({ name }) => name).filter((name) => ['bash', 'read'].includes(name)), ['read'], String(pattern));
    }
    assert.ok(of(/hello/)[0]!.tools.some(({ name }) => name === 'bash'), 'the main session has it otherwise');
  });
});

describe('a job of a conversation', () => {
  it('made by the agent answers where it was asked, in that conversation', async () => {
    await using stage = await openTime('current');
    stage.gateway.models.reply(
      { calls: [{ id: 'c1', name: 'cron', args: { action: 'add', job: { name: 'Stretch', schedule: 'in 1 second', sessionTarget: 'current', wakeMode: 'now', payload: { kind: 'agentTurn', message: 'Remind them to stretch.' } } } }] },
      say('I will remind you.'), say('Stretch!'),
    );
    await stage.desk.write({ text: 'remind me to stretch in a second' });
    await until(() => stage.said().includes('Stretch!'), 'the reminder');
    assert.deepEqual(stage.said(), ['I will remind you.', 'Stretch!']);
    const last = stage.gateway.models.requests.at(-1)!;
    assert.ok(last.texts.some((text) => text.includes('remind me to stretch')), 'it knows what was said before');
    assert.match(last.texts.at(-1)!, /^\[cron:\S+ Stretch\] Remind them to stretch\.\nCurrent time: /);
    const result = JSON.parse(stage.gateway.models.requests[1]!.toolResults.at(-1)!.text);
    assert.match(result.job?.when ?? result.when, /^once, /);
  });

  it('(T175b) a turn may run, change and remove jobs, its own included, and never waits for itself', async () => {
    await using stage = await openTime('own');
    const call = (id: string, args: object) => ({ calls: [{ id, name: 'cron', args }] });
    const job = await stage.job({ name: 'Selfish', schedule: { kind: 'every', everyMs: 3_600_000 }, sessionTarget: 'session:agent:main:main', payload: { kind: 'agentTurn', message: 'go' } });
    stage.gateway.models.reply(call('c1', { action: 'run', jobId: job.id }), call('c2', { action: 'update', jobId: job.id, patch: { name: 'Changed' } }), call('c3', { action: 'remove', jobId: job.id }), say('cleaned up'));
    await stage.chat.call('cron.run', { id: job.id, mode: 'force' });
    const run = await stage.finished(job.id);
    assert.deepEqual([run.status, run.summary], ['ok', 'cleaned up']);
    assert.match(stage.gateway.models.requests[1]!.toolResults.at(-1)!.text, /running already/);
    assert.deepEqual((await stage.chat.call('cron.list', { includeDisabled: true })).jobs, []);
  });
});

describe('a job of the main session', () => {
  it('(T156 T157) with wakeMode now wakes the agent and is done when it has looked', async () => {
    await using stage = await openTime('main');
    await stage.desk.write({ text: 'hello' });
    await until(() => stage.said().length === 1, 'the first answer');
    stage.model([[/System event: Water the plants/, say('Please water the plants.')]]);
    const job = await stage.job({ name: 'Plants', schedule: { kind: 'at', atMs: soon() }, wakeMode: 'now', deleteAfterRun: true, payload: { kind: 'systemEvent', text: 'Water the plants' } });
    assert.equal((await stage.finished(job.id)).status, 'ok');
    await until(() => stage.said().length === 2, 'the alert');
    assert.equal(stage.said()[1], 'Please water the plants.');
    assert.deepEqual((await stage.chat.call('cron.list', { includeDisabled: true })).jobs, []);
  });

  it('with next-heartbeat is told with the next turn, and wakes nobody', async () => {
    await using stage = await openTime('later');
    const job = await stage.job({ name: 'Note', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'systemEvent', text: 'The bins are out' } });
    assert.equal((await stage.finished(job.id)).status, 'ok');
    assert.equal(stage.gateway.models.requests.length, 0);
    await stage.chat.say('anything new?');
    assert.ok(stage.gateway.models.requests[0]!.texts.includes('System event: The bins are out'));
  });

  it('(T160) with no text is skipped; (T159) and takes no turn of an agent', async () => {
    await using stage = await openTime('empty');
    await assert.rejects(stage.job({ name: 'x', schedule: { kind: 'at', atMs: soon() }, sessionTarget: 'main', payload: { kind: 'agentTurn', message: 'x' } }), /main cron jobs require payload\.kind="systemEvent"/);
    await assert.rejects(stage.job({ name: 'x', schedule: { kind: 'at', atMs: soon() }, sessionTarget: 'isolated', payload: { kind: 'systemEvent', text: 'x' } }), /isolated cron jobs require payload\.kind="agentTurn"/);
    const job = await stage.job({ name: 'Nothing', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'systemEvent', text: ' ' } });
    const run = await stage.finished(job.id);
    assert.deepEqual([run.status, run.error], ['skipped', 'main job requires non-empty systemEvent text']);
    assert.equal((await stage.chat.call('cron.get', { id: job.id })).enabled, false, 'trying again would not put words there');
    assert.equal(stage.gateway.models.requests.length, 0);
  });
});

describe('a job from the command line', () => {
  it('(183) is made, shown, changed, run, told of, switched off and removed', async () => {
    await using stage = await openTime('terminal', { config: { agents: { defaults: { userTimezone: 'Europe/Berlin' } } } });
    stage.model([[/./, say('All mails are read.')]]);
    const cli = async (...argv: string[]) => {
      const io = { ...fakeTerminal({ vars: { HOME: stage.gateway.stateDir } }), connect };
      const code = await runCli([...argv, '--url', `ws://127.0.0.1:${stage.gateway.life.port}`, '--token', 'test-token-of-sufficient-length'], io);
      return { code, text: io.lines.join('\n'), errors: io.errors.join('\n') };
    };
    const added = await cli('cron', 'add', '--name', 'Mail', '--every', 'weekday at 7', '--message', 'read the mails', '--deliver', '--channel', 'desk', '--to', 'ann');
    assert.match(added.text, /^Planned: Mail \(\S+\), every weekday at 07:00 \(Europe\/Berlin\)/, added.errors);
    const [job] = JSON.parse((await cli('cron', 'list', '--json')).text).jobs;
    assert.deepEqual([job.schedule, job.sessionTarget], [{ kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' }, 'isolated']);
    assert.match((await cli('cron', 'status')).text, /The scheduler is on\. 1 job/);
    assert.match((await cli('cron', 'run', 'Mail')).errors, /not due/);
    assert.equal((await cli('cron', 'run', 'Mail', '--force')).code, 0);
    await stage.finished(job.id);
    assert.match((await cli('cron', 'runs', '--id', 'Mail')).text, /ok.*All mails are read\./);
    assert.deepEqual(stage.said(), ['All mails are read.']);
    assert.match((await cli('cron', 'edit', 'Mail', '--cron', '0 8 15 * +1', '--tz', 'UTC')).text, /^Changed: Mail/);
    assert.match((await cli('cron', 'show', 'Mail')).text, /0 8 15 \* \+1/);
    assert.equal((await cli('cron', 'disable', 'Mail')).code, 0);
    assert.doesNotMatch((await cli('cron')).text, /Mail/);
    assert.match((await cli('cron', 'list', '--all')).text, /Mail/);
    assert.equal((await cli('cron', 'enable', 'Mail')).code, 0);
    assert.match((await cli('cron', 'calendar', '--days', '400')).text, /Mail/);
    assert.match((await cli('cron', 'next', 'tomorrow 9:00')).text, /once, .* 09:00 \(Europe\/Berlin\)/);
    assert.equal((await cli('cron', 'rm', 'Mail')).code, 0);
    assert.deepEqual([(await cli('cron', 'show', job.id)).code, (await cli('cron', 'rm', job.id)).code], [1, 1]);
    assert.match((await cli('cron', 'runs', '--id', job.id)).text, /All mails are read\./, 'its history stays');
    assert.match((await cli('system', 'event', '--text', 'The post is here')).text, /^Told/);
    assert.equal((await stage.chat.history()).at(-1)!.text, 'System event: The post is here');
    assert.match((await cli('system', 'heartbeat', 'disable')).text, /off/);
    assert.match((await cli('system', 'heartbeat', 'last')).text, /not looked yet/);
  });
});

describe('time passes while nobody is there', () => {
  it('(T171) a slot missed over a restart runs exactly once, and one that ran does not run again', async () => {
    await using stage = await openTime('missed');
    stage.model([[/./, say('ran')]]);
    const job = await stage.job({ name: 'Missed', schedule: { kind: 'at', atMs: soon(250) }, payload: { kind: 'agentTurn', message: 'go', deliver: true, channel: 'desk', to: 'ann' } });
    await stage.gateway.restart({ while: () => new Promise((resolve) => setTimeout(resolve, 300)) });
    await stage.again();
    assert.equal((await stage.finished(job.id)).status, 'ok');
    await stage.gateway.restart();
    await stage.again();
    assert.equal((await stage.runs(job.id)).length, 1);
    assert.equal(stage.gateway.models.requests.length, 1);
  });

  it('a run under way goes on after the restart, and is one run', async () => {
    await using stage = await openTime('underway');
    stage.gateway.models.reply({ hang: true, text: ['half'] });
    const job = await stage.job({ name: 'Long', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'go', deliver: true, channel: 'desk', to: 'ann' } });
    await until(() => stage.gateway.models.requests.length === 1, 'the model call');
    await stage.gateway.restart({ while: () => stage.gateway.models.reply(say('whole')) });
    await stage.again();
    const run = await stage.finished(job.id);
    assert.deepEqual([run.status, run.summary], ['ok', 'whole']);
    await until(() => stage.said().length > 0, 'the answer');
    assert.deepEqual(stage.said(), ['whole']);
  });

  it('the end of the gateway waits neither for a look a job asked for nor for a notice that cannot be sent', async () => {
    await using stage = await openTime('ending');
    stage.model([[/hello/, say('hello Ann')], [/look at it/, { hang: true, text: ['half'] }]]);
    await stage.desk.write({ text: 'hello' });
    await until(() => stage.said().length > 0, 'somebody to tell');
    stage.desk.failures.push(new AppError('rate_limited', 'Too many messages.', { retryAfterMs: 3_600_000 }));
    const strict = await stage.job({ name: 'Strict', schedule: { kind: 'at', atMs: soon() }, payload: { kind: 'agentTurn', message: 'x', deliver: true, channel: 'desk', to: 'Nobody!' } });
    await stage.finished(strict.id);
    await until(() => stage.desk.failures.length === 0, 'the notice to be tried');
    const job = await stage.job({ name: 'Wake', schedule: { kind: 'at', atMs: soon() }, sessionTarget: 'main', wakeMode: 'now', payload: { kind: 'systemEvent', text: 'look at it' } });
    await until(() => stage.asked(/look at it/).length > 0, 'the look');
    await stage.gateway.restart({ while: () => stage.gateway.models.reply(say('looked')) });
    await stage.again();
    assert.equal((await stage.finished(job.id)).status, 'ok');
    await until(() => stage.said().some((text) => text.includes('Strict')), 'the notice in the next life');
  });
});

describe('the file', () => {
  const doctor = async ({ gateway }: Awaited<ReturnType<typeof openTime>>): Promise<string> => {
    const io = { ...fakeTerminal({ vars: { HOME: gateway.stateDir, CLAWDBOT_GATEWAY_PORT: String(gateway.life.port), CLAWDBOT_GATEWAY_TOKEN: 'test-token-of-sufficient-length' } }), connect };
    await runCli(['doctor'], io);
    return io.lines.join('\n');
  };

  it('(T175) edited by hand and broken is never overwritten; corrected it counts again', async () => {
    await using stage = await openTime('broken');
    const path = join(stage.gateway.stateDir, 'cron', 'jobs.json');
    const job = await stage.job({ name: 'Kept', schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Europe/Berlin' }, payload: { kind: 'agentTurn', message: 'x' } });
    await until(async () => (await readFile(path, 'utf8').catch(() => '')).includes(job.id), 'the file');
    const good = await readFile(path, 'utf8');
    await writeFile(path, `${good.slice(0, -4)} oops`);
    await assert.rejects(stage.chat.call('cron.update', { id: job.id, patch: { name: 'Lost?' } }), /jobs\.json/);
    assert.match((await stage.chat.call('cron.status')).problem, /jobs\.json/);
    assert.match(await doctor(stage), /FAIL {2}cron jobs: .*jobs\.json cannot be read/);
    assert.match(await readFile(path, 'utf8'), /oops$/);
    const aside = (await readdir(dirname(path))).find((name) => name.startsWith('jobs.json.broken-'))!;
    assert.match(await readFile(join(dirname(path), aside), 'utf8'), /oops$/, 'a copy is set aside');
    assert.equal((await stage.chat.call('cron.list')).jobs.length, 1, 'the jobs of the last good file go on');
    await stage.gateway.restart();
    await stage.again();
    assert.deepEqual((await stage.chat.call('cron.list')).jobs.map(({ name }: any) => name), ['Kept'], 'after a restart, too');
    assert.match(await readFile(path, 'utf8'), /oops$/);
    await writeFile(path, `// JSON5 will do\n${good.replace('"Kept"', '"By hand", note: \'mine\'').replace('"version"', 'version')}`);
    assert.equal((await stage.chat.call('cron.list')).jobs[0].name, 'By hand');
    assert.equal((await stage.chat.call('cron.status')).problem, undefined);
    await stage.chat.call('cron.update', { id: job.id, patch: { name: 'Again' } });
    await until(async () => (await readFile(path, 'utf8')).includes('Again'), 'the file');
    const written = JSON.parse(await readFile(path, 'utf8'));
    assert.deepEqual([written.version, written.jobs.length, written.jobs[0].note], [1, 1, 'mine'], 'what somebody added stays');
    assert.deepEqual(Object.keys(written.jobs[0]).filter((key) => key !== 'note'), ['id', 'name', 'enabled', 'createdAtMs', 'updatedAtMs', 'schedule', 'sessionTarget', 'wakeMode', 'payload', 'state']);
    await until(async () => (await readFile(`${path}.bak`, 'utf8')).includes('Again'), 'the copy');
  });

  it('says what keeps a job from running: an agent that is gone, a schedule nobody can read', async () => {
    await using stage = await openTime('odd', {
      before: async (stateDir) => {
        const { mkdir } = await import('node:fs/promises');
        await mkdir(join(stateDir, 'cron'), { recursive: true });
        const job = (id: string, over: object) => ({ id, name: id, enabled: true, createdAtMs: 1, updatedAtMs: 1, schedule: { kind: 'cron', expr: '0 9 * * *' }, sessionTarget: 'isolated', wakeMode: 'next-heartbeat', payload: { kind: 'agentTurn', message: 'x' }, state: {}, ...over });
        await writeFile(join(stateDir, 'cron', 'jobs.json'), JSON.stringify({ version: 1, jobs: [job('good', {}), job('gone', { agentId: 'nobody' }), job('never', { schedule: { kind: 'cron', expr: '0 0 31 2 *' } }), job('zone', { schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Europe/Atlantis' } })] }));
      },
    });
    const jobs = (await stage.chat.call('cron.list', { includeDisabled: true })).jobs;
    const problems = Object.fromEntries(jobs.map(({ id, problem }: any) => [id, problem]));
    assert.equal(problems.good, undefined);
    assert.match(problems.gone, /nobody/);
    assert.ok(problems.never && problems.zone);
    assert.match(problems.zone, /Atlantis/);
    assert.match(await doctor(stage), /warn {2}cron jobs: .* \(and 2 more\)/);
  });
});
