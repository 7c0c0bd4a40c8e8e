/** The measurements: one call is one repetition; the sections decide how many and of which gateway. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, httpTurn, post } from './http-calls.mjs';
import { cpuMs, rssMiB, writtenKiB } from './machine.mjs';
import { startEmptyNode, startGateway } from './processes.mjs';
import { connectSocket } from './socket-client.mjs';
import { quantile } from './statistics.mjs';

/** After that much rest the gateway has given back what its start took. */
const REST_MS = 60_000;

/** ms from start to ready. */
export async function startOnly(dir) {
  await using gateway = await startGateway(dir);
  return gateway.readyMs;
}

/** MiB resident of a gateway and of an empty Node process, both after a minute of nothing: `{ gateway, empty }`. */
export async function restBesideEmpty(dir) {
  await using gateway = await startGateway(dir);
  await using node = await startEmptyNode();
  await sleep(REST_MS);
  return { gateway: rssMiB(gateway.pid), empty: rssMiB(node.pid) };
}

/** MiB resident after `idleMs` of nothing, ms of the first turn, and MiB after another rest. */
export async function restAndTurn(dir, idleMs) {
  await using gateway = await startGateway(dir);
  await sleep(idleMs);
  const idleMiB = rssMiB(gateway.pid);
  const first = await httpRound(gateway, 'first', 1);
  await sleep(idleMs / 2);
  const usedMiB = rssMiB(gateway.pid);
  await httpRound(gateway, 'warm', 100);
  const warm = await httpRound(gateway, 'warm-too', 20);
  return { idleMiB, firstTurnMs: first.p50, usedMiB, warmTurnMs: warm.p50 };
}

/** `n` turns one after the other in one conversation over HTTP: `{ p50, p95, cpu }`, ms a turn; `written`, KiB. */
export const httpRound = (gateway, session, n) => inTurn(gateway.pid, n, () => httpTurn(gateway.port, session));

/** The same over WebSocket, `chat.send` to `final`. */
export async function socketRound(gateway, session, n) {
  using socket = await connectSocket(gateway.port);
  return await inTurn(gateway.pid, n, () => socket.turn(`agent:main:${session}`));
}

/**
 * The request the gateway sent last, sent to the mock by us; with a directory, one line is appended and synced as well.
 */
export async function floorRound(mock, n, dir) {
  const { text: body } = await get(`http://127.0.0.1:${mock.port}/last`);
  const ask = () => post(`http://127.0.0.1:${mock.port}/v1/chat/completions`, body);
  if (dir === undefined) return inTurn(mock.pid, n, ask);
  const file = openSync(join(dir, 'floor.jsonl'), 'a');
  try {
    return await inTurn(mock.pid, n, async () => {
      await ask();
      writeSync(file, `${'x'.repeat(400)}\n`);
      fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
  }
}

/** `k` conversations at once, `n` turns each, over HTTP: `{ perSecond, cpu }`. */
export const parallelRound = (gateway, session, k, n) =>
  atOnce(gateway.pid, k, n, (worker) => httpTurn(gateway.port, `${session}-${worker}`));

/** What the bare server spends: one caller after the other, `{ p50, cpu }`. */
export const bareRound = (server, n) => inTurn(server.pid, n, () => post(`http://127.0.0.1:${server.port}/`, '{}'));

/** The same with `k` callers at once: `{ perSecond, cpu }`. */
export const parallelBareRound = (server, k, n) =>
  atOnce(server.pid, k, n, () => post(`http://127.0.0.1:${server.port}/`, '{}'));

/** What the model alone gives to `k` callers at once that send it the gateway's last request. */
export async function parallelFloorRound(mock, k, n) {
  const { text: body } = await get(`http://127.0.0.1:${mock.port}/last`);
  return atOnce(mock.pid, k, n, () => post(`http://127.0.0.1:${mock.port}/v1/chat/completions`, body));
}

async function atOnce(pid, k, n, call) {
  const cpu = cpuMs(pid);
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: k }, async (_, worker) => {
      for (let turn = 0; turn < n; turn++) await call(worker);
    }),
  );
  return { perSecond: (1000 * k * n) / (performance.now() - begin), cpu: (cpuMs(pid) - cpu) / (k * n) };
}

async function inTurn(pid, n, call) {
  const cpu = cpuMs(pid);
  const written = writtenKiB(pid);
  const times = [];
  for (let i = 0; i < n; i++) {
    const begin = performance.now();
    await call();
    times.push(performance.now() - begin);
  }
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    cpu: (cpuMs(pid) - cpu) / n,
    written: (writtenKiB(pid) - written) / n,
  };
}
