// Parts of the node host: results in chunks, repeated commands, settings, JPEG sizes.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { nodeHostPath, readNodeHostFile, writeNodeHostFile } from '../config/node-host-file.ts';
import { readEnv } from '../platform/env.ts';
import { jpegPicture } from '../testing/pictures.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { jpegSize } from './ffmpeg.ts';
import { NodeError, type NodeCommand } from './offer.ts';
import { probe } from './probe.ts';
import { createInvokeServer } from './serve-invokes.ts';

/** A gateway that keeps what it is sent. */
function gateway(answer: object = { ok: true }) {
  const sent: { method: string; params: any }[] = [];
  const link = {
    async call<T>(method: string, params?: unknown): Promise<T> {
      sent.push({ method, params });
      return answer as T;
    },
  };
  return { sent, link };
}

const serverOf = (commands: Readonly<Record<string, NodeCommand>>, lines: string[] = []) =>
  createInvokeServer({ commands, note: (line) => void lines.push(line) });
const request = (more: object = {}) => ({ id: 'i1', nodeId: 'n1', command: 'x', idempotencyKey: 'k1', ...more });

describe('commands of the host', () => {
  it('end in one message, or in pieces that make one result', async () => {
    const text = 'é'.repeat(200_000);
    const server = serverOf({ x: async () => ({ text }), small: async () => 1 });
    const { sent, link } = gateway();
    await server.serve(request(), link);
    assert.equal(sent[0]!.params.payloadJSON, JSON.stringify({ text }));
    const large = serverOf({ x: async () => 'y'.repeat(400_000) });
    const other = gateway();
    await large.serve(request(), other.link);
    const pieces = other.sent.slice(0, -1).map(({ params }) => params);
    assert.equal(pieces.map(({ chunk }) => chunk).join(''), JSON.stringify('y'.repeat(400_000)));
    assert.ok(pieces.every(({ chunk, seq }, index) => chunk.length <= 16_384 && seq === index));
    assert.deepEqual(other.sent.at(-1), { method: 'node.invoke.result', params: { id: 'i1', nodeId: 'n1', ok: true } });
  });

  it('stop sending pieces to a gateway that gave up', async () => {
    const server = serverOf({ x: async () => 'y'.repeat(3_000_000) });
    const { sent, link } = gateway({ ok: true, ignored: true });
    await server.serve(request(), link);
    assert.ok(sent.length < 40, `${sent.length} messages`);
  });

  it('asked for twice under one key run once, also by another connection', async () => {
    const ran: unknown[] = [];
    const server = serverOf({ x: async (params) => ran.push(params) });
    const [first, second] = [gateway(), gateway()];
    await server.serve(request({ paramsJSON: '{"a":1}' }), first.link);
    await server.serve(request({ id: 'i2', paramsJSON: '{"a":1}' }), second.link);
    assert.deepEqual(ran, [{ a: 1 }]);
    assert.deepEqual(second.sent[0]!.params, { id: 'i2', nodeId: 'n1', ok: true, payloadJSON: '1' });
  });

  it('end with the code of the protocol, and one that breaks ends nothing else', async () => {
    const server = serverOf({
      x: async () => {
        throw new NodeError('CAMERA_UNAVAILABLE', 'gone');
      },
      broken: async () => {
        throw new TypeError('oops');
      },
      slow: (_params, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new NodeError('ABORTED', 'stopped'))),
        ),
    });
    const { sent, link } = gateway();
    await server.serve(request(), link);
    await server.serve(request({ command: 'broken', idempotencyKey: 'k2' }), link);
    await server.serve(request({ command: 'toString', idempotencyKey: 'k3' }), link);
    const slow = server.serve(request({ id: 'i4', command: 'slow', idempotencyKey: 'k4' }), link);
    server.cancel('i4');
    await slow;
    assert.deepEqual(
      sent.map(({ params }) => params.error.code),
      ['CAMERA_UNAVAILABLE', 'UNAVAILABLE', 'INVALID_REQUEST', 'ABORTED'],
    );
  });

  it('are all over when the host stops, and a gateway that is gone is noted', async () => {
    const lines: string[] = [];
    const server = serverOf({ x: async () => 1 }, lines);
    const gone = { call: () => Promise.reject(new Error('closed')) };
    void server.serve(request({ requester: 'telegram 4711' }), gone);
    await server.stop();
    assert.deepEqual(lines, ['x for telegram 4711', 'x: the result was not delivered (closed)']);
  });
});

describe('what the host offers', () => {
  const machine = async (settings: object, vars: Record<string, string> = {}) => {
    await using dir = await tempDir('probe');
    const given = await writeNodeHostFile(dir.path, settings);
    const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, ...vars });
    return probe({ env, settings: given, url: 'ws://127.0.0.1:1', platform: 'linux' });
  };

  it('T147 no camera and no screen without ffmpeg, each with its reason; sensors off by default', async () => {
    const bare = await machine(
      { camera: true, screen: true, location: 'gpsd://127.0.0.1:1' },
      { PATH: '/nonexistent', DISPLAY: ':0' },
    );
    assert.deepEqual(Object.keys(bare.commands), ['system.which', 'system.run.prepare', 'system.run']);
    assert.match(bare.unavailable['camera.snap']!, /ffmpeg is not installed/);
    assert.match(bare.unavailable['screen.record']!, /ffmpeg is not installed/);
    assert.match(bare.unavailable['location.get']!, /gpsd: nothing answers/);
    assert.deepEqual([bare.permissions['camera'], bare.caps], [false, ['requester', 'system']]);
    const off = await machine({});
    for (const [command, code] of [
      ['camera.clip', 'CAMERA_DISABLED'],
      ['screen.record', 'SCREEN_DISABLED'],
      ['location.get', 'LOCATION_DISABLED'],
    ] as const)
      assert.ok(off.unavailable[command]!.startsWith(code), command);
    const without = await machine({ exec: 'off', notify: false });
    assert.deepEqual(Object.keys(without.commands), ['system.which']);
    assert.match(without.unavailable['system.notify']!, /^NOTIFICATIONS_DISABLED/);
  });

  it('is written in one file, which says what is wrong in it', async () => {
    await using dir = await tempDir('node-settings');
    assert.equal((await readNodeHostFile(dir.path)).camera, false);
    await assert.rejects(writeNodeHostFile(dir.path, { location: { lat: 91, lon: 0 } }), /node\.json: location/);
    for (const [text, says] of [
      ['{', /is not JSON/],
      ['{"camra":true}', /camra/],
    ] as const) {
      await writeFile(nodeHostPath(dir.path), text);
      await assert.rejects(readNodeHostFile(dir.path), { code: 'invalid', message: says });
    }
  });
});

it('the size of a JPEG is read from its header; of anything else there is none', async () => {
  assert.deepEqual(jpegSize(await jpegPicture(30, 20)), { width: 30, height: 20 });
  for (const bad of [Buffer.alloc(0), Buffer.from('ffd8', 'hex'), Buffer.from('hello, this is no picture')])
    assert.equal(jpegSize(bad), undefined);
});
