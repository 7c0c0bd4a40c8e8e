/** The installed command as a process. scripts/packed-install.mjs tests it under older Node versions. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connect } from '../src/cli/connect.ts';
import { readEnv } from '../src/platform/env.ts';
import { tempDir } from '../src/testing/temp-dir.ts';
import { startDeviceGateway } from '../src/features/devices/harness.ts';
import { TOKEN } from '../src/testing/ws-gateway.ts';
import { compileCache } from '../src/testing/compile-cache.ts';
import { built } from '../src/testing/built.ts';

interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

function run(script: string, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const { PATH = '' } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env: { ...compileCache, PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('bin answers --version by itself and passes exit codes on', async () => {
  await using home = await tempDir();
  const env = { HOME: home.path, CLAWDBOT_GATEWAY_PORT: '9' };
  assert.deepEqual(await run('bin/clawdbot.mjs', ['--version'], env), { code: 0, stdout: `${version}\n`, stderr: '' });
  assert.equal((await run(built('src/main.ts'), ['statsu'], env)).code, 2);
  const unreachable = await run(built('src/main.ts'), ['status'], env);
  assert.deepEqual([unreachable.code, unreachable.stdout], [1, '']);
  assert.match(unreachable.stderr, /^No gateway is running at ws:\/\/127\.0\.0\.1:9\.[^\n]*\n$/);
});

test('status reaches a real gateway with the token of the environment, and tells when it is wrong', async () => {
  await using home = await tempDir();
  await using gateway = await startDeviceGateway();
  const env = { HOME: home.path, CLAWDBOT_GATEWAY_PORT: new URL(gateway.url).port };
  const { code, stdout } = await run(built('src/main.ts'), ['gateway', 'status', '--json'], {
    ...env,
    CLAWDBOT_GATEWAY_TOKEN: TOKEN,
  });
  assert.deepEqual([code, JSON.parse(stdout).phase], [0, 'ready']);
  const refused = await run(built('src/main.ts'), ['status'], { ...env, CLAWDBOT_GATEWAY_TOKEN: 'wrong' });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /rejected the connection/);
  const answer = await run(built('src/main.ts'), ['agent', '--message', 'hello'], {
    ...env,
    CLAWDBOT_GATEWAY_TOKEN: TOKEN,
  });
  assert.deepEqual([answer.code, answer.stdout], [0, 'echo: hello\n']);
});

test('a reader that leaves early is no error', async () => {
  await using home = await tempDir();
  const child = spawn(process.execPath, [built('src/main.ts'), '--help'], {
    env: { HOME: home.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [code] = (await once(child, 'exit')) as [number];
  assert.equal(code, 0);
});

test('a command that was in the middle of something says that the gateway went away', async () => {
  await using home = await tempDir();
  const gateway = await startDeviceGateway();
  const link = await connect({ url: gateway.url, token: TOKEN, env: readEnv({ HOME: home.path }), timeoutMs: 5000 });
  const gone = Promise.withResolvers<void>();
  link.onEvent((event) => event === 'disconnected' && gone.resolve());
  await gateway[Symbol.asyncDispose]();
  await gone.promise;
  await assert.rejects(link.request('status'), /closed the connection\. Run `clawdbot status`/);
});
