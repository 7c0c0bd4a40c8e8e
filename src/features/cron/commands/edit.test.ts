import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cronAdd, cronDisable, cronEdit, cronEnable, cronRemove, cronRun } from './edit.ts';
import { JOB, run } from './harness.ts';

const add = async (flags: Record<string, string | number | true>) =>
  (await run(cronAdd, { 'cron.add': JOB }, { flags })).sent('cron.add');

describe('cron add', () => {
  test('says what was understood, with the next three instants', async () => {
    const { out, sent } = await run(
      cronAdd,
      { 'cron.add': JOB },
      { flags: { every: '20m', message: 'Reminder: stretch', name: 'Stretch' } },
    );
    assert.match(
      out,
      /^Planned: Stretch \(1a2b3c4d\), every 20 minutes\n( {2}\w{3} \d+ \w{3,4} \d{4},? .*\(.*\)\n?){3}$/,
    );
    assert.deepEqual(sent('cron.add'), {
      name: 'Stretch',
      schedule: { kind: 'every', every: '20m' },
      payload: { kind: 'agentTurn', message: 'Reminder: stretch' },
    });
  });

  test('takes words wherever a time is given, and a zone for any of them', async () => {
    const message = 'm';
    assert.deepEqual((await add({ at: 'tomorrow 9:00', message })).schedule, { kind: 'at', at: 'tomorrow 9:00' });
    assert.deepEqual((await add({ every: 'weekday at 7', tz: 'Europe/Berlin', message })).schedule, {
      kind: 'every',
      every: 'weekday at 7',
      tz: 'Europe/Berlin',
    });
    assert.deepEqual((await add({ cron: '0 7 * * 1-5', tz: 'Asia/Tokyo', message })).schedule, {
      kind: 'cron',
      expr: '0 7 * * 1-5',
      tz: 'Asia/Tokyo',
    });
  });

  test('passes on everything that was given, under its documented name', async () => {
    assert.deepEqual(
      await add({
        at: '20m',
        message: 'm',
        name: 'n',
        description: 'd',
        'delete-after-run': true,
        disabled: true,
        agent: 'work',
        session: 'isolated',
        wake: 'now',
        model: 'a/b',
        thinking: 'low',
        'timeout-seconds': 60,
        deliver: true,
        channel: 'telegram',
        to: '42',
        account: 'acc',
        thread: '7',
        'best-effort-deliver': true,
        'post-prefix': 'P',
        'post-mode': 'full',
        'post-max-chars': 5,
        missed: 'all',
      }),
      {
        name: 'n',
        description: 'd',
        agentId: 'work',
        wakeMode: 'now',
        sessionTarget: 'isolated',
        deleteAfterRun: true,
        isolation: { postToMainPrefix: 'P', postToMainMode: 'full', postToMainMaxChars: 5 },
        missed: { policy: 'all' },
        schedule: { kind: 'at', at: '20m' },
        enabled: false,
        payload: {
          kind: 'agentTurn',
          message: 'm',
          model: 'a/b',
          thinking: 'low',
          timeoutSeconds: 60,
          channel: 'telegram',
          to: '42',
          accountId: 'acc',
          threadId: '7',
          deliver: true,
          bestEffortDeliver: true,
        },
      },
    );
    assert.deepEqual(await add({ at: '20m', 'system-event': 'look', session: 'main' }), {
      sessionTarget: 'main',
      schedule: { kind: 'at', at: '20m' },
      payload: { kind: 'systemEvent', text: 'look' },
    });
    assert.equal(
      (await add({ at: '20m', message: 'm', session: 'agent:main:telegram:group:42' })).sessionTarget,
      'session:agent:main:telegram:group:42',
    );
    assert.equal((await add({ at: '20m', message: 'm', 'no-deliver': true })).payload.deliver, false);
  });

  test('asks for what is missing and refuses what there is twice, before it asks the gateway', async () => {
    const wrong: readonly (readonly [Record<string, string | true>, RegExp])[] = [
      [{ message: 'm' }, /Schedule missing: add --at/],
      [{ at: '1', every: '2', message: 'm' }, /--at and --every exclude each other/],
      [{ at: '1', every: '2', cron: '3', message: 'm' }, /--at and --every and --cron/],
      [{ at: '1' }, /Task missing: add --message/],
      [{ at: '1', message: 'm', 'system-event': 'e' }, /--message and --system-event exclude/],
      [{ at: '1', to: '42' }, /Task missing/],
      [{ at: '1', 'system-event': 'e', to: '42' }, /--to requires --message/],
      [{ at: '1', 'system-event': 'e', model: 'x' }, /--model requires --message/],
      [{ message: 'm', tz: 'UTC' }, /--tz requires/],
      [{ at: '1', message: 'm', deliver: true, 'no-deliver': true }, /--deliver and --no-deliver exclude/],
      [{ at: '1', message: 'm', session: 'current' }, /no current session/],
      [{ at: '1', message: 'm', session: 'main' }, /--session main requires --system-event/],
      [{ at: '1', 'system-event': 'm', session: 'isolated' }, /--system-event is sent to the main session/],
    ];
    for (const [flags, says] of wrong)
      await assert.rejects(run(cronAdd, {}, { flags }), { code: 'invalid', message: says }, JSON.stringify(flags));
  });

  test('says that the scheduler is off, where the job would run', async () => {
    const answers = { 'cron.add': JOB, 'cron.update': JOB, 'cron.status': { enabled: false } };
    const flags = { at: '1', message: 'm' };
    assert.match((await run(cronAdd, answers, { flags })).err, /scheduler is off \(cron\.enabled\).* will not run/);
    assert.match((await run(cronEdit, answers, { args: ['1a2b'], flags })).err, /scheduler is off/);
    const off = { ...answers, 'cron.add': { ...JOB, enabled: false } };
    assert.equal((await run(cronAdd, off, { flags })).err, '');
    assert.equal((await run(cronAdd, { 'cron.add': JOB, 'cron.status': { enabled: true } }, { flags })).err, '');
  });

  test('warns of a job that cannot run, and prints JSON when asked', async () => {
    const { out, err } = await run(
      cronAdd,
      { 'cron.add': { ...JOB, enabled: false, problem: 'No such agent.' } },
      { flags: { at: '1', message: 'm' } },
    );
    assert.deepEqual(
      [out, err],
      ['Planned: Stretch (1a2b3c4d), every 20 minutes; disabled.', 'warning: No such agent.'],
    );
    assert.deepEqual(
      JSON.parse((await run(cronAdd, { 'cron.add': JOB }, { flags: { at: '1', message: 'm', json: true } })).out),
      JOB,
    );
  });
});

describe('cron edit and its kin', () => {
  const edit = async (flags: Record<string, string | number | true>) =>
    (await run(cronEdit, { 'cron.update': JOB }, { args: ['1a2b'], flags })).sent('cron.update');

  test('change what is named and nothing else', async () => {
    assert.deepEqual(await edit({ name: 'n', 'keep-after-run': true, 'clear-agent': true, enable: true }), {
      id: JOB.id,
      patch: { name: 'n', enabled: true, deleteAfterRun: false, agentId: null },
    });
    assert.deepEqual(await edit({ to: '43' }), { id: JOB.id, patch: { payload: { kind: 'agentTurn', to: '43' } } });
    assert.deepEqual(await edit({ cron: '@daily' }), {
      id: JOB.id,
      patch: { schedule: { kind: 'cron', expr: '@daily' } },
    });
    for (const [flags, says] of [
      [{}, /Nothing to change/],
      [{ enable: true, disable: true }, /exclude/],
      [{ 'delete-after-run': true, 'keep-after-run': true }, /exclude/],
      [{ agent: 'a', 'clear-agent': true }, /exclude/],
    ] as const)
      await assert.rejects(edit(flags as never), { code: 'invalid', message: says });
    assert.deepEqual((await run(cronEnable, { 'cron.update': JOB }, { args: ['Stretch'] })).sent('cron.update'), {
      id: JOB.id,
      patch: { enabled: true },
    });
    const off = await run(cronDisable, { 'cron.update': { ...JOB, enabled: false } }, { args: ['stretch'] });
    assert.equal(off.out, 'Disabled: Stretch (1a2b3c4d), every 20 minutes; disabled.');
  });

  test('know a job by its id, the beginning of it, or its name, and never guess', async () => {
    const other = { ...JOB, id: '1a2bffff', name: 'stretch' };
    const both = { 'cron.list': { jobs: [JOB, other], total: 2 } };
    assert.deepEqual(
      (await run(cronRemove, { ...both, 'cron.remove': { removed: true } }, { args: [other.id] })).sent('cron.remove'),
      { id: other.id },
    );
    await assert.rejects(run(cronRemove, both, { args: ['1a2b'] }), {
      code: 'invalid',
      message: /matches several jobs: Stretch \(1a2b3c4d\), stretch \(1a2bffff\)/,
    });
    await assert.rejects(run(cronRemove, both, { args: ['Stretch'] }), { code: 'invalid' });
    for (const nobody of ['1a2', 'retch', '9999'])
      await assert.rejects(
        run(cronRemove, {}, { args: [nobody] }),
        { code: 'not_found', message: /cron list --all/ },
        nobody,
      );
  });

  test('end with 1 when nothing was removed or started', async () => {
    const gone = await run(cronRemove, { 'cron.remove': { removed: false } }, { args: ['1a2b'] });
    assert.deepEqual([gone.code, gone.out], [1, 'Job 1a2b3c4d was already deleted.']);
    const due = await run(cronRun, { 'cron.run': { ok: true, ran: false, reason: 'not-due' } }, { args: ['1a2b'] });
    assert.deepEqual(
      [due.code, due.err, due.sent('cron.run')],
      [1, 'Job 1a2b3c4d was not started: not due; use --force to run it anyway.', { id: JOB.id, mode: 'due' }],
    );
    const forced = await run(
      cronRun,
      { 'cron.run': { ok: true, ran: true } },
      { args: ['1a2b'], flags: { force: true } },
    );
    assert.deepEqual([forced.code, forced.sent('cron.run').mode], [0, 'force']);
    assert.match(forced.out, /Run `clawdbot cron runs --id 1a2b3c4d`/);
  });
});
