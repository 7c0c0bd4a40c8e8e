/** What nodes cost: a command's round trip beside a bare WebSocket that echoes, and the memory of many at rest. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { TOKEN } from '../../../bench/http-calls.mjs';
import { startGateway } from '../../../bench/processes.mjs';
import { configure } from '../../../bench/state-directories.mjs';
import { rssMiB } from '../../../bench/machine.mjs';
import { quantile, timed } from '../../../bench/statistics.mjs';
import { proofTextV3 } from '../../protocol/device-proof.ts';

const CALLS = 200;
const NODES = 200;
/** What connecting took is given back by then. */
const REST_MS = 70_000;

export async function measure(bench) {
  await measureCommands(bench);
  await measureRest(bench);
}

/** Nodes with an approved command each, after a minute of nothing, over a gateway that rested as long without them. */
async function measureRest({ report, space, mock, watch, plan }) {
  await using gateway = await startGateway(configure(space.make('nodes-at-rest'), mock.port, {}));
  watch(gateway);
  const rest = () => new Promise((resolve) => setTimeout(resolve, plan.quick ? REST_MS / 7 : REST_MS));
  const operator = await connect(gateway.port, { role: 'operator', scopes: ['operator.admin'] });
  await rest();
  const before = rssMiB(gateway.pid);
  const nodes = [];
  for (let nth = 0; nth < NODES; nth++) {
    nodes.push(await connectNode(gateway.port));
    const { pending } = await operator.call('node.pair.list', {});
    await operator.call('node.pair.approve', { requestId: pending[0].requestId });
  }
  await rest();
  report.add(`memory (RSS) of ${NODES} connected nodes at rest`, 'MiB', [rssMiB(gateway.pid) - before], { atMost: 20 });
  for (const one of [...nodes, operator]) one.close();
}

async function measureCommands({ plan, report, space, mock, repeat, watch }) {
  const dir = configure(space.make('nodes'), mock.port, {});
  await using gateway = await startGateway(dir);
  watch(gateway);
  const node = await connectNode(gateway.port);
  const operator = await connect(gateway.port, { role: 'operator', scopes: ['operator.admin'] });
  const { pending } = await operator.call('node.pair.list', {});
  await operator.call('node.pair.approve', { requestId: pending[0].requestId });
  const { nodeId } = pending[0];
  const echo = await startEcho();
  const invoke = (key) =>
    operator.call('node.invoke', { nodeId, command: 'system.which', params: { bins: [] }, idempotencyKey: key });
  await invoke('warm');
  const bare = [];
  const rounds = await repeat('rounds of commands of a node', plan.rounds, async (round) => {
    const [took, alone] = [[], []];
    for (let nth = 0; nth < CALLS; nth++) {
      took.push(await timed(() => invoke(`${round}-${nth}`)));
      alone.push(await timed(() => echo.call(nth)));
    }
    bare.push(alone);
    return took;
  });
  const over = (share) => rounds.map((took, at) => quantile(took, share) - quantile(bare[at], share));
  report.add('a command of a node over a bare echo, p50', 'ms', over(0.5), { atMost: 3 });
  report.add('  p95', 'ms', over(0.95));
  for (const one of [node, operator, echo]) one.close();
}

/** A node whose one command answers at once. */
function connectNode(port) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const deviceId = createHash('sha256').update(raw).digest('hex');
  const client = { id: 'node-host', version: '1', platform: 'linux', mode: 'node', displayName: 'Bench' };
  const facts = { deviceId, clientId: client.id, clientMode: client.mode, role: 'node', scopes: [], token: TOKEN };
  return connect(port, { role: 'node', scopes: [], commands: ['system.which'], client }, ({ nonce, ts }) => ({
    id: deviceId,
    publicKey: raw.toString('base64url'),
    signedAt: ts,
    nonce,
    signature: sign(
      null,
      Buffer.from(proofTextV3({ ...facts, signedAt: ts, nonce, platform: client.platform })),
      privateKey,
    ).toString('base64url'),
  }));
}

async function connect(port, params, device) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const answers = new Map();
  let ids = 0;
  const call = (method, given) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    answers.set(String(++ids), { resolve, reject });
    socket.send(JSON.stringify({ type: 'req', id: String(ids), method, params: given }));
    return promise;
  };
  const ready = Promise.withResolvers();
  socket.onclose = ({ reason }) => ready.reject(new Error(`The gateway closed the socket: ${reason}`));
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === 'res') {
      const waiter = answers.get(frame.id);
      answers.delete(frame.id);
      if (frame.ok) waiter.resolve(frame.payload);
      else waiter.reject(new Error(frame.error.message));
    } else if (frame.event === 'connect.challenge') {
      const client = { id: 'gateway-client', version: '1', platform: 'linux', mode: 'backend' };
      const whole = { minProtocol: 4, maxProtocol: 4, client, auth: { token: TOKEN }, ...params };
      call('connect', device ? { ...whole, device: device(frame.payload) } : whole).then(ready.resolve, ready.reject);
    } else if (frame.event === 'node.invoke.request') {
      const { id, nodeId } = frame.payload;
      void call('node.invoke.result', { id, nodeId, ok: true, payload: { bins: {} } });
    }
  };
  await ready.promise;
  return { call, close: () => socket.close() };
}

/** The least a round trip costs here: one message there, and the same back. */
async function startEcho() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (client) => client.on('message', (data) => client.send(data, { binary: false })));
  await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
  await new Promise((resolve) => (socket.onopen = resolve));
  return {
    call: (text) =>
      new Promise((resolve) => {
        socket.onmessage = resolve;
        socket.send(String(text));
      }),
    close() {
      socket.close();
      server.close();
    },
  };
}
