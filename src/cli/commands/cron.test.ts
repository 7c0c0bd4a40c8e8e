// What the terminal plans and shows of scheduled work, asked of a gateway that is played.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { calendarText } from '../cron-calendar.ts';
import { jobsText, jobText, plannedText, relative, runsText } from '../cron-text.ts';
import type { Command, Run } from '../command.ts';
import { runCli } from '../cli.ts';
import { cronCommands } from '../cron-commands.ts';
import { fakeTerminal, type Answers } from '../fake.ts';
import { cronCalendar, cronList, cronNext, cronRuns, cronShow, cronStatus } from './cron.ts';
import { cronAdd, cronDisable, cronEdit, cronEnable, cronRemove, cronRun } from './cron-edit.ts';
import { heartbeatDisable, heartbeatEnable, heartbeatLast, systemEvent } from './system.ts';

const MIN = 60_000;
const NOW = Date.UTC(2026, 0, 15, 12);
const HERE = { now: NOW, zone: 'Europe/Berlin' };
const JOB: any = {
  id: '1a2b3c4d-0000-4000-8000-000000000000', name: 'Stretch', enabled: true, when: 'every 20 minutes', nextRunsAtMs: [NOW + 20 * MIN, NOW + 40 * MIN, NOW + 60 * MIN], sessionTarget: 'isolated', wakeMode: 'now', createdAtMs: 1, updatedAtMs: 1, configRevision: '1',
  schedule: { kind: 'every', everyMs: 20 * MIN }, payload: { kind: 'agentTurn', message: 'Reminder: stretch', deliver: true, channel: 'telegram', to: '42' }, delivery: { mode: 'announce', channel: 'telegram', to: '42' }, state: { nextRunAtMs: NOW + 20 * MIN, lastRunAtMs: NOW - 5 * MIN, lastStatus: 'ok', lastDurationMs: 800 },
};

async function run(command: Run, answers: Answers, { args = [], flags = {}, stdin = '' }: { args?: string[]; flags?: Record<string, string | number | true>; stdin?: string } = {}) {
  const io = fakeTerminal({ answers: { 'cron.list': { jobs: [JOB], total: 1, hasMore: false }, ...answers }, stdin });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  const given = { has: (name: string) => name in flags, text: (name: string) => flags[name] as string | undefined, number: (name: string) => flags[name] as number | undefined, list: () => [] };
  const code = await command({ args, flags: given, io, gateway: async () => link });
  const sent = (method: string): any => io.requests.find((request) => request.method === method)?.params;
  return { code: code ?? 0, io, sent, out: io.lines.join('\n'), err: io.errors.join('\n') };
}

const add = async (flags: Record<string, string | number | true>) => (await run(cronAdd, { 'cron.add': JOB }, { flags })).sent('cron.add');

describe('cron add', () => {
  test('says what was understood, with the next three instants', async () => {
    const { out, sent } = await run(cronAdd, { 'cron.add': JOB }, { flags: { every: '20m', message: 'Reminder: stretch', name: 'Stretch' } });
    assert.match(out, /^Planned: Stretch \(1a2b3c4d\), every 20 minutes\n( {2}\w{3} \d+ \w{3,4} \d{4},? .*\(.*\)\n?){3}$/);
    assert.deepEqual(sent('cron.add'), { name: 'Stretch', schedule: { kind: 'every', every: '20m' }, payload: { kind: 'agentTurn', message: 'Reminder: stretch' } });
  });

  test('takes words wherever a time is given, and a zone for any of them', async () => {
    const message = 'm';
    assert.deepEqual((await add({ at: 'tomorrow 9:00', message })).schedule, { kind: 'at', at: 'tomorrow 9:00' });
    assert.deepEqual((await add({ every: 'weekday at 7', tz: 'Europe/Berlin', message })).schedule, { kind: 'every', every: 'weekday at 7', tz: 'Europe/Berlin' });
    assert.deepEqual((await add({ cron: '0 7 * * 1-5', tz: 'Asia/Tokyo', message })).schedule, { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Asia/Tokyo' });
  });

  test('passes on everything that was given, under its documented name', async () => {
    assert.deepEqual(await add({
      at: '20m', message: 'm', name: 'n', description: 'd', 'delete-after-run': true, disabled: true, agent: 'work', session: 'isolated', wake: 'now', model: 'a/b', thinking: 'low', 'timeout-seconds': 60,
      deliver: true, channel: 'telegram', to: '42', account: 'acc', thread: '7', 'best-effort-deliver': true, 'post-prefix': 'P', 'post-mode': 'full', 'post-max-chars': 5, missed: 'all',
    }), {
      name: 'n', description: 'd', agentId: 'work', wakeMode: 'now', sessionTarget: 'isolated', deleteAfterRun: true, isolation: { postToMainPrefix: 'P', postToMainMode: 'full', postToMainMaxChars: 5 }, missed: { policy: 'all' },
      schedule: { kind: 'at', at: '20m' }, enabled: false,
      payload: { kind: 'agentTurn', message: 'm', model: 'a/b', thinking: 'low', timeoutSeconds: 60, channel: 'telegram', to: '42', accountId: 'acc', threadId: '7', deliver: true, bestEffortDeliver: true },
    });
    assert.deepEqual(await add({ at: '20m', 'system-event': 'look', session: 'main' }), { sessionTarget: 'main', schedule: { kind: 'at', at: '20m' }, payload: { kind: 'systemEvent', text: 'look' } });
    assert.equal((await add({ at: '20m', message: 'm', session: 'agent:main:telegram:group:42' })).sessionTarget, 'session:agent:main:telegram:group:42');
    assert.equal((await add({ at: '20m', message: 'm', 'no-deliver': true })).payload.deliver, false);
  });

  test('asks for what is missing and refuses what there is twice, before it asks the gateway', async () => {
    const wrong: readonly (readonly [Record<string, string | true>, RegExp])[] = [
      [{ message: 'm' }, /When\? Give one of --at/], [{ at: '1', every: '2', message: 'm' }, /--at and --every exclude each other/], [{ at: '1', every: '2', cron: '3', message: 'm' }, /--at and --every and --cron/],
      [{ at: '1' }, /What\? Give one of --message/], [{ at: '1', message: 'm', 'system-event': 'e' }, /--message and --system-event exclude/], [{ at: '1', to: '42' }, /What\?/],
      [{ at: '1', 'system-event': 'e', to: '42' }, /--to goes with --message/], [{ at: '1', 'system-event': 'e', model: 'x' }, /--model goes with --message/],
      [{ message: 'm', tz: 'UTC' }, /--tz goes with/], [{ at: '1', message: 'm', deliver: true, 'no-deliver': true }, /--deliver and --no-deliver exclude/], [{ at: '1', message: 'm', session: 'current' }, /no current session/], [{ at: '1', message: 'm', session: 'main' }, /--session main goes with --system-event/], [{ at: '1', 'system-event': 'm', session: 'isolated' }, /--system-event goes to the main session/],
    ];
    for (const [flags, says] of wrong) await assert.rejects(run(cronAdd, {}, { flags }), { code: 'invalid', message: says }, JSON.stringify(flags));
  });

  test('warns of a job that cannot run, and prints JSON when asked', async () => {
    const { out, err } = await run(cronAdd, { 'cron.add': { ...JOB, enabled: false, problem: 'No such agent.' } }, { flags: { at: '1', message: 'm' } });
    assert.deepEqual([out, err], ['Planned: Stretch (1a2b3c4d), every 20 minutes; it is off.', 'warning: No such agent.']);
    assert.deepEqual(JSON.parse((await run(cronAdd, { 'cron.add': JOB }, { flags: { at: '1', message: 'm', json: true } })).out), JOB);
  });
});

describe('cron edit and its kin', () => {
  const edit = async (flags: Record<string, string | number | true>) => (await run(cronEdit, { 'cron.update': JOB }, { args: ['1a2b'], flags })).sent('cron.update');

  test('change what is named and nothing else', async () => {
    assert.deepEqual(await edit({ name: 'n', 'keep-after-run': true, 'clear-agent': true, enable: true }), { id: JOB.id, patch: { name: 'n', enabled: true, deleteAfterRun: false, agentId: null } });
    assert.deepEqual(await edit({ to: '43' }), { id: JOB.id, patch: { payload: { kind: 'agentTurn', to: '43' } } });
    assert.deepEqual(await edit({ cron: '@daily' }), { id: JOB.id, patch: { schedule: { kind: 'cron', expr: '@daily' } } });
    for (const [flags, says] of [[{}, /Nothing to change/], [{ enable: true, disable: true }, /exclude/], [{ 'delete-after-run': true, 'keep-after-run': true }, /exclude/], [{ agent: 'a', 'clear-agent': true }, /exclude/]] as const) await assert.rejects(edit(flags as never), { code: 'invalid', message: says });
    assert.deepEqual((await run(cronEnable, { 'cron.update': JOB }, { args: ['Stretch'] })).sent('cron.update'), { id: JOB.id, patch: { enabled: true } });
    const off = await run(cronDisable, { 'cron.update': { ...JOB, enabled: false } }, { args: ['stretch'] });
    assert.equal(off.out, 'Switched off: Stretch (1a2b3c4d), every 20 minutes; it is off.');
  });

  test('know a job by its id, the beginning of it, or its name, and never guess', async () => {
    const other = { ...JOB, id: '1a2bffff', name: 'stretch' };
    const both = { 'cron.list': { jobs: [JOB, other], total: 2 } };
    assert.deepEqual((await run(cronRemove, { ...both, 'cron.remove': { removed: true } }, { args: [other.id] })).sent('cron.remove'), { id: other.id });
    await assert.rejects(run(cronRemove, both, { args: ['1a2b'] }), { code: 'invalid', message: /could be Stretch \(1a2b3c4d\), stretch \(1a2bffff\)/ });
    await assert.rejects(run(cronRemove, both, { args: ['Stretch'] }), { code: 'invalid' });
    for (const nobody of ['1a2', 'retch', '9999']) await assert.rejects(run(cronRemove, {}, { args: [nobody] }), { code: 'not_found', message: /cron list --all/ }, nobody);
  });

  test('end with 1 when nothing was removed or started', async () => {
    const gone = await run(cronRemove, { 'cron.remove': { removed: false } }, { args: ['1a2b'] });
    assert.deepEqual([gone.code, gone.out], [1, 'Job 1a2b3c4d was gone already.']);
    const due = await run(cronRun, { 'cron.run': { ok: true, ran: false, reason: 'not-due' } }, { args: ['1a2b'] });
    assert.deepEqual([due.code, due.err, due.sent('cron.run')], [1, 'Job 1a2b3c4d was not started: it is not due; --force runs it all the same.', { id: JOB.id, mode: 'due' }]);
    const forced = await run(cronRun, { 'cron.run': { ok: true, ran: true } }, { args: ['1a2b'], flags: { force: true } });
    assert.deepEqual([forced.code, forced.sent('cron.run').mode], [0, 'force']);
    assert.match(forced.out, /has begun; `clawdbot cron runs --id 1a2b3c4d`/);
  });
});

describe('what is planned', () => {
  test('stands in columns, in words and relative times', () => {
    const off = { ...JOB, id: 'b', name: 'Off', enabled: false, delivery: undefined, state: {} };
    const broken = { ...JOB, id: 'c', name: 'Broken', problem: 'No zone.', agentId: 'work', state: { lastRunAtMs: NOW - 3 * 3_600_000, lastStatus: 'error' } };
    const here = { ...JOB, id: 'd', name: 'Here', agentId: 'main', sessionTarget: 'session:agent:main:main', state: { runningAtMs: NOW - 5000 } };
    assert.equal(jobsText([JOB, off, broken, here], HERE), [
      'ID        NAME     WHEN              NEXT             LAST           RUNS IN           ANSWER TO',
      '1a2b3c4d  Stretch  every 20 minutes  in 20 min        ok 5 min ago   isolated          telegram 42',
      'b         Off      every 20 minutes  off              -              isolated          -',
      'c         Broken   every 20 minutes  cannot run       error 3 h ago  isolated of work  telegram 42',
      'd         Here     every 20 minutes  running for 5 s  -              agent:main:main   telegram 42',
    ].join('\n'));
    assert.match(jobsText([], HERE), /^No jobs\./);
    assert.deepEqual([relative(NOW, HERE), relative(NOW + 90 * MIN, HERE), relative(NOW - MIN, HERE)], ['now', 'in 1 h', '1 min ago']);
  });

  test('shows all that hides in text from elsewhere', () => {
    const name = 'ok\u202Eevil\u001b[2J\nID  fake';
    assert.doesNotMatch(jobsText([{ ...JOB, name }], HERE) + jobText({ ...JOB, name, payload: { kind: 'agentTurn', message: 'a\u001b[31m' } }, HERE), /[\u001b\u202e]/);
    assert.equal(jobsText([{ ...JOB, name }], HERE).split('\n').length, 2);
  });

  test('one job with everything about it', () => {
    const text = jobText({ ...JOB, state: { ...JOB.state, lastStatus: 'error', lastError: 'broke' }, missed: { policy: 'all' } }, HERE);
    for (const says of [/^Stretch\n/, /when +every 20 minutes/, /next +Thu 15 Jan 2026, 13:20 Europe\/Berlin \(in 20 min\)\n +Thu 15 Jan 2026, 13:40/, /last +error, .* took 800 ms/, /error +broke/, /missed +all/, /message +Reminder: stretch$/]) assert.match(text, says);
    assert.match(jobText({ ...JOB, enabled: false, state: { disabledReason: 'gave up' } }, HERE), /next +off: gave up/);
    const once = { ...JOB, enabled: false, schedule: { kind: 'at', atMs: 1 } };
    assert.match(jobText(once, HERE), /next +done/);
    assert.match(jobText({ ...once, state: {} }, HERE), /next +off/);
    assert.equal(plannedText({ when: 'once', nextRunsAtMs: [] }, HERE), 'once\n  never');
  });

  test('by day, and what comes often is one line', () => {
    const often = Array.from({ length: 20 }, (_, n) => ({ jobId: 'o', name: 'Often', atMs: NOW + n * 20 * MIN }));
    const runs = [...often, { jobId: JOB.id, name: 'Once', atMs: NOW + 5 * MIN }, { jobId: JOB.id, name: 'Once', atMs: NOW + 24 * 60 * MIN }];
    assert.equal(calendarText({ runs, more: true }, HERE), [
      'Times in Europe/Berlin.', '', 'Thursday 15 January 2026', '  13:00 – 19:20  Often (o) ×20', '  13:05          Once (1a2b3c4d)', '', 'Friday 16 January 2026', '  13:00          Once (1a2b3c4d)', '', 'There is more after Fri 16 Jan 2026, 13:00; ask for fewer days.',
    ].join('\n'));
    assert.equal(calendarText({ runs: [], more: false }, HERE), 'Nothing is planned.');
  });

  test('is asked for with what was given', async () => {
    const list = await run(cronList, { 'cron.list': { jobs: [{ ...JOB, problem: 'No agent.' }], total: 3, hasMore: true } }, { flags: { all: true, agent: 'work', limit: 1 } });
    assert.deepEqual([list.sent('cron.list'), list.err], [{ includeDisabled: true, limit: 1, agentId: 'work' }, 'warning: Stretch: No agent.\n(2 more; --limit shows them)']);
    const next = await run(cronNext, { 'cron.preview': { when: 'w', nextRunsAtMs: [] } }, { args: ['every day at 9'], flags: { tz: 'Asia/Tokyo', count: 2 } });
    assert.deepEqual([next.sent('cron.preview'), next.out], [{ schedule: 'every day at 9 (Asia/Tokyo)', count: 2 }, 'w\n  never']);
    const { fromMs, toMs, limit } = (await run(cronCalendar, { 'cron.calendar': { runs: [], more: false } }, { flags: { days: 2 } })).sent('cron.calendar');
    assert.deepEqual([toMs - fromMs, limit], [2 * 24 * 60 * MIN, 2000]);
    await assert.rejects(run(cronCalendar, {}, { flags: { days: 0 } }), { code: 'invalid', message: /--days is 0/ });
    assert.match((await run(cronShow, { 'cron.get': JOB }, { args: ['Stretch'] })).out, /^Stretch\n/);
  });

  test('status tells of trouble with the file and ends with 1', async () => {
    const fine = await run(cronStatus, { 'cron.status': { enabled: true, storePath: '/x/jobs.json', jobs: 1, enabledJobs: 1, running: 0, nextWakeAtMs: Date.now() + 10 * MIN } });
    assert.match(fine.out, /^The scheduler is on\. 1 job, 1 of them on, 0 running\.\nNext run in (9|10) min, .*\nJobs are kept in \/x\/jobs\.json\.$/);
    const trouble = await run(cronStatus, { 'cron.status': { enabled: false, storePath: '/x', jobs: 0, enabledJobs: 0, running: 0, nextWakeAtMs: null, problem: 'line 3: not JSON' } });
    assert.deepEqual([fine.code, trouble.code, trouble.err], [0, 1, 'line 3: not JSON']);
    assert.match(trouble.out, /off \(cron\.enabled\)/);
    assert.match((await run(cronList, { 'cron.status': { problem: 'line 3: not JSON' } })).err, /^warning: line 3: not JSON$/, 'and so does the list');
  });

  test('times are told in the zone of the person, by its name, wherever the terminal is', async () => {
    const answers = { 'cron.status': { enabled: true, storePath: '/x', jobs: 1, nextWakeAtMs: NOW, zone: 'Asia/Tokyo' }, 'cron.add': JOB, 'cron.get': JOB, 'cron.preview': JOB, 'cron.runs': { entries: [entry] }, 'cron.calendar': { runs: [{ jobId: 'a', name: 'A', atMs: NOW }], more: false } };
    const [status, added, shown, next, runs, calendar] = await Promise.all([
      run(cronStatus, answers), run(cronAdd, answers, { flags: { every: '20m', message: 'm' } }), run(cronShow, answers, { args: ['Stretch'] }), run(cronNext, answers, { args: ['x'] }), run(cronRuns, answers), run(cronCalendar, answers),
    ]);
    for (const { out } of [added, shown, next]) assert.match(out, /Thu 15 Jan 2026, 21:20 Asia\/Tokyo/);
    assert.match(status.out, /Thu 15 Jan 2026, 21:00 Asia\/Tokyo/);
    for (const { out } of [runs, calendar]) assert.match(out, /^Times in Asia\/Tokyo\.\n[\s\S]*21:00/);
  });
});

const entry = { ts: 2, jobId: JOB.id, jobName: 'Stretch', action: 'finished', status: 'error', error: 'broke\nbadly', runAtMs: NOW, durationMs: 65_000, deliveryStatus: 'not-delivered', runId: 'r', slotMs: NOW, attempt: 2, trigger: 'retry' } as const;

describe('cron runs', () => {
  test('tell when, how long, how and why', () => {
    assert.match(runsText([entry], HERE), /Thu 15 Jan 2026, 13:00 +Stretch +error +1 min +not sent +retry 2 +broke$/);
    assert.equal(runsText([], HERE), 'No runs yet.');
  });

  test('of one job, also one that is gone, or of all', async () => {
    assert.deepEqual((await run(cronRuns, { 'cron.runs': { entries: [] } }, { flags: { id: 'Stretch', limit: 3 } })).sent('cron.runs'), { id: JOB.id, limit: 3 });
    assert.deepEqual((await run(cronRuns, { 'cron.runs': { entries: [] } })).sent('cron.runs'), { limit: 50 });
    assert.match((await run(cronRuns, { 'cron.runs': { entries: [entry] } }, { flags: { id: 'gone-but-known' } })).out, /broke/);
    await assert.rejects(run(cronRuns, { 'cron.runs': { entries: [] } }, { flags: { id: 'never-there' } }), (error) => error instanceof AppError && error.code === 'not_found');
  });
});

describe('system', () => {
  test('event tells the agent, now or later', async () => {
    const later = await run(systemEvent, { wake: { ok: true } }, { flags: { text: ' look ' } });
    assert.deepEqual([later.sent('wake'), later.out], [{ text: 'look', mode: 'next-heartbeat' }, 'Told; the agent sees it with its next heartbeat or message.']);
    const now = await run(systemEvent, { wake: { ok: true } }, { flags: { text: '-', mode: 'now', session: 'agent:work:main' }, stdin: 'from a script\n' });
    assert.deepEqual(now.sent('wake'), { text: 'from a script', mode: 'now', sessionKey: 'agent:work:main' });
    for (const flags of [{ text: 'x', mode: 'later' }, { text: '  ' }]) await assert.rejects(run(systemEvent, {}, { flags }), { code: 'invalid' });
  });

  test('heartbeat tells how the last look went, and is switched', async () => {
    assert.equal((await run(heartbeatLast, { 'last-heartbeat': null })).out, 'The agent has not looked yet.');
    const { out } = await run(heartbeatLast, { 'last-heartbeat': { ts: Date.now() - 5 * MIN, agentId: 'main', status: 'sent', reason: 'interval', channel: 'telegram', to: '42', preview: 'Mail came' } });
    assert.match(out, /^5 min ago, main: told a person \(interval\), telegram 42\.\n {2}Mail came$/);
    assert.match((await run(heartbeatLast, { 'last-heartbeat': { ts: Date.now(), status: 'skipped', reason: 'empty-heartbeat-file' } })).out, /it did not look \(HEARTBEAT\.md asks for nothing\)/);
    assert.deepEqual((await run(heartbeatDisable, { 'set-heartbeats': { ok: true } })).sent('set-heartbeats'), { enabled: false });
    assert.deepEqual((await run(heartbeatEnable, { 'set-heartbeats': { ok: true } })).sent('set-heartbeats'), { enabled: true });
  });
});

describe('the command line', () => {
  const rows = cronCommands.map(({ name, aliases = [], summary, args = [], options = {}, load }): Command => ({ name, aliases, summary, args, options, load }));

  test('understands the documented spellings', async () => {
    const answers = { 'cron.add': JOB, 'cron.list': { jobs: [JOB], total: 1 }, 'cron.run': { ran: true }, 'cron.runs': { entries: [] }, 'last-heartbeat': null, wake: {} };
    const lines = [
      ['cron'], ['cron', 'list', '--all', '--json'], ['cron', 'add', '--name', 'n', '--cron', '0 7 * * *', '--tz', 'Europe/Berlin', '--message', 'm', '--deliver', '--channel', 'last', '--to', '42'], ['cron', 'run', '1a2b', '--force'],
      ['cron', 'runs', '--id', '1a2b', '--limit', '5'], ['system', 'heartbeat'], ['system', 'event', '--text', 'x', '--mode', 'now'],
    ];
    for (const line of lines) {
      const io = fakeTerminal({ answers });
      assert.equal(await runCli(line, io, rows), 0, `${line.join(' ')}: ${io.errors.join('\n')}`);
      assert.equal(io.open.count, 0);
    }
  });

  test('ends with 2 for what it does not know, 1 for what does not work', async () => {
    const io = fakeTerminal({ answers: {} });
    assert.equal(await runCli(['cron', 'lst'], io, rows), 2);
    assert.match(io.errors[0]!, /Did you mean cron list\?/);
    assert.equal(await runCli(['cron', 'add', '--message', 'm'], io, rows), 1);
    assert.equal(await runCli(['cron', 'rm'], io, rows), 2);
  });
});
