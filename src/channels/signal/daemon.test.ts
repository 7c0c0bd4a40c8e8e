/**
 * The daemon that the gateway starts: running, stopped, missing, silent, broken, or left over from a killed gateway.
 */
import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AppError } from '../../core/errors.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { isAlive } from '../../testing/process-alive.ts';
import { until } from '../../testing/until.ts';
import { ACCOUNT } from './fake.ts';
import signal from './index.ts';

/** What a daemon does once it knows where to listen. */
const UP = `
const server = require('node:http').createServer(async (request, response) => {
  if (request.url === '/api/v1/check') return response.end();
  if (request.url === '/stop') process.exit(3);
  if (request.url.startsWith('/api/v1/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.write(':\\n\\n');
  }
  let body = '';
  for await (const piece of request) body += piece;
  const { id } = JSON.parse(body);
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: [] }));
});
server.listen(port, host);
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function open(script: string | undefined, settings: object = {}) {
  const dir = await tempDir('signal-cli');
  const cliPath = join(dir.path, 'signal-cli');
  const head = `const [host, port] = process.argv[process.argv.indexOf('--http') + 1].split(':');`;
  const own = `require('node:fs').writeFileSync(${JSON.stringify(join(dir.path, 'pid'))}, String(process.pid));`;
  if (script !== undefined) {
    await writeFile(`${cliPath}.cjs`, `${own}\n${head}\n${script}`);
    await writeFile(cliPath, `#!/bin/sh\nexec '${process.execPath}' '${cliPath}.cjs' "$@"\n`);
    await chmod(cliPath, 0o755);
  }
  const httpPort = await freePort();
  const config = { account: ACCOUNT, cliPath, httpPort, ...settings };
  const fixture = await testAccount(signal, { config });
  const [url, pidFile] = [`http://127.0.0.1:${httpPort}`, join(dir.path, 'pid')];
  return {
    fixture,
    url,
    pidFile,
    config,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const pidIn = async (file: string): Promise<number> => Number(await readFile(file, 'utf8'));

async function refusal(fixture: TestAccount): Promise<AppError> {
  return fixture.connect().then(
    () => assert.fail('it connected'),
    (error: unknown) => error as AppError,
  );
}

test('it is started with the account, and stopped with it', async () => {
  await using it = await open(UP);
  const connection = await it.fixture.connect();
  const pid = await pidIn(it.pidFile);
  assert.deepEqual([await isAlive(pid), it.fixture.facts.mode], [true, 'daemon']);
  assert.equal((await connection.probe(AbortSignal.timeout(60_000))).ok, true);
  await connection[Symbol.asyncDispose]();
  await until(async () => !(await isAlive(pid)), 'its end');
});

test('a daemon that ends is reported with its last output, and the ended connection restarts it', async () => {
  await using it = await open(`process.stderr.write('the disk is full\\n');${UP}`);
  const connection = await it.fixture.connect();
  await fetch(`${it.url}/stop`).catch(() => undefined);
  await assert.rejects(connection.ended!, /ended with code 3: the disk is full/);
});

test('one that is not installed, does not come up, keeps silent or is old says so', async () => {
  await using absent = await open(undefined);
  assert.match((await refusal(absent.fixture)).message, /does not start:.*does not exist.*Install signal-cli/s);
  await using broken = await open(`console.error('class file version 65.0'); process.exit(1);`);
  assert.match((await refusal(broken.fixture)).message, /ended with code 1: class file version.*newer Java/s);
  await using silent = await open('setInterval(() => {}, 1000)', { startupTimeoutMs: 1000 });
  const error = await refusal(silent.fixture);
  assert.match(error.message, /does not answer within 1 s.*startupTimeoutMs/s);
  const pid = await pidIn(silent.pidFile);
  await until(async () => !(await isAlive(pid)), 'its end');
});

test('another program on its port is not mistaken for it', async () => {
  await using it = await open(
    `require('node:http').createServer((_, response) => response.writeHead(404).end()).listen(port, host);`,
  );
  assert.match((await refusal(it.fixture)).message, /another program answers.*httpPort/s);
});

test('one that a killed gateway left behind goes on, and is stopped in the end', async () => {
  await using it = await open(UP);
  const left = await it.fixture.connect();
  const pid = await pidIn(it.pidFile);
  // The next gateway finds it running; `left` stands for the one that was killed.
  const next = await signal.connect(it.fixture.account);
  assert.equal(await pidIn(it.pidFile), pid);
  await next[Symbol.asyncDispose]();
  await until(async () => !(await isAlive(pid)), 'its end');
  await left[Symbol.asyncDispose]();
});
