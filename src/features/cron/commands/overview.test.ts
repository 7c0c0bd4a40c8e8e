// What the terminal plans and shows of scheduled work, asked of a gateway that is played.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { calendarText } from './calendar.ts';
import { jobsText, jobText, plannedText, relative, runsText } from './text.ts';
import type { Command } from '../../../cli/command.ts';
import { runCli } from '../../../cli/cli.ts';
import { ownCommands } from '../../../cli/all-commands.ts';
import { fakeTerminal } from '../../../cli/fake.ts';
import { cronCalendar, cronList, cronNext, cronRuns, cronShow, cronStatus } from './overview.ts';
import { cronAdd } from './edit.ts';
import { MIN, NOW, JOB, run } from './harness.ts';

const HERE = { now: NOW, zone: 'Europe/Berlin' };

describe('what is planned', () => {
  test('stands in columns, in words and relative times', () => {
    const off = { ...JOB, id: 'b', name: 'Off', enabled: false, delivery: undefined, state: {} };
    const broken = {
      ...JOB,
      id: 'c',
      name: 'Broken',
      problem: 'No zone.',
      agentId: 'work',
      state: { lastRunAtMs: NOW - 3 * 3_600_000, lastStatus: 'error' },
    };
    const here = {
      ...JOB,
      id: 'd',
      name: 'Here',
      agentId: 'main',
      sessionTarget: 'session:agent:main:main',
      state: { runningAtMs: NOW - 5000 },
    };
    assert.equal(
      jobsText([JOB, off, broken, here], HERE),
      [
        'ID        NAME     WHEN              NEXT             LAST           RUNS IN           ANSWER TO',
        '1a2b3c4d  Stretch  every 20 minutes  in 20 min        ok 5 min ago   isolated          telegram 42',
        'b         Off      every 20 minutes  off              -              isolated          -',
        'c         Broken   every 20 minutes  cannot run       error 3 h ago  isolated of work  telegram 42',
        'd         Here     every 20 minutes  running for 5 s  -              agent:main:main   telegram 42',
      ].join('\n'),
    );
    assert.match(jobsText([], HERE), /^No jobs\./);
    assert.deepEqual(
      [relative(NOW, HERE), relative(NOW + 90 * MIN, HERE), relative(NOW - MIN, HERE)],
      ['now', 'in 1 h', '1 min ago'],
    );
  });

  test('shows all that hides in text from elsewhere', () => {
    const name = 'ok\u202Eevil\u001b[2J\nID  fake';
    assert.doesNotMatch(
      jobsText([{ ...JOB, name }], HERE) +
        jobText({ ...JOB, name, payload: { kind: 'agentTurn', message: 'a\u001b[31m' } }, HERE),
      /[\u001b\u202e]/,
    );
    assert.equal(jobsText([{ ...JOB, name }], HERE).split('\n').length, 2);
  });

  test('one job with everything about it', () => {
    const text = jobText(
      { ...JOB, state: { ...JOB.state, lastStatus: 'error', lastError: 'broke' }, missed: { policy: 'all' } },
      HERE,
    );
    for (const says of [
      /^Stretch\n/,
      /when +every 20 minutes/,
      /next +Thu 15 Jan 2026, 13:20 Europe\/Berlin \(in 20 min\)\n +Thu 15 Jan 2026, 13:40/,
      /last +error, .* took 800 ms/,
      /error +broke/,
      /missed +all/,
      /message +Reminder: stretch$/,
    ])
      assert.match(text, says);
    assert.match(jobText({ ...JOB, enabled: false, state: { disabledReason: 'gave up' } }, HERE), /next +off: gave up/);
    const once = { ...JOB, enabled: false, schedule: { kind: 'at', atMs: 1 } };
    assert.match(jobText(once, HERE), /next +done/);
    assert.match(jobText({ ...once, state: {} }, HERE), /next +off/);
    assert.equal(plannedText({ when: 'once', nextRunsAtMs: [] }, HERE), 'once\n  never');
  });

  test('by day, and what comes often is one line', () => {
    const often = Array.from({ length: 20 }, (_, n) => ({ jobId: 'o', name: 'Often', atMs: NOW + n * 20 * MIN }));
    const runs = [
      ...often,
      { jobId: JOB.id, name: 'Once', atMs: NOW + 5 * MIN },
      { jobId: JOB.id, name: 'Once', atMs: NOW + 24 * 60 * MIN },
    ];
    assert.equal(
      calendarText({ runs, more: true }, HERE),
      [
        'Times in Europe/Berlin.',
        '',
        'Thursday 15 January 2026',
        '  13:00 – 19:20  Often (o) ×20',
        '  13:05          Once (1a2b3c4d)',
        '',
        'Friday 16 January 2026',
        '  13:00          Once (1a2b3c4d)',
        '',
        'More runs after Fri 16 Jan 2026, 13:00; use fewer --days.',
      ].join('\n'),
    );
    assert.equal(calendarText({ runs: [], more: false }, HERE), 'No runs in this period.');
  });

  test('is asked for with what was given', async () => {
    const list = await run(
      cronList,
      { 'cron.list': { jobs: [{ ...JOB, problem: 'No agent.' }], total: 3, hasMore: true } },
      { flags: { all: true, agent: 'work', limit: 1 } },
    );
    assert.deepEqual(
      [list.sent('cron.list'), list.err],
      [
        { includeDisabled: true, limit: 1, agentId: 'work' },
        'warning: Stretch: No agent.\n(2 more; use --limit to show them)',
      ],
    );
    const next = await run(
      cronNext,
      { 'cron.preview': { when: 'w', nextRunsAtMs: [] } },
      { args: ['every day at 9'], flags: { tz: 'Asia/Tokyo', count: 2 } },
    );
    assert.deepEqual(
      [next.sent('cron.preview'), next.out],
      [{ schedule: 'every day at 9 (Asia/Tokyo)', count: 2 }, 'w\n  never'],
    );
    const { fromMs, toMs, limit } = (
      await run(cronCalendar, { 'cron.calendar': { runs: [], more: false } }, { flags: { days: 2 } })
    ).sent('cron.calendar');
    assert.deepEqual([toMs - fromMs, limit], [2 * 24 * 60 * MIN, 2000]);
    await assert.rejects(run(cronCalendar, {}, { flags: { days: 0 } }), { code: 'invalid', message: /--days is 0/ });
    assert.match((await run(cronShow, { 'cron.get': JOB }, { args: ['Stretch'] })).out, /^Stretch\n/);
  });

  test('status tells of trouble with the file and ends with 1', async () => {
    const fine = await run(cronStatus, {
      'cron.status': {
        enabled: true,
        storePath: '/x/jobs.json',
        jobs: 1,
        enabledJobs: 1,
        running: 0,
        nextWakeAtMs: Date.now() + 10 * MIN,
      },
    });
    assert.match(
      fine.out,
      /^The scheduler is on\. 1 job, 1 of them enabled, 0 running\.\nNext run in (9|10) min, .*\nJobs file: \/x\/jobs\.json\.$/,
    );
    const trouble = await run(cronStatus, {
      'cron.status': {
        enabled: false,
        storePath: '/x',
        jobs: 0,
        enabledJobs: 0,
        running: 0,
        nextWakeAtMs: null,
        problem: 'line 3: not JSON',
      },
    });
    assert.deepEqual([fine.code, trouble.code, trouble.err], [0, 1, 'line 3: not JSON']);
    assert.match(trouble.out, /off \(cron\.enabled\)/);
    assert.match(
      (await run(cronList, { 'cron.status': { problem: 'line 3: not JSON' } })).err,
      /^warning: line 3: not JSON$/,
      'and so does the list',
    );
  });

  test('times are shown in the zone of the person with its name, wherever the terminal is', async () => {
    const answers = {
      'cron.status': { enabled: true, storePath: '/x', jobs: 1, nextWakeAtMs: NOW, zone: 'Asia/Tokyo' },
      'cron.add': JOB,
      'cron.get': JOB,
      'cron.preview': JOB,
      'cron.runs': { entries: [entry] },
      'cron.calendar': { runs: [{ jobId: 'a', name: 'A', atMs: NOW }], more: false },
    };
    const [status, added, shown, next, runs, calendar] = await Promise.all([
      run(cronStatus, answers),
      run(cronAdd, answers, { flags: { every: '20m', message: 'm' } }),
      run(cronShow, answers, { args: ['Stretch'] }),
      run(cronNext, answers, { args: ['x'] }),
      run(cronRuns, answers),
      run(cronCalendar, answers),
    ]);
    for (const { out } of [added, shown, next]) assert.match(out, /Thu 15 Jan 2026, 21:20 Asia\/Tokyo/);
    assert.match(status.out, /Thu 15 Jan 2026, 21:00 Asia\/Tokyo/);
    for (const { out } of [runs, calendar]) assert.match(out, /^Times in Asia\/Tokyo\.\n[\s\S]*21:00/);
  });

  test('a job whose schedule names a zone is shown in that zone throughout', async () => {
    const job = { ...JOB, when: 'every day at 13:20 (Europe/Berlin)', zone: 'Europe/Berlin' };
    const answers = {
      'cron.status': { enabled: true, storePath: '/x', jobs: 1, zone: 'Asia/Tokyo' },
      'cron.add': job,
      'cron.get': job,
      'cron.preview': job,
    };
    const said = await Promise.all([
      run(cronAdd, answers, { flags: { cron: '20 13 * * *', tz: 'Europe/Berlin', message: 'm' } }),
      run(cronShow, answers, { args: ['Stretch'] }),
      run(cronNext, answers, { args: ['x'] }),
    ]);
    for (const { out } of said) {
      assert.match(out, /Thu 15 Jan 2026, 13:20 Europe\/Berlin/);
      assert.doesNotMatch(out, /Tokyo/);
    }
  });
});

const entry = {
  ts: 2,
  jobId: JOB.id,
  jobName: 'Stretch',
  action: 'finished',
  status: 'error',
  error: 'broke\nbadly',
  runAtMs: NOW,
  durationMs: 65_000,
  deliveryStatus: 'not-delivered',
  runId: 'r',
  slotMs: NOW,
  attempt: 2,
  trigger: 'retry',
} as const;

describe('cron runs', () => {
  test('tell when, how long, how and why', () => {
    assert.match(runsText([entry], HERE), /Thu 15 Jan 2026, 13:00 +Stretch +error +1 min +not sent +retry 2 +broke$/);
    assert.equal(runsText([], HERE), 'No runs yet.');
  });

  test('of one job, also one that is gone, or of all', async () => {
    assert.deepEqual(
      (await run(cronRuns, { 'cron.runs': { entries: [] } }, { flags: { id: 'Stretch', limit: 3 } })).sent('cron.runs'),
      { id: JOB.id, limit: 3 },
    );
    assert.deepEqual((await run(cronRuns, { 'cron.runs': { entries: [] } })).sent('cron.runs'), { limit: 50 });
    assert.match(
      (await run(cronRuns, { 'cron.runs': { entries: [entry] } }, { flags: { id: 'gone-but-known' } })).out,
      /broke/,
    );
    await assert.rejects(
      run(cronRuns, { 'cron.runs': { entries: [] } }, { flags: { id: 'never-there' } }),
      (error) => error instanceof AppError && error.code === 'not_found',
    );
  });
});

describe('the command line', async () => {
  const rows = (await ownCommands()).map(
    ({ name, aliases = [], summary, args = [], options = {}, load }): Command => ({
      name,
      aliases,
      summary,
      args,
      options,
      load,
    }),
  );

  test('understands the documented spellings', async () => {
    const answers = {
      'cron.add': JOB,
      'cron.list': { jobs: [JOB], total: 1 },
      'cron.run': { ran: true },
      'cron.runs': { entries: [] },
      'last-heartbeat': null,
      wake: {},
    };
    const lines = [
      ['cron'],
      ['cron', 'list', '--all', '--json'],
      [
        'cron',
        'add',
        '--name',
        'n',
        '--cron',
        '0 7 * * *',
        '--tz',
        'Europe/Berlin',
        '--message',
        'm',
        '--deliver',
        '--channel',
        'last',
        '--to',
        '42',
      ],
      ['cron', 'run', '1a2b', '--force'],
      ['cron', 'runs', '--id', '1a2b', '--limit', '5'],
      ['system', 'heartbeat'],
      ['system', 'event', '--text', 'x', '--mode', 'now'],
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
