// Arbitrary input: the gateway stays up, and no socket is left open.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { connectParams, startTestGateway } from '../../testing/ws-gateway.ts';
import { everyMethod } from '../../testing/every-method.ts';

const { names: METHOD_NAMES } = await everyMethod();

const json = fc.jsonValue({ maxDepth: 4 });
const almostFrame = fc
  .record(
    {
      type: fc.constantFrom('req', 'res', 'event', 7),
      id: fc.oneof(fc.string(), fc.integer()),
      method: fc.oneof(fc.constantFrom(...METHOD_NAMES), fc.string()),
      params: json,
    },
    { requiredKeys: [] },
  )
  .map((frame) => JSON.stringify(frame));
const garbage = fc.oneof(
  fc.string(),
  json.map((value) => JSON.stringify(value)),
  almostFrame,
);
/** Never started: those would run for real. */
const harmless = (text: string): boolean => !text.includes('restart');

describe('garbage', () => {
  it('before connect: every socket is answered or closed', async () => {
    await using gateway = await startTestGateway();
    await fc.assert(
      fc.asyncProperty(fc.array(garbage, { minLength: 1, maxLength: 4 }), async (texts) => {
        const client = await gateway.open();
        for (const text of texts) client.sendText(text);
        const { code } = await client.closed;
        assert.equal(code, 1008, JSON.stringify(texts));
      }),
      { numRuns: 60 },
    );
    assert.equal((await (await gateway.client()).call('health')).ok, true);
  });

  it('as connect parameters: an answer or a close, never an admission', async () => {
    await using gateway = await startTestGateway();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(connectParams())), json, async (key, value) => {
        const client = await gateway.open();
        const answer = await client.connect({ [key]: value });
        if (!answer.ok) assert.ok([1002, 1008].includes((await client.closed).code));
        else
          assert.ok(
            ['caps', 'scopes', 'role', 'maxProtocol', 'minProtocol'].includes(key),
            `${key} = ${JSON.stringify(value)}`,
          );
        client.socket.terminate();
      }),
      { numRuns: 60 },
    );
  });

  it('after connect: each frame is answered and the connection stays open', async () => {
    await using gateway = await startTestGateway({ limits: { maxRequestsInFlight: 10_000 } });
    const client = await gateway.client();
    await fc.assert(
      fc.asyncProperty(fc.array(garbage.filter(harmless), { minLength: 1, maxLength: 10 }), async (texts) => {
        const before = client.frames.filter((frame) => frame.type === 'res').length;
        for (const text of texts) client.sendText(text);
        assert.equal((await client.call('health')).ok, true);
        assert.ok(client.frames.filter((frame) => frame.type === 'res').length > before);
      }),
      { numRuns: 60 },
    );
  });

  it('raw bytes after the upgrade close the socket', async () => {
    await using gateway = await startTestGateway();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 2, maxLength: 200 }), async (bytes) => {
        const closed = new Promise<void>((resolve, reject) => {
          const socket = connect(gateway.port, '127.0.0.1', () => {
            socket.write(
              'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: ' +
                'websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
            );
            socket.write(bytes);
            // Unmasked client data is a protocol fault at the first frame; what is left over ends with the stream.
            socket.end();
          });
          socket.on('close', () => resolve());
          socket.on('error', () => resolve());
          socket.resume();
          socket.setTimeout(5000, () => reject(new Error('the socket hangs')));
        });
        await closed;
      }),
      { numRuns: 40 },
    );
    assert.equal((await (await gateway.client()).call('health')).ok, true);
  });
});
