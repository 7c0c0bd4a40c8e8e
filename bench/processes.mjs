/** Starts and stops the measured processes: the gateway, the mock model, a CLI command. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { get, TOKEN } from './http-calls.mjs';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));
const START_LIMIT_MS = 30_000;

/** `{ pid, port }` of a model that answers after `delayMs`; ends with its scope. */
export async function startMock(delayMs = 0) {
  const child = fork(new URL('mock-model.mjs', import.meta.url), [delayMs], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(child.stdout, 'data');
  return { pid: child.pid, port: Number(line), [Symbol.asyncDispose]: () => end(child) };
}

/** `{ pid, port }` of the bare server that asks the model, syncs one line and answers; ends with its scope. */
export async function startFloorServer(modelPort, dir) {
  const child = fork(new URL('floor-server.mjs', import.meta.url), [modelPort, dir], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(child.stdout, 'data');
  return { pid: child.pid, port: Number(line), [Symbol.asyncDispose]: () => end(child) };
}

/** An empty Node process that stays; ends with its scope. */
export async function startEmptyNode() {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e6); console.log(1)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { pid: child.pid, [Symbol.asyncDispose]: () => end(child) };
}

/** The environment of a product process: a home and a state directory of its own, nothing of this process. */
export const environment = (stateDir) => ({
  PATH: process.env.PATH,
  HOME: stateDir,
  CLAWDBOT_STATE_DIR: stateDir,
  NO_COLOR: '1',
});

/**
 * Resolves at the first 200 of `/readyz` with `{ pid, port, readyMs }`, the time counted from before the spawn; ends
 * with its scope.
 */
export async function startGateway(stateDir, nodeFlags = [], more = {}) {
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(
    process.execPath,
    [...nodeFlags, `${ROOT}dist/main.js`, 'gateway', 'run', '--port', port, '--token', TOKEN],
    { env: { ...environment(stateDir), ...more }, cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2000)));
  while (!(await isReady(port))) {
    if (child.exitCode !== null)
      throw new Error(`The gateway ended with code ${child.exitCode} before it was ready:\n${said}`);
    if (performance.now() - begin > START_LIMIT_MS)
      throw new Error(`The gateway was not ready within ${START_LIMIT_MS / 1000} s:\n${said}`);
  }
  return { pid: child.pid, port, readyMs: performance.now() - begin, [Symbol.asyncDispose]: () => end(child) };
}

/** Runs a Node program to its end; resolves with the milliseconds from spawn to exit. */
export async function timeProgram(args, env) {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`\`${args.join(' ')}\` ended with code ${code}:\n${said}`);
  return performance.now() - begin;
}

async function isReady(port) {
  try {
    return (await get(`http://127.0.0.1:${port}/readyz`)).status === 200;
  } catch (error) {
    if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
      return new Promise((resolve) => setTimeout(resolve, 3, false));
    throw error;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(late);
}
