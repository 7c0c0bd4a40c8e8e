// What a broken or hostile node, operator or model may send about nodes and surfaces: a clear error each time, nothing
// hangs, nothing leaks, and the gateway goes on.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createDeviceIdentity } from '../../src/gateway/devices/identity.ts';
import { connectFakeNode, type FakeNode, type FakeNodeOptions } from '../../src/features/nodes/fake.ts';
import { begin, components, jsonl } from '../../src/features/a2ui/harness.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { openRaw } from '../../src/testing/ws-gateway.ts';
import { approveNode, TOKEN, useNode } from './node-harness.ts';

const JPEG = `${Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64')}`;
const MINUTE = 60_000;
const MIB = 1024 * 1024;

let gateway: RunningGateway;
let chat: Chat;
let node: FakeNode;
/** What the camera of the node answers. */
let picture: unknown;
/** Everything that was answered with an error. */
const errors: string[] = [];

const connect = (options: FakeNodeOptions = {}): Promise<FakeNode> =>
  connectFakeNode(
    { open: () => openRaw(`ws://127.0.0.1:${gateway.instance.port}`) },
    { auth: { token: TOKEN }, ...options },
  );
const refusal = async (options: FakeNodeOptions): Promise<string> => {
  const { hello, client } = await connect(options);
  assert.equal(hello.ok, false);
  await client.closed;
  return JSON.stringify(hello.error);
};
const failed = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    (answer) => assert.fail(JSON.stringify(answer)),
    (error: { message: string; details?: unknown }) => `${error.message} ${JSON.stringify(error.details ?? {})}`,
  );
let keys = 0;
const invoke = (command: string, more: object = {}): Promise<unknown> =>
  chat.call('node.invoke', { nodeId: node.nodeId, command, idempotencyKey: `bad-${(keys += 1)}`, ...more });
const snap = async (payload: unknown): Promise<string> => {
  picture = payload;
  return useNode(chat, { action: 'camera_snap', facing: 'front' });
};
const said = async (method: string, params: object): Promise<string> =>
  JSON.stringify(await node.client.request(method, params));
const push = (text: string): Promise<unknown> => chat.call('a2ui.push', { jsonl: text });
const card = (child: string) => ({ Card: { child } });
const label = { Text: { text: { literalString: 'x'.repeat(200_000) } } };
const large = (at: number): object => components({ [`t${at}`]: label });

const ROWS: readonly (readonly [what: string, send: () => Promise<string>, says: RegExp])[] = [
  ['a role that is none', () => refusal({ proof: { role: 'boss' } }), /DEVICE_AUTH_SIGNATURE_INVALID/],
  ['an old version', () => refusal({ protocol: 2 }), /PROTOCOL_MISMATCH/],
  ['a version of the future', () => refusal({ protocol: 99 }), /PROTOCOL_MISMATCH/],
  ['a wrong token', () => refusal({ auth: { token: 'not-the-token-of-this-gateway' } }), /TOKEN_MISMATCH/],
  [
    'the token of another device',
    () => refusal({ auth: { deviceToken: node.hello.payload.auth.deviceToken } }),
    /TOKEN_MISMATCH/,
  ],
  [
    'the signature of another device',
    () => refusal({ proof: { deviceId: createDeviceIdentity().deviceId } }),
    /DEVICE_AUTH_SIGNATURE_INVALID/,
  ],
  ['a clock that is slow', () => refusal({ proof: { signedAt: Date.now() - 11 * MINUTE } }), /check the clock/],
  ['a clock that is fast', () => refusal({ proof: { signedAt: Date.now() + 11 * MINUTE } }), /check the clock/],
  ['a node as operator', () => said('node.invoke', {}), /ROLE_NOT_ALLOWED/],
  [
    'a result of a node that it is not',
    () => said('node.invoke.result', { id: 'x', nodeId: 'f'.repeat(64), ok: true }),
    /nodeId mismatch/,
  ],
  [
    'a result nobody waits for',
    () => said('node.invoke.result', { id: 'x', nodeId: node.nodeId, ok: true }),
    /"ignored":true/,
  ],
  ['an operator as node', () => failed(chat.call('node.event', { event: 'x' })), /role|node/i],
  ['an unknown node', () => failed(chat.call('node.describe', { nodeId: 'f'.repeat(64) })), /unknown node/],
  ['an undeclared command', () => failed(invoke('location.get')), /command not declared by node/],
  ['an unusual command', () => failed(invoke('sms.send')), /command not allowlisted/],
  ['a command that hangs', () => failed(invoke('camera.list', { timeoutMs: 50 })), /node invoke timed out .*TIMEOUT/],
  ['a result that is too large', () => failed(invoke('system.which')), /has more than 2097152 bytes/],
  ['base64 that was cut', () => snap({ format: 'jpg', base64: JPEG.slice(0, -1) }), /base64 is not whole base64/],
  ['base64 that is none', () => snap({ format: 'jpg', base64: '<script>' }), /base64 is not whole base64/],
  ['another type than it says', () => snap({ format: 'png', base64: JPEG }), /says png and is something else/],
  ['a type that is none', () => snap({ format: 'exe', base64: JPEG }), /invalid camera\.snap payload: format/],
  ['no picture', () => snap(undefined), /invalid camera\.snap payload/],
  ['A2UI of two versions', () => failed(push(jsonl(begin(), { createSurface: {} }))), /mixed A2UI versions/],
  ['A2UI 0.9', () => failed(push(jsonl({ createSurface: {} }))), /supports v0\.8 only.*line 1/s],
  [
    'A2UI 1.0',
    () => failed(push(jsonl({ version: 'v1.0', createSurface: {} }))),
    /line 1: createSurface is A2UI v1\.0/,
  ],
  ['JSONL that is none', () => failed(push(`${jsonl(begin())}\n\n{"a"`)), /line 3: /],
  [
    'components in a circle',
    async () => JSON.stringify(await push(jsonl(components({ root: card('a'), a: card('root') }), begin()))),
    /"warnings":\["[^"]*(?:itself|circular)/i,
  ],
  [
    'a surface of 10 MB at once',
    () => failed(push(jsonl(...Array.from({ length: 50 }, (_, at) => large(at))))),
    /<=2097152 characters|larger than 2 MiB/,
  ],
  [
    'a surface of 10 MB in parts',
    () =>
      failed(
        (async () => {
          for (let at = 0; at < 50; at += 1) await push(jsonl(large(at)));
        })(),
      ),
    /would be larger than 1 MiB/,
  ],
];

describe('bad input about nodes and surfaces', () => {
  before(async () => {
    gateway = await startGateway({ config: {}, token: TOKEN });
    chat = await gateway.connect();
    node = await connect({
      commands: {
        'camera.snap': () => picture,
        'camera.list': () => new Promise(() => undefined),
        'system.which': () => ({ text: 'x'.repeat(2 * MIB) }),
        'sms.send': () => ({ ok: true }),
      },
    });
    assert.ok(node.hello.ok, JSON.stringify(node.hello.error));
    await approveNode(chat);
  });
  after(async () => {
    node?.client.socket.terminate();
    for (const one of [chat, gateway]) await one?.[Symbol.asyncDispose]();
  });

  for (const [what, send, says] of ROWS)
    it(`${what} is told`, async () => {
      const text = await send();
      errors.push(text);
      assert.match(text, says);
    });

  it('a node that says nonsense and goes ends what it was asked for', async () => {
    const asked = failed(invoke('camera.list'));
    await node.client.frame(
      ({ event, payload }) => event === 'node.invoke.request' && payload.idempotencyKey === `bad-${keys}`,
    );
    // Its result broke off: whoever waits for it waits no longer than that.
    node.client.sendText(
      '{"type":"req","id":"9","method":"node.invoke.result","params":{"id":"x","payload":{"base64":"/9j',
    );
    assert.deepEqual(await node.client.closed, {
      code: 1008,
      reason: 'invalid request frame: the frame is not JSON',
    });
    assert.match(await asked, /node disconnected \(camera\.list\)/);
  });

  it('leaves nothing under way, no file, and no secret in an error or in the log', async () => {
    const [entry] = await until(async () => {
      const { nodes } = await chat.call('node.list');
      return nodes[0].connected === false && nodes;
    });
    assert.deepEqual(entry.inUse, []);
    const { workspace } = (await chat.call('agents.list')).agents[0] ?? {};
    const files = await readdir(workspace ?? join(gateway.stateDir, '..', 'clawd'), { recursive: true });
    assert.deepEqual(
      files.filter((name) => /\.(?:jpe?g|png|exe|mp4)$/.test(name)),
      [],
    );
    const { lines } = await chat.call('logs.tail', { limit: 500 });
    const all = [...errors, ...lines].join('\n');
    for (const secret of [TOKEN, node.hello.payload.auth.deviceToken, 'not-the-token-of-this-gateway'])
      assert.ok(!all.includes(secret), 'a secret stands in it');
  });
});
