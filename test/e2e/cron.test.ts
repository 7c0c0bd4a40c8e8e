/** Jobs: created by hand or by the agent, run once when due, and answered in the chat that requested them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from '../../src/cli/cli.ts';
import { connect } from '../../src/cli/connect.ts';
import { fakeTerminal } from '../../src/cli/fake.ts';
import { until } from '../../src/testing/until.ts';
import { openTime, soon } from './time-harness.ts';

const say = (text: string) => ({ text: [text] });

describe('what comes of a job', () => {
  it('keeps to the limits of the group it was made in: its own jobs, its sub-agents, and sessions it asks', async () => {
    await using harness = await openTime('offspring', {
      channel: { groups: { '*': { requireMention: false, tools: { deny: ['bash'] } } } },
    });
    const cron = (name: string) => ({
      name: 'cron',
      args: {
        action: 'add',
        job: {
          name,
          schedule: { kind: 'at', atMs: soon(150) },
          sessionTarget: 'isolated',
          delivery: { mode: 'none' },
          payload: { kind: 'agentTurn', message: 'go on' },
        },
      },
    });
    const after = (calls: readonly { readonly name: string; readonly args: object }[]) => () =>
      harness.gateway.models.requests.at(-1)!.toolResults.length > 0
        ? say('done')
        : { calls: calls.map((call, n) => ({ id: `c${n}`, ...call })) };
    harness.model([
      [/plan/, after([cron('One')])],
      [
        /\[cron:\S+ One\]/,
        after([
          cron('Two'),
          { name: 'sessions_spawn', args: { task: 'dig deeper' } },
          {
            name: 'sessions_send',
            args: { sessionKey: 'main', message: 'do it for me', timeoutSeconds: 0, announce: false },
          },
        ]),
      ],
      [/./, say('noted')],
    ]);
    await harness.desk.write({ text: 'hello' });
    await until(() => harness.said().includes('noted'), 'the main session to be there');
    await harness.desk.write({ text: 'plan', group: 'room' });
    const of = (pattern: RegExp) =>
      harness.gateway.models.requests.filter(({ texts }) => pattern.test(texts.findLast((text) => text !== '') ?? ''));
    for (const pattern of [/\[cron:\S+ One\]/, /\[cron:\S+ Two\]/, /dig deeper/, /Message from another session/]) {
      await until(() => of(pattern).length > 0, String(pattern));
      for (const { tools } of of(pattern))
        assert.deepEqual(
          tools.map(({ name }) => name).filter((name) => ['bash', 'read'].includes(name)),
          ['read'],
          String(pattern),
        );
    }
    assert.ok(
      of(/hello/)[0]!.tools.some(({ name }) => name === 'bash'),
      'the main session has it otherwise',
    );
  });
});

describe('a job of a conversation', () => {
  it('made by the agent answers where it was asked, in that conversation', async () => {
    await using harness = await openTime('current');
    harness.gateway.models.reply(
      {
        calls: [
          {
            id: 'c1',
            name: 'cron',
            args: {
              action: 'add',
              job: {
                name: 'Stretch',
                schedule: 'in 1 second',
                sessionTarget: 'current',
                wakeMode: 'now',
                payload: { kind: 'agentTurn', message: 'Remind them to stretch.' },
              },
            },
          },
        ],
      },
      say('I will remind you.'),
      say('Stretch!'),
    );
    await harness.desk.write({ text: 'remind me to stretch in a second' });
    await until(() => harness.said().includes('Stretch!'), 'the reminder');
    assert.deepEqual(harness.said(), ['I will remind you.', 'Stretch!']);
    const last = harness.gateway.models.requests.at(-1)!;
    assert.ok(
      last.texts.some((text) => text.includes('remind me to stretch')),
      'it knows what was said before',
    );
    assert.match(last.texts.at(-1)!, /^\[cron:\S+ Stretch\] Remind them to stretch\.\nCurrent time: /);
    const result = JSON.parse(harness.gateway.models.requests[1]!.toolResults.at(-1)!.text);
    assert.match(result.job?.when ?? result.when, /^once, /);
  });

  it('(T175b) a turn may run, change and remove jobs, its own included, and never waits for itself', async () => {
    await using harness = await openTime('own');
    const call = (id: string, args: object) => ({ calls: [{ id, name: 'cron', args }] });
    const job = await harness.job({
      name: 'Selfish',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      sessionTarget: 'session:agent:main:main',
      payload: { kind: 'agentTurn', message: 'go' },
    });
    harness.gateway.models.reply(
      call('c1', { action: 'run', jobId: job.id }),
      call('c2', { action: 'update', jobId: job.id, patch: { name: 'Changed' } }),
      call('c3', { action: 'remove', jobId: job.id }),
      say('cleaned up'),
    );
    await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
    const run = await harness.finished(job.id);
    assert.deepEqual([run.status, run.summary], ['ok', 'cleaned up']);
    assert.match(harness.gateway.models.requests[1]!.toolResults.at(-1)!.text, /already running/);
    assert.deepEqual((await harness.chat.call('cron.list', { includeDisabled: true })).jobs, []);
  });
});

describe('a job of the main session', () => {
  it('(T156 T157) with wakeMode now wakes the agent and is done when it has looked', async () => {
    await using harness = await openTime('main');
    await harness.desk.write({ text: 'hello' });
    await until(() => harness.said().length === 1, 'the first answer');
    harness.model([[/System event: Water the plants/, say('Please water the plants.')]]);
    const job = await harness.job({
      name: 'Plants',
      schedule: { kind: 'at', atMs: soon() },
      wakeMode: 'now',
      deleteAfterRun: true,
      payload: { kind: 'systemEvent', text: 'Water the plants' },
    });
    assert.equal((await harness.finished(job.id)).status, 'ok');
    await until(() => harness.said().length === 2, 'the alert');
    assert.equal(harness.said()[1], 'Please water the plants.');
    assert.deepEqual((await harness.chat.call('cron.list', { includeDisabled: true })).jobs, []);
  });

  it('with next-heartbeat is told with the next turn, and wakes nobody', async () => {
    await using harness = await openTime('later');
    const job = await harness.job({
      name: 'Note',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'systemEvent', text: 'The bins are out' },
    });
    assert.equal((await harness.finished(job.id)).status, 'ok');
    assert.equal(harness.gateway.models.requests.length, 0);
    await harness.chat.say('anything new?');
    assert.ok(harness.gateway.models.requests[0]!.texts.includes('System event: The bins are out'));
  });

  it('(T160) with no text is skipped; (T159) and takes no turn of an agent', async () => {
    await using harness = await openTime('empty');
    await assert.rejects(
      harness.job({
        name: 'x',
        schedule: { kind: 'at', atMs: soon() },
        sessionTarget: 'main',
        payload: { kind: 'agentTurn', message: 'x' },
      }),
      /main cron jobs require payload\.kind="systemEvent"/,
    );
    await assert.rejects(
      harness.job({
        name: 'x',
        schedule: { kind: 'at', atMs: soon() },
        sessionTarget: 'isolated',
        payload: { kind: 'systemEvent', text: 'x' },
      }),
      /isolated cron jobs require payload\.kind="agentTurn"/,
    );
    const job = await harness.job({
      name: 'Nothing',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'systemEvent', text: ' ' },
    });
    const run = await harness.finished(job.id);
    assert.deepEqual([run.status, run.error], ['skipped', 'main job requires non-empty systemEvent text']);
    assert.equal(
      (await harness.chat.call('cron.get', { id: job.id })).enabled,
      false,
      'trying again would not put words there',
    );
    assert.equal(harness.gateway.models.requests.length, 0);
  });
});

describe('a job from the command line', () => {
  it('(183) is made, shown, changed, run, told of, switched off and removed', async () => {
    await using harness = await openTime('terminal', {
      config: { agents: { defaults: { userTimezone: 'Europe/Berlin' } } },
    });
    harness.model([[/./, say('All mails are read.')]]);
    const cli = async (...argv: string[]) => {
      const io = { ...fakeTerminal({ vars: { HOME: harness.gateway.stateDir } }), connect };
      const code = await runCli(
        [
          ...argv,
          '--url',
          `ws://127.0.0.1:${harness.gateway.instance.port}`,
          '--token',
          'test-token-of-sufficient-length',
        ],
        io,
      );
      return { code, text: io.lines.join('\n'), errors: io.errors.join('\n') };
    };
    const added = await cli(
      'cron',
      'add',
      '--name',
      'Mail',
      '--every',
      'weekday at 7',
      '--message',
      'read the mails',
      '--deliver',
      '--channel',
      'desk',
      '--to',
      'ann',
    );
    assert.match(added.text, /^Planned: Mail \(\S+\), every weekday at 07:00 \(Europe\/Berlin\)/, added.errors);
    const [job] = JSON.parse((await cli('cron', 'list', '--json')).text).jobs;
    assert.deepEqual(
      [job.schedule, job.sessionTarget],
      [{ kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' }, 'isolated'],
    );
    assert.match((await cli('cron', 'status')).text, /The scheduler is on\. 1 job/);
    assert.match((await cli('cron', 'run', 'Mail')).errors, /not due/);
    assert.equal((await cli('cron', 'run', 'Mail', '--force')).code, 0);
    await harness.finished(job.id);
    assert.match((await cli('cron', 'runs', '--id', 'Mail')).text, /ok.*All mails are read\./);
    assert.deepEqual(harness.said(), ['All mails are read.']);
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
    assert.match((await cli('system', 'event', '--text', 'The post is here')).text, /^Sent/);
    assert.equal((await harness.chat.history()).at(-1)!.text, 'System event: The post is here');
    assert.match((await cli('system', 'heartbeat', 'disable')).text, /off/);
    assert.match((await cli('system', 'heartbeat', 'last')).text, /No heartbeat yet/);
  });
});
