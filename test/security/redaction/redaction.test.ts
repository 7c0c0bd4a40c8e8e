// A gateway with planted secrets is started, used and broken; no secret is in its log, output, reports or CLI output
// without a terminal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../../src/cli/connect.ts';
import { fakeTerminal } from '../../../src/cli/fake.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { connectGateway } from '../../../src/gateway/client.ts';
import { startFakeModels } from '../../../src/testing/fake-models/fake-model-server.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { until } from '../../../src/testing/until.ts';
import { allMarkers, commands, plantedConfig, plantedVars, secretOf, TOKEN } from './planted.ts';
import { compileCache } from '../../../src/testing/compile-cache.ts';
import { built } from '../../../src/testing/built.ts';

const MAIN = built('src/main.ts');

/** Refuses everything and says why in full: with the address, the headers and the body it was sent. */
async function startEcho() {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const { authorization = '', ...headers } = request.headers;
        const text = `Cannot serve http://127.0.0.1${request.url} to ${authorization.replace(/^\w+ /, '')} ${JSON.stringify({ authorization, ...headers })} ${Buffer.concat(parts).toString().slice(0, 300)}`;
        response
          .writeHead(request.url!.startsWith('/v1') ? 400 : 401, { 'content-type': 'application/json' })
          .end(
            JSON.stringify({ ok: false, error: { message: text }, description: text, message: text, error_code: 401 }),
          );
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The real process, as systemd runs it: no terminal. */
function startProcess(
  home: string,
  vars: Record<string, string>,
  args: readonly string[] = [],
  flags: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...flags, MAIN, 'gateway', 'run', '--port', '0', '--verbose', ...args], {
    env: { ...compileCache, HOME: home, PATH: process.env['PATH'], ...vars },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  const port = (): number => Number(/web chat: http:\/\/127\.0\.0\.1:(\d+)\//.exec(output)?.[1]);
  return {
    output: () => output,
    ended,
    port,
    ready: () =>
      until(() => {
        assert.equal(child.exitCode, null, output);
        return port() > 0;
      }, 'the gateway'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

async function logsOf(state: string): Promise<string> {
  const names = await readdir(join(state, 'logs')).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(join(state, 'logs', name), 'utf8').catch(() => '')))).join(
    '\n',
  );
}

const METHODS = [
  'config.get',
  'config.schema',
  'status',
  'health',
  'logs.tail',
  'channels.status',
  'models.list',
  'understanding.status',
  'exec.approvals.get',
  'device.pair.list',
  'tools.catalog',
  'cron.status',
  'route.review',
  'system-presence',
  'sessions.list',
  'agents.list',
  'last-heartbeat',
  'update.status',
  'skills.status',
];
const COMMANDS = [
  'config get',
  'config get --json',
  'config get mcp',
  'config get gateway.auth.token',
  'config get unmarked',
  'config validate',
  'config explain gateway.auth.token',
  'config explain mcp',
  'config explain mcp.servers.args.args[3]',
  'config explain channels.telegram.botToken',
  'config explain models.providers.odd.baseUrl',
  'status',
  'status --deep --json',
  'health',
  'health --json',
  'doctor',
  'doctor --json',
  'logs',
  'logs --json --limit 5000',
  'security audit',
  'security audit --json',
  'dashboard',
  'dashboard --json',
  'gateway status',
  'gateway status --json',
  'gateway call config.get',
  'gateway call status',
  'gateway call logs.tail',
  'channels list',
  'channels status --json',
  'channels status --probe',
  'models list',
  'models status --json',
  'devices list --json',
  'tools list',
  'sandbox explain',
  'cron status',
  'approvals list',
  'onboard',
  'processes list',
  'sessions list --json',
];

test('none of the planted secrets comes out', { timeout: 600_000 }, async (t) => {
  await using home = await tempDir('planted');
  await using echo = await startEcho();
  await using models = await startFakeModels();
  const state = join(home.path, 'state');
  const vars = { ...plantedVars(), CLAWDBOT_STATE_DIR: state };
  await mkdir(state, { mode: 0o700 });
  await writeFile(
    join(state, 'clawdbot.json'),
    JSON.stringify(plantedConfig({ echo: echo.url, models: models.url }), null, 1),
    { mode: 0o600 },
  );
  const seen = new Map<string, string>();
  const run = commands(echo.url);

  {
    await using gateway = startProcess(home.path, vars);
    await gateway.ready();
    const url = `http://127.0.0.1:${gateway.port()}`;
    const answers: string[] = [];
    const ask = async (path: string, init?: RequestInit): Promise<void> =>
      void answers.push(
        await fetch(url + path, init).then(async (answer) => `${answer.status} ${await answer.text()}`),
      );
    await ask(`/?token=${secretOf('a request address')}`);
    await ask('/v1/models', { headers: { authorization: `Bearer ${secretOf('a wrong bearer')}` } });
    await ask(`/hooks/${secretOf('a hook path')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretOf('a wrong hook token')}` },
      body: '{',
    });
    await ask('/hooks/agent', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretOf('hooks.token')}` },
      body: JSON.stringify({ message: 1, token: secretOf('a hook body') }),
    });
    await assert.rejects(connectGateway({ url: url.replace('http', 'ws'), token: secretOf('a wrong token') }));

    await using client = await connectGateway({ url: url.replace('http', 'ws'), token: TOKEN });
    const call = async (method: string, params: object = {}): Promise<string> =>
      JSON.stringify(
        await client
          .call(method, params)
          .catch((error: Error & { details?: unknown }) => ({ message: error.message, details: error.details })),
      );
    const events: unknown[] = [];
    client.subscribe((frame) => events.push(frame));
    const turn = async (message: string): Promise<void> => {
      const runId = `run-${events.length}-${answers.length}`;
      answers.push(await call('chat.send', { sessionKey: 'main', message, idempotencyKey: runId }));
      answers.push(await call('agent.wait', { runId, timeoutMs: 30_000 }));
    };
    models.reply(
      { calls: run.map((command, index) => ({ id: `c${index}`, name: 'exec', args: { command } })) },
      { text: ['done'] },
    );
    await turn('run them');
    assert.ok(
      JSON.stringify(models.requests.at(-1)!.body).includes(secretOf('exec header')),
      "what was run stands in the conversation, which is its owner's",
    );
    const before = events.length;
    for (const model of ['broken/m', 'odd/m']) {
      await turn(`/model ${model}`);
      await turn('hello');
    }
    await turn('/model fake/model');
    await turn(
      `read https://u:${secretOf('a link password')}@127.0.0.1:1/x?key=${secretOf('a link key')} and http://8.8.8.8/?token=${secretOf('a link token')}`,
    );
    seen.set(
      'what the vendors said',
      JSON.stringify(events.slice(before))
        .replaceAll(/read https[^"]*/g, '')
        .replaceAll(/\bhttp:\/\/8\.8[^"\\]*/g, ''),
    );
    const { hash: baseHash } = JSON.parse(await call('config.get')) as { hash: string };
    for (const raw of [
      `{ gateway: { port: "${secretOf('a wrong port')}" } }`,
      `{ ${secretOf('no JSON')} `,
      `{ channels: { telegram: { botToken: ["${secretOf('a wrong kind')}"] } } }`,
      `{ gateway: { bind: "${secretOf('no such word')}" } }`,
    ])
      answers.push(await call('config.patch', { raw, baseHash }));
    for (const method of METHODS) answers.push(`${method} ${await call(method)}`);
    answers.push(
      await call('channels.status', { probe: true, timeoutMs: 5000 }),
      await call('system-event', { text: 'x', token: secretOf('an odd parameter') }),
      await call(secretOf('no such method')).then((text) => text.replaceAll(secretOf('no such method'), '')),
    );
    seen.set('answers', answers.join('\n'));

    const io = () => ({
      ...fakeTerminal({ vars: { HOME: home.path, ...vars, CLAWDBOT_GATEWAY_PORT: String(gateway.port()) } }),
      connect,
    });
    for (const line of COMMANDS) {
      const terminal = io();
      await runCli(line.split(' '), terminal);
      const reported = [...terminal.lines, ...terminal.errors, terminal.written()].join('\n');
      assert.doesNotMatch(reported, /Unknown command|TypeError/, line);
      seen.set(`clawdbot ${line}`, reported);
    }
    await gateway[Symbol.asyncDispose]();
    seen.set('output', gateway.output());
  }
  {
    await writeFile(
      join(state, 'clawdbot.json'),
      JSON.stringify({
        gateway: { port: secretOf('port'), auth: { token: { a: secretOf('token') } } },
        channels: { telegram: { botToken: [secretOf('bot')] } },
        [secretOf('a key').toLowerCase()]: 1,
        models: secretOf('models'),
      }).replaceAll(secretOf('a key').toLowerCase(), 'unknown'),
    );
    await using broken = startProcess(home.path, vars);
    await broken.ready();
    await broken[Symbol.asyncDispose]();
    seen.set('output of safe mode', broken.output());
    const refused = startProcess(home.path, { ...vars, CLAWDBOT_GATEWAY_TOKEN: 'Sh0rt-one-0f-mine' }, [
      '--bind',
      'lan',
    ]);
    const [code] = await refused.ended;
    assert.equal(code, 1, refused.output());
    assert.match(refused.output(), /needs 24/);
    assert.ok(!refused.output().includes('Sh0rt-one-0f-mine'));
    seen.set('output of the refused start', refused.output());
    const fault = `setInterval(() => { if (process.listenerCount('SIGHUP') > 0) Promise.reject(new Error('GET https://e.example.com/?token=${secretOf('a crash')} with Bearer ${secretOf('a crash, too')}')); }, 1)`;
    const crashed = startProcess(
      home.path,
      vars,
      [],
      ['--import', `data:text/javascript,${encodeURIComponent(fault)}`],
    );
    assert.deepEqual(await crashed.ended, [1, null]);
    assert.match(crashed.output(), /crashed: Error: GET https:/);
    seen.set('output of a crash', crashed.output());
  }
  seen.set('log', await logsOf(state));

  const markers = allMarkers();
  assert.ok(markers.length >= 100 && new Set(markers.map(({ secret }) => secret)).size >= 100);
  assert.ok(seen.get('log')!.length > 10_000 && seen.get('log')!.includes('config.loaded'), 'the log is no log');
  const leaks = [...seen].flatMap(([where, text]) =>
    markers
      .filter(
        ({ secret }) =>
          text.includes(secret) ||
          text.includes(encodeURIComponent(secret)) ||
          (secret.length >= 24 && text.includes(secret.slice(0, 16))),
      )
      .map(({ name }) => `${name} in ${where}`),
  );
  assert.deepEqual(leaks, []);
  t.diagnostic(
    `redaction: ${markers.length}/${markers.length} planted markers are in none of ${seen.size} places (${[...seen.values()].join('').length} characters)`,
  );
});
