/** Commands that work on this machine's files: `config …`, `doctor`, `dashboard`. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { until } from '../testing/until.ts';
import { runCli } from './cli.ts';
import { type Answers, fakeTerminal } from './fake.ts';

async function home(t: TestContext, config?: string) {
  const dir = await tempDir();
  t.after(() => dir[Symbol.asyncDispose]());
  const state = join(dir.path, '.clawdbot');
  const file = join(state, 'clawdbot.json');
  await mkdir(state, { mode: 0o700 });
  if (config !== undefined) await writeFile(file, config, { mode: 0o600 });
  const run = async (
    argv: string[],
    { answers, vars = {}, tty = false }: { answers?: Answers; vars?: Record<string, string>; tty?: boolean } = {},
  ) => {
    const io = fakeTerminal({ ...present({ answers }), vars: { HOME: dir.path, ...vars } });
    if (tty) Object.assign(io.stdout, { isTTY: true });
    const code = await runCli(argv, io);
    return { code, out: io.lines.join('\n'), err: io.errors.join('\n') };
  };
  return { run, file, state };
}

test('config set changes one value and leaves comments alone', async (t) => {
  const { run, file } = await home(t, '// mine\n{ gateway: { port: 4000 } }\n');
  assert.deepEqual(await run(['config', 'set', 'gateway.port', '4001']), {
    code: 0,
    out: 'gateway.port is set.',
    err: '',
  });
  const text = await readFile(file, 'utf8');
  assert.match(text, /^\/\/ mine/);
  assert.equal((await run(['config', 'get', 'gateway.port'])).out, '4001');
});

test('config set returns once the running gateway has taken the change up, and also when that restarts it', async (t) => {
  const { run, file, state } = await home(t, '{}');
  await writeFile(join(state, 'gateway.lock'), '{}');
  const asked: string[] = [];
  const answers = {
    'config.get': async () => {
      asked.push(await readFile(file, 'utf8'));
      if (asked.length === 3) throw new AppError('unavailable', 'The gateway restarts.');
      return { hash: 'of before' };
    },
  };
  assert.deepEqual(await run(['config', 'set', 'gateway.port', '4001'], { answers }), {
    code: 0,
    out: 'gateway.port is set.',
    err: '',
  });
  assert.equal(asked.length, 3);
  assert.match(asked[0]!, /4001/);
});

test('config set takes JSON5 or plain text, and config unset brings the default back', async (t) => {
  const { run } = await home(t, '{}');
  await run(['config', 'set', 'agents.defaults.workspace', '~/elsewhere']);
  assert.equal((await run(['config', 'get', 'agents.defaults.workspace'])).out, '~/elsewhere');
  assert.equal((await run(['config', 'get', 'agents.defaults.workspace', '--json'])).out, '"~/elsewhere"');
  await run(['config', 'unset', 'agents.defaults.workspace']);
  assert.equal((await run(['config', 'get', 'agents.defaults.workspace'])).out, '~/clawd');
});

test('a value that is wrong is refused with its path, and the file stays as it was', async (t) => {
  const { run, file } = await home(t, '{ gateway: { port: 4000 } }');
  const { code, err } = await run(['config', 'set', 'gateway.port', 'many']);
  assert.equal(code, 1);
  assert.match(err, /gateway\.port/);
  assert.equal(await readFile(file, 'utf8'), '{ gateway: { port: 4000 } }');
});

test('config get never shows a secret', async (t) => {
  const { run } = await home(t, '{ gateway: { auth: { token: "a-very-secret-token-of-mine" } } }');
  for (const argv of [
    ['config', 'get'],
    ['config', 'get', 'gateway.auth.token'],
  ]) {
    const { code, out } = await run(argv);
    assert.equal(code, 0);
    assert.doesNotMatch(out, /a-very-secret/);
  }
});

test('config validate tells path and problem, in words or as JSON', async (t) => {
  const { run, file } = await home(t, '{ gateway: { port: "x" } }');
  const words = await run(['config', 'validate']);
  assert.equal(words.code, 1);
  assert.match(words.out, /gateway\.port/);
  const { valid, path, issues } = JSON.parse((await run(['config', 'validate', '--json'])).out);
  assert.deepEqual([valid, path, issues[0].path], [false, file, 'gateway.port']);
  await writeFile(file, '{}');
  assert.equal((await run(['config', 'validate'])).code, 0);
});

test('config set refuses a name nobody knows, unless it is forced', async (t) => {
  const { run, file } = await home(t, '{}');
  for (const path of ['gateway.prot', 'channels.telegram.botTokn']) {
    const { code, err } = await run(['config', 'set', path, '5']);
    assert.equal(code, 1);
    assert.match(err, /no such setting; nothing was changed.*Did you mean ".*".*--force/);
  }
  assert.equal(await readFile(file, 'utf8'), '{}');
  assert.equal((await run(['config', 'set', 'gateway.prot', '5', '--force'])).code, 0);
  assert.match(await readFile(file, 'utf8'), /"?prot"?: 5/);
  assert.equal((await run(['config', 'unset', 'gateway.prot'])).code, 0, 'and what is unknown can be removed');
  const channel = await run(['config', 'set', 'channels.telegrm.enabled', 'true']);
  assert.equal(channel.code, 1, 'a channel that is none is no setting either');
  assert.match(channel.err, /no channel "telegrm".*Did you mean "telegram"\?.*--force/);
});

test('config set refuses a model for pictures that takes none, unless it is forced', async (t) => {
  const models = `models: { providers: { mine: { baseUrl: "http://127.0.0.1:1/v1", models: [
    { id: "blind", input: ["text"] }, { id: "eyes", input: ["text", "image"] }, { id: "unknown" }] } } }`;
  const { run, file } = await home(t, `{ ${models} }`);
  const set = (value: string, ...flags: string[]) =>
    run(['config', 'set', 'agents.defaults.imageModel', value, ...flags]);
  for (const value of ['mine/blind', '{ primary: "mine/eyes", fallbacks: ["mine/blind"] }']) {
    const { code, err } = await set(value);
    assert.equal(code, 1);
    assert.match(
      err,
      /mine\/blind does not accept images\. Use one that does, such as mine\/eyes;.*Nothing was changed.*--force/,
    );
    assert.equal(await readFile(file, 'utf8'), `{ ${models} }`);
  }
  for (const value of ['mine/eyes', 'mine/unknown']) assert.equal((await set(value)).code, 0, value);
  const forced = await set('mine/blind', '--force');
  assert.deepEqual([forced.code, /warning: .*mine\/blind does not accept images/.test(forced.err)], [0, true]);
  assert.equal(
    (await run(['config', 'set', 'gateway.port', '4000'])).code,
    0,
    'what stood there already holds up nothing',
  );
});

test('config explain knows the environment: what wins over the file, what fills a gap, and which variable would', async (t) => {
  const { run } = await home(t, '{ gateway: { port: 4000 } }');
  const explain = async (path: string, vars = {}) =>
    JSON.parse((await run(['config', 'explain', path, '--json'], { vars })).out);
  const port = await explain('gateway.port', { MOLTBOT_GATEWAY_PORT: '4555' });
  assert.deepEqual([port.value, port.from, port.source], [4555, 'env', 'MOLTBOT_GATEWAY_PORT']);
  assert.deepEqual(
    [(await explain('gateway.port')).from, (await explain('gateway.port')).variables],
    ['file', ['CLAWDBOT_GATEWAY_PORT']],
  );
  const yields = await explain('tools.exec.backgroundMs', { PI_BASH_YIELD_MS: '1234' });
  assert.deepEqual([yields.value, yields.from, yields.source], [1234, 'env', 'PI_BASH_YIELD_MS']);
  for (const [path, name] of [
    ['gateway.auth.token', 'CLAWDBOT_GATEWAY_TOKEN'],
    ['channels.telegram.botToken', 'TELEGRAM_BOT_TOKEN'],
    ['models.providers.openrouter.apiKey', 'OPENROUTER_API_KEY'],
  ] as const) {
    const reported = await run(['config', 'explain', path], { vars: { [name]: 'a-secret-of-mine' } });
    assert.match(reported.out, new RegExp(`from +env \\(${name}`), path);
    assert.doesNotMatch(reported.out, /a-secret-of-mine/);
    assert.match((await run(['config', 'explain', path])).out, new RegExp(`variable +${name} in the environment`));
  }
  await run(['config', 'set', 'channels.telegram.botToken', '123456789:a-token-of-the-file', '--force']);
  const filed = await explain('channels.telegram.botToken', { TELEGRAM_BOT_TOKEN: 'x' });
  assert.deepEqual([filed.from, filed.variables], ['file', undefined], 'no variable wins over the file');
});

test('config explain names value, origin and meaning', async (t) => {
  const { run, file } = await home(t, '{ gateway: { port: 4000 } }');
  const { out } = await run(['config', 'explain', 'gateway.port']);
  assert.match(out, /4000/);
  assert.match(out, new RegExp(`file.*${file.replaceAll('.', '\\.')}`));
  assert.match(out, /18789/);
  assert.equal((await run(['config', 'path'])).out, file);
  assert.equal(JSON.parse((await run(['config', 'schema'])).out).type, 'object');
});

const GONE = 'No gateway answers at ws://127.0.0.1:18789.';

test('dashboard prints the address with the kept token behind #, to a terminal or when asked to', async (t) => {
  const { run, state } = await home(t, '{ gateway: { port: 4000 } }');
  const answers = {};
  assert.deepEqual(await run(['dashboard'], { answers }), { code: 0, out: 'http://127.0.0.1:4000/', err: '' });
  await writeFile(join(state, 'gateway.token'), 'kept\n');
  assert.equal((await run(['dashboard'], { answers, tty: true })).out, 'http://127.0.0.1:4000/#token=kept');
  assert.deepEqual(await run(['dashboard'], { answers }), {
    code: 0,
    out: 'http://127.0.0.1:4000/',
    err: 'The token is hidden because the output is not a terminal. Add --show-token to print it.',
  });
  assert.deepEqual(JSON.parse((await run(['dashboard', '--json'], { answers })).out), {
    url: 'http://127.0.0.1:4000/',
    running: true,
  });
  assert.equal(
    (await run(['dashboard', '--show-token'], { answers, vars: { CLAWDBOT_GATEWAY_TOKEN: 'from env' } })).out,
    'http://127.0.0.1:4000/#token=from%20env',
  );
});

test('dashboard says that nothing runs, and opens nothing then', async (t) => {
  const { run, state } = await home(t, '{ gateway: { port: 4000 } }');
  assert.deepEqual(await run(['dashboard']), { code: 1, out: 'http://127.0.0.1:4000/', err: GONE });
  assert.deepEqual(JSON.parse((await run(['dashboard', '--json'])).out), {
    url: 'http://127.0.0.1:4000/',
    running: false,
  });
  assert.equal(existsSync(join(state, 'dashboard.html')), false);
});

test("dashboard opens the page in a browser, and the token is in nobody's list of processes", async (t) => {
  const { run, state } = await home(t, '{ gateway: { port: 4000 } }');
  await writeFile(join(state, 'gateway.token'), 'kept\n');
  const seen = join(state, 'opened');
  await writeFile(join(state, 'xdg-open'), `#!/bin/sh\nprintf %s "$*" > ${seen}.part && mv ${seen}.part ${seen}\n`, {
    mode: 0o700,
  });
  const vars = { DISPLAY: ':0', PATH: `${state}:/usr/bin:/bin` };
  const { err } = await run(['dashboard'], { answers: {}, vars, tty: true });
  assert.equal(err, process.platform === 'linux' ? 'Opened in your browser.' : err);
  await until(() => existsSync(seen));
  assert.equal(await readFile(seen, 'utf8'), pathToFileURL(join(state, 'dashboard.html')).href);
  assert.match(await readFile(join(state, 'dashboard.html'), 'utf8'), /url=http:\/\/127\.0\.0\.1:4000\/#token=kept"/);
  assert.equal((await stat(join(state, 'dashboard.html'))).mode & 0o777, 0o600);
  for (const [argv, more] of [
    [['dashboard', '--no-open'], {}],
    [['dashboard'], { SSH_CONNECTION: '1 2 3 4' }],
    [['dashboard'], { DISPLAY: '' }],
  ] as const)
    assert.doesNotMatch(
      (await run([...argv], { answers: {}, vars: { ...vars, ...more }, tty: true })).err,
      /Opened/,
      JSON.stringify(more),
    );
});

test('gateway call prints a token that was made to a terminal only, unless it is asked to', async (t) => {
  const { run } = await home(t, '{}');
  const answers = { 'device.token.rotate': { deviceId: 'd', token: 'fresh-device-token', tokenDelivery: 'in-band' } };
  const call = ['gateway', 'call', 'device.token.rotate', '--params', '{"deviceId":"d"}'];
  assert.doesNotMatch((await run(call, { answers })).out, /fresh-device-token/);
  assert.match((await run(call, { answers })).out, /"tokenDelivery": "in-band"/);
  for (const reported of [await run(call, { answers, tty: true }), await run([...call, '--show-token'], { answers })])
    assert.match(reported.out, /fresh-device-token/);
});

const healthy = {
  version: '1.0.0',
  phase: 'ready',
  accepting: true,
  overdue: 0,
  storage: { ok: true },
  config: { valid: true, source: 'file', safeMode: false, issues: [] },
  model: { provider: 'openai', model: 'gpt', source: 'config' },
};

test('doctor finds nothing wrong with a gateway that is well', async (t) => {
  const { run } = await home(t, '{}');
  const { code, out } = await run(['doctor', '--json'], {
    answers: {
      status: healthy,
      'route.review': { issues: [] },
      'channels.status': { channelOrder: [], channels: {}, channelAccounts: {} },
      'cron.status': { enabled: true, jobs: 0 },
    },
  });
  const findings = JSON.parse(out) as { name: string; level: string; fix?: string }[];
  assert.deepEqual(
    findings.filter(({ name, level }) => level !== 'ok' && name !== 'control ui'),
    [],
  );
  assert.equal(code, 0);
});

test('doctor names a command of links or media that is not there', async (t) => {
  const findings = async (config: string) => {
    const { run } = await home(t, config);
    return (
      JSON.parse((await run(['doctor', '--json'])).out) as { name: string; level: string; detail: string }[]
    ).find(({ name }) => name === 'understanding commands');
  };
  const entry = (command: string): string => `{ command: '${command}', args: ['{{LinkUrl}}'] }`;
  assert.equal(
    (await findings(`{ tools: { links: { models: [${entry('link-understand')}, ${entry(process.execPath)}] } } }`))
      ?.level,
    'ok',
  );
  const found = await findings(
    `{ tools: { links: { enabled: false, models: [${entry('/no/such/a')}] }, media: { audio: { models: [{ ` +
      `command: '/no/such/b', args: ['{{MediaPath}}'] }] } } }, agents: { list: [{ id: 'main', tools: { links: ` +
      `{ models: [${entry('/no/such/c')}] } } }] } }`,
  );
  assert.equal(found?.level, 'warn');
  assert.match(
    found!.detail,
    /^agents\.list\[0\]\.tools\.links\.models\[0\]: "\/no\/such\/c" was not found \(and 1 more\)$/,
  );
  assert.match((await findings('{}'))!.detail, /no commands configured/);
});

test('doctor names jobs that do not run, and why', async (t) => {
  const { run } = await home(t, '{}');
  const findings = async (status: object, jobs: object[] = []) => {
    const { out } = await run(['doctor', '--json'], {
      answers: { 'cron.status': { enabled: true, storePath: '/jobs.json', jobs: 3, ...status }, 'cron.list': { jobs } },
    });
    const { level, detail } = (JSON.parse(out) as { name: string; level: string; detail: string }[]).find(
      ({ name }) => name === 'cron jobs',
    )!;
    return `${level}: ${detail}`;
  };
  assert.equal(await findings({ jobs: 0 }), 'ok: none');
  assert.equal(await findings({}, [{ name: 'Mail' }]), 'ok: 3 in /jobs.json');
  assert.equal(await findings({ problem: 'it is broken' }), 'fail: it is broken');
  assert.equal(await findings({ enabled: false }), 'warn: 3 stored, but the scheduler is off');
  assert.equal(
    await findings({}, [
      { name: 'Mail' },
      { name: 'Odd', problem: 'no such zone' },
      { name: 'Odder', problem: 'never comes' },
    ]),
    'warn: Odd: no such zone (and 1 more)',
  );
});

test('doctor names what is wrong with a fix for each, and repairs what it may', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await new Promise((listening) => taken.once('listening', listening));
  const { port } = taken.address() as AddressInfo;
  const { run, state, file } = await home(
    t,
    `{ gateway: { port: ${port}, auth: { token: 'short' } }, agents: { defaults: { maxConcurrent: 'x' } } }`,
  );
  await chmod(state, 0o755);
  await writeFile(
    join(state, 'journal.sqlite'),
    'this is not a database, and long enough to be looked at as one'.repeat(20),
  );

  const { code, out } = await run(['doctor', '--json']);
  const level = Object.fromEntries(
    (JSON.parse(out) as { name: string; level: string; fix?: string }[]).map((finding) => [
      finding.name,
      finding.level,
    ]),
  );
  assert.equal(code, 1);
  assert.deepEqual(
    [level['state directory'], level['journal'], level['config'], level['gateway'], level['secret']],
    ['fail', 'fail', 'fail', 'fail', 'warn'],
  );
  for (const { level: how, fix } of JSON.parse(out)) assert.equal(how === 'ok', fix === undefined);

  await writeFile(file, '{}');
  await run(['doctor', '--repair'], { vars: { CLAWDBOT_GATEWAY_PORT: String(port) } });
  assert.equal((await stat(state)).mode & 0o777, 0o700);
  const after = JSON.parse(
    (await run(['doctor', '--json'], { vars: { CLAWDBOT_GATEWAY_PORT: String(port) } })).out,
  ) as { name: string; level: string; detail: string }[];
  assert.deepEqual(
    after.find(({ name }) => name === 'journal'),
    { name: 'journal', level: 'ok', detail: 'none yet' },
  );
});

test('onboard enables links with the bundled command, once, and disables them again', async (t) => {
  const { run, file } = await home(t, '// mine\n{}\n');
  assert.match(
    (await run(['onboard'])).out,
    /Link reading is off\. To turn it on: clawdbot onboard --links on/,
    'nobody sits there to be asked',
  );
  assert.match((await run(['onboard', '--links', 'on'])).out, /Link reading is on, with link-understand/);
  assert.match(await readFile(file, 'utf8'), /^\/\/ mine[\s\S]*link-understand[\s\S]*\{\{LinkUrl\}\}/);
  assert.equal((await run(['config', 'validate'])).code, 0);
  assert.match((await run(['onboard'])).out, /already on/);
  await run(['onboard', '--links', 'off']);
  assert.equal((await run(['config', 'get', 'tools.links.enabled'])).out, 'false');
  const { code, err } = await run(['onboard', '--links', 'maybe']);
  assert.deepEqual([code, err], [1, '--links is "maybe"; use on or off.']);
});

test('onboard names the programs of this machine that understand media', async (t) => {
  const { run } = await home(t, '{}');
  assert.match(
    (await run(['onboard'], { vars: { PATH: '/nowhere' } })).out,
    /Media tools found: none\.\nOptional tools not installed: ffmpeg \(audio and video\)/,
  );
});
