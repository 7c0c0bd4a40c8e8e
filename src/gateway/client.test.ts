// The gateway client: connecting, calls, events, and error messages.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readTextIfExists, statIfExists, writeFileAtomic } from '../platform/files.ts';
import { startDeviceGateway } from '../features/devices/harness.ts';
import { TOKEN } from '../testing/ws-gateway.ts';
import { connectGateway, loadDeviceIdentity } from './client.ts';

describe('gateway client', () => {
  it('calls with the token alone and with a device of its own', async () => {
    await using gateway = await startDeviceGateway();
    const identity = await loadDeviceIdentity(join(gateway.stateDir, 'device.pem'));
    const first = await connectGateway({ url: gateway.url, token: TOKEN, identity });
    const { deviceToken } = first.hello.auth;
    assert.ok(deviceToken);
    await first.close();

    await using again = await connectGateway({ url: gateway.url, deviceToken, identity });
    assert.deepEqual(again.hello.auth.scopes, ['operator.admin']);
    assert.equal((await again.call<{ ok: boolean }>('health')).ok, true);
    await using plain = await connectGateway({ url: gateway.url, token: TOKEN });
    assert.equal(
      (
        await plain.call<{ status: string; result: { payloads: { text: string }[] } }>(
          'agent',
          { message: 'hi', idempotencyKey: 'c1' },
          { timeoutMs: null },
        )
      ).result.payloads[0]?.text,
      'echo: hi',
    );
  });

  it('hears events', async () => {
    await using gateway = await startDeviceGateway();
    await using connection = await connectGateway({ url: gateway.url, token: TOKEN });
    const ended = new Promise((resolve) =>
      connection.subscribe(
        ({ event, payload }) =>
          event === 'chat' && (payload as { state: string }).state === 'final' && resolve(payload),
      ),
    );
    await connection.call('chat.send', { sessionKey: 'main', message: 'hello', idempotencyKey: 'c2' });
    assert.equal(
      ((await ended) as { message: { content: { text: string }[] } }).message.content[0]?.text,
      'echo: hello',
    );
  });

  it('tells apart: nobody there, wrong secret, bad request, missing right, no answer, gone', async () => {
    await using gateway = await startDeviceGateway();
    await assert.rejects(connectGateway({ url: 'ws://127.0.0.1:9', token: TOKEN }), { code: 'network' });
    await assert.rejects(connectGateway({ url: gateway.url, token: 'wrong' }), { code: 'auth' });
    await using reader = await connectGateway({ url: gateway.url, token: TOKEN, scopes: ['operator.read'] });
    await assert.rejects(reader.call('health', { nope: 1 }), { code: 'invalid' });
    await assert.rejects(
      reader.call('config.set', { raw: '{}' }),
      (error: any) => error.code === 'denied' && error.details.missingScope === 'operator.admin',
    );
    await assert.rejects(reader.call('chat.timeline', { runId: 'nobody' }), { code: 'not_found' });
    await assert.rejects(reader.call('health', {}, { signal: AbortSignal.abort() }), { code: 'aborted' });
    gateway.services.chat.history = () => new Promise(() => undefined);
    await assert.rejects(reader.call('chat.history', { sessionKey: 'main' }, { timeoutMs: 5 }), { code: 'timeout' });
    const hanging = reader.call('chat.history', { sessionKey: 'main' });
    void gateway.ws.closeAll(1012, 'service restart');
    await assert.rejects(hanging, (error: any) => error.code === 'network' && error.details.closeCode === 1012);
    await assert.rejects(reader.call('health'), { code: 'network' });
  });
});

describe('device key file', () => {
  it('is made once, private, and never overwritten', async () => {
    await using gateway = await startDeviceGateway();
    const path = join(gateway.stateDir, 'keys', 'device.pem');
    const identity = await loadDeviceIdentity(path);
    assert.deepEqual(await loadDeviceIdentity(path), identity);
    assert.equal((await statIfExists(path))?.mode, 0o600);
    await writeFileAtomic(path, 'not a key');
    await assert.rejects(loadDeviceIdentity(path), { code: 'invalid' });
    assert.equal(await readTextIfExists(path), 'not a key');
  });
});
