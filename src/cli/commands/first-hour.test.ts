/**
 * What people type in their first hour: a message without a flag, sessions, agents, restart, version, health, the
 * dashboard.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { runCli } from '../cli.ts';
import { type Answers, fakeTerminal } from '../fake.ts';

const answered: Answers = {
  agent: ({ message, idempotencyKey }: any, emit: (event: string, payload: unknown) => void) => {
    queueMicrotask(() =>
      emit('chat', {
        runId: idempotencyKey,
        sessionKey: 'agent:main:main',
        seq: 0,
        state: 'final',
        message: { role: 'assistant', content: [{ type: 'text', text: `echo: ${message}` }] },
      }),
    );
    return { runId: idempotencyKey, status: 'accepted', sessionKey: 'agent:main:main' };
  },
  'exec.approval.list': [],
};
const run = async (argv: readonly string[], options: Parameters<typeof fakeTerminal>[0] = {}, tty = false) => {
  const io = fakeTerminal(options);
  if (tty) for (const stream of [io.stdout, io.stderr]) Object.assign(stream, { isTTY: true });
  const code = await runCli(argv, io);
  return { code, out: io.lines.join('\n'), err: io.errors.join('\n'), io };
};

test('a message needs no flag, no quotes, and has a short one', async () => {
  for (const argv of [
    ['agent', 'hello', 'you'],
    ['agent', 'hello you'],
    ['agent', '-m', 'hello you'],
    ['agent', '--message', 'hello you'],
    ['agent', '--json', '-m', 'hello you'],
  ]) {
    const { code, out, err } = await run(argv, { answers: answered });
    assert.deepEqual([code, out.includes('echo: hello you'), err], [0, true, ''], argv.join(' '));
  }
  assert.deepEqual(
    (await run(['agent', '-m', '-'], { answers: answered, stdin: 'from a pipe' })).out,
    'echo: from a pipe',
  );
  assert.deepEqual((await run(['agent', '-'], { answers: answered, stdin: 'from a pipe' })).out, 'echo: from a pipe');
  assert.deepEqual(
    [(await run(['agent'])).code, (await run(['agent'])).err.split('\n')[0]],
    [2, 'Missing <message> or --message.'],
  );
  assert.deepEqual(
    [(await run(['agent', 'a', '-m', 'b'])).code, (await run(['agent', 'a', '-m', 'b'])).err.split('\n')[0]],
    [2, '<message> is given twice: as an argument and with --message.'],
  );
});

test('a session is deleted by its key; an unknown key is an error', async () => {
  const gone = await run(['sessions', 'delete', 'scratch'], {
    answers: { 'sessions.delete': { key: 'agent:main:scratch', deleted: true, archived: ['/s/x.jsonl.deleted'] } },
  });
  assert.deepEqual(
    [gone.code, gone.out],
    [0, 'Deleted agent:main:scratch.\nTranscript archived as /s/x.jsonl.deleted.'],
  );
  const none = await run(['sessions', 'rm', 'scratch'], {
    answers: { 'sessions.delete': { key: 'agent:main:scratch', deleted: false } },
  });
  assert.deepEqual(
    [none.code, none.err],
    [1, 'No session agent:main:scratch. Run `clawdbot sessions list` to list them.'],
  );
});

test('agents are listed with their model, and the default is marked', async () => {
  const answers = {
    'agents.list': {
      defaultId: 'main',
      agents: [
        {
          id: 'main',
          identity: { name: 'Clawd', emoji: '🦞' },
          workspace: '/w',
          model: { primary: 'offline/concierge' },
        },
        { id: 'work' },
      ],
    },
  };
  const { out } = await run(['agents'], { answers });
  assert.match(out, /^AGENT +NAME +MODEL +WORKSPACE\nmain \(default\) +🦞 Clawd +offline\/concierge +\/w\nwork$/);
  assert.equal(JSON.parse((await run(['agents', '--json'], { answers })).out).defaultId, 'main');
});

test('gateway restart waits until the gateway answers again', async () => {
  const answers: Answers = {
    'gateway.restart.request': (_params: unknown, emit: (event: string, payload: unknown) => void) => {
      queueMicrotask(() => emit('disconnected', undefined));
      return { ok: true };
    },
  };
  const io = fakeTerminal({ answers });
  const connect = io.connect.bind(io);
  let refusals = 2;
  const code = await runCli(['gateway', 'restart', '--json'], {
    ...io,
    connect: async (options) => {
      if (io.connects.length > 0 && refusals-- > 0) throw new AppError('network', 'it is not there yet');
      return connect(options);
    },
  });
  assert.deepEqual(
    [code, JSON.parse(io.lines[0]!).ok, JSON.parse(io.lines[0]!).version, io.open.count],
    [0, true, '9.9.9', 0],
  );
  assert.deepEqual(io.requests[0]!.params, { delayMs: 0, reason: 'gateway restart' });
});

test('channels answer to the name of their youth, sub-commands and arguments too', async () => {
  const answers = { 'channels.status': { channelOrder: [], channels: {}, channelAccounts: {} } };
  for (const argv of [
    ['providers', 'status'],
    ['channels', 'status'],
  ])
    assert.match((await run(argv, { answers })).out, /No channel is configured/, argv.join(' '));
  const vars = { HOME: '/nonexistent' };
  assert.match((await run(['providers'], { vars })).out, /^CHANNEL/);
  assert.match((await run(['providers', 'capabilities', 'telegram'], { vars })).out, /^Telegram \(telegram\)/);
  assert.match((await run(['providers', 'add', '--help'], { vars })).out, /--channel <[^>]*telegram[^>]*>/);
  assert.equal(
    (
      await run(['cron', 'remove', 'x'], {
        answers: { 'cron.list': { jobs: [{ id: 'x', name: 'X' }] }, 'cron.remove': { removed: true } },
      })
    ).code,
    0,
    'an alias with an argument',
  );
});

test('version says what runs where', async () => {
  const { out } = await run(['version']);
  assert.match(out, /^version +\d+\.\d+\.\d+\nnode +v24/);
});

test('health is printed as text, and as JSON on request', async () => {
  const report = {
    ok: true,
    durationMs: 3,
    phase: 'ready',
    eventLoop: { degraded: false, delayP99Ms: 1.25 },
    channels: { telegram: { ok: true, summary: 'Telegram: running' } },
    channelOrder: ['telegram'],
    heartbeatSeconds: 1800,
    defaultAgentId: 'main',
    sessions: { path: '/s', count: 2, recent: [{ key: 'agent:main:main', updatedAt: Date.now() - 120_000, age: 1 }] },
    storage: { ok: true },
    config: { valid: true, source: 'file', safeMode: false, issues: [] },
    overdue: 0,
  };
  const { code, out } = await run(['health'], { answers: { health: report } });
  assert.deepEqual(
    [code, out],
    [
      0,
      [
        'gateway    healthy, ready (checked in 3 ms)',
        'channels   Telegram: running',
        'sessions   2, the newest agent:main:main, 2 min ago',
        'heartbeat  every 30 min, agent main',
        'speed      event loop p99 1.3 ms',
      ].join('\n'),
    ],
  );
  const ill = await run(['health'], {
    answers: { health: { ...report, storage: { ok: false, error: 'the disk is full' }, overdue: 2 } },
  });
  assert.match(
    ill.out,
    /^gateway +degraded[^]*trouble +storage: the disk is full\ntrouble +2 accepted messages have not finished$/,
  );
  assert.deepEqual(JSON.parse((await run(['health', '--json'], { answers: { health: report } })).out), report);
});

test('help is in groups with examples, and in colour only where a terminal shows it', async () => {
  const piped = (await run(['--help'])).out;
  for (const heading of ['Run and inspect:', 'Talk:', 'Channels and people:', 'Time:', 'Configuration:', 'Examples:'])
    assert.ok(piped.includes(`\n${heading}\n`), heading);
  assert.doesNotMatch(piped, /More:/, 'every command has its group');
  assert.match((await run(['agent', '--help'])).out, /-m, --message <text>[^]*Examples:\n {2}clawdbot agent hello\n/);
  const seen = (await run(['--help'], {}, true)).out;
  assert.match(seen, /\u001b\[1mTalk:/);
  assert.equal(seen.replaceAll(/\u001b\[\d+m/g, ''), piped);
  for (const vars of [{ NO_COLOR: '1' }, { TERM: 'dumb' }] as const)
    assert.doesNotMatch((await run(['--help'], { vars }, true)).out, /\u001b/);
  assert.match((await run(['statsu'], {}, true)).err, /^\u001b\[31mUnknown command/);
});

test('who waits at a terminal sees that something goes on, and nothing of it stays; a pipe gets none of it', async () => {
  const frames = Promise.withResolvers<void>();
  const slow: Answers = {
    ...answered,
    agent: async (params: any, emit: any) => {
      await frames.promise;
      return (answered['agent'] as (params: any, emit: any) => unknown)(params, emit);
    },
  };
  const io = fakeTerminal({ answers: slow });
  for (const stream of [io.stdout, io.stderr]) Object.assign(stream, { isTTY: true });
  let signs = '';
  io.stderr.on('data', (chunk) => {
    signs += String(chunk);
    if (signs.includes('thinking')) frames.resolve();
  });
  assert.equal(await runCli(['agent', 'hello'], io), 0);
  assert.match(signs, /⠋ thinking/);
  assert.match(signs, /\r\u001b\[2K$/, 'the line is clean again');
  assert.equal((await run(['agent', 'hello'], { answers: answered })).io.signs(), '');
});
