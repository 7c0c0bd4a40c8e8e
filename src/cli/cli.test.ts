/** A command line as a person types it: what is understood, what is printed, with which exit code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fakeTerminal } from './fake.ts';
import { runCli } from './cli.ts';
import { ownCommands } from './all-commands.ts';

const COMMANDS = await ownCommands();

const run = async (argv: string, io = fakeTerminal()) => ({
  code: await runCli(argv === '' ? [] : argv.split(' '), io),
  io,
});

test('--version prints the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  for (const spelling of ['--version', '-v']) {
    const { code, io } = await run(spelling);
    assert.deepEqual([code, io.lines, io.connects.length], [0, [version], 0]);
  }
});

test('help names every command, and nothing is loaded or connected for it', async () => {
  for (const spelling of ['', '--help', '-h', 'help']) {
    const { code, io } = await run(spelling);
    assert.equal(code, 0);
    for (const { name, summary } of COMMANDS)
      assert.ok(io.lines[0]!.includes(name) && io.lines[0]!.includes(summary), `${name} is missing`);
    assert.equal(io.connects.length, 0);
  }
});

test('each command explains its arguments and options', async () => {
  for (const command of COMMANDS) {
    const { code, io } = await run(`${command.name} --help`);
    assert.equal(code, 0);
    assert.ok(io.lines[0]!.includes(command.summary));
    for (const option of Object.keys(command.options ?? {}))
      assert.ok(io.lines[0]!.includes(`--${option}`), `${command.name} hides --${option}`);
  }
});

test('each command of the table has code behind it', async () => {
  for (const command of COMMANDS) assert.equal(typeof (await command.load(COMMANDS)), 'function', command.name);
});

test('a group alone, or with --help, lists its commands', async () => {
  for (const spelling of ['config', 'config --help', 'help config']) {
    const { code, io } = await run(spelling);
    assert.equal(code, 0);
    assert.ok(io.lines[0]!.includes('config validate') && !io.lines[0]!.includes('sessions list'));
  }
});

test('help for a group that does something alone names what else it can do', async () => {
  const { io } = await run('approvals --help');
  assert.match(
    io.lines[0]!,
    /Usage: clawdbot approvals list[^]*More commands:[^]*approvals approve[^]*approvals watch[^]*approvals allowlist add/,
  );
  assert.doesNotMatch((await run('approvals watch --help')).io.lines[0]!, /More commands/);
});

test('what is mistyped exits with 2 and names the nearest right spelling', async () => {
  const cases: [string, RegExp][] = [
    ['statsu', /Unknown command: statsu\.\nDid you mean status\?/],
    ['sessions lst', /Unknown command: sessions lst\.\nDid you mean sessions list\?/],
    ['session list', /Did you mean sessions list\?/],
    ['status --jsno', /Unknown option --jsno\.\nDid you mean --json\?/],
    ['--frobnicate', /Unknown option --frobnicate/],
    ['agent', /Missing <message> or --message/],
    ['gateway call', /Missing <method>/],
    ['gateway run --port many', /--port must be a number, not "many"/],
    ['gateway run --port', /--port needs a value/],
    ['status --json=yes', /--json takes no value/],
    ['sessions show a b', /"b"/],
  ];
  for (const [argv, message] of cases) {
    const { code, io } = await run(argv);
    assert.equal(code, 2, argv);
    assert.match(io.errors.join('\n'), message);
    assert.deepEqual(io.lines, [], 'nothing on standard output');
  }
});

test('a gateway that cannot be reached is one line and exit code 1', async () => {
  for (const argv of [
    'health',
    'sessions',
    'models list',
    'devices list',
    'logs',
    'agent --message hi',
    'gateway call health',
  ]) {
    const { code, io } = await run(argv);
    assert.deepEqual([code, io.errors, io.lines], [1, ['No gateway answers at ws://127.0.0.1:18789.'], []], argv);
  }
});

test('a refusal of the gateway is printed in its own words', async () => {
  const { code, io } = await run('gateway call no.such', fakeTerminal({ answers: {} }));
  assert.deepEqual([code, io.errors, io.open.count], [1, ['unknown method: no.such'], 0]);
});

test('--url and --token reach the connection, which is closed afterwards', async () => {
  const { io } = await run(
    'health --url ws://10.0.0.1:1 --token secret',
    fakeTerminal({ answers: { health: { ok: true } } }),
  );
  assert.deepEqual(
    io.connects.map(({ url, token }) => ({ url, token })),
    [{ url: 'ws://10.0.0.1:1', token: 'secret' }],
  );
  const reported = await run(
    'health',
    fakeTerminal({
      answers: {
        health: { ok: true, channels: { telegram: { summary: 'Telegram: running' } }, channelOrder: ['telegram'] },
      },
    }),
  );
  assert.deepEqual(
    reported.io.lines,
    ['gateway   healthy\nchannels  Telegram: running'],
    'channels in words, not as JSON',
  );
  assert.equal(io.open.count, 0);
});

test('gateway run passes its options to the application, and `gateway` is short for it', async () => {
  const { code, io } = await run('gateway run --port 0 --bind lan --token t --verbose');
  assert.deepEqual([code, io.runs], [0, [{ port: 0, bind: 'lan', token: 't', verbose: true }]]);
  assert.deepEqual((await run('gateway')).io.runs, [{ verbose: false }]);
});

test('gateway call sends JSON params and prints the answer as JSON', async () => {
  const io = fakeTerminal({ answers: { 'chat.history': (params: unknown) => ({ got: params }) } });
  assert.equal(await runCli(['gateway', 'call', 'chat.history', '--params', '{"sessionKey":"main"}'], io), 0);
  assert.deepEqual(JSON.parse(io.lines[0]!), { got: { sessionKey: 'main' } });
  assert.equal(await runCli(['gateway', 'call', 'chat.history', '--params', '{oops'], io), 1);
  assert.match(io.errors[0]!, /--params is not JSON/);
});
