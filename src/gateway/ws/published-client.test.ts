// The published client, unmodified: connects, pairs, chats, reads history, and survives a restart.
import { GatewayClient, GatewaySessionMessageSubscriptionCoordinator } from '@openclaw/gateway-client';
import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { createDeviceIdentity } from '../devices/identity.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { startDeviceGateway } from '../../features/devices/harness.ts';
import { TOKEN, type TestGateway } from '../../testing/ws-gateway.ts';

/** The host's part of the published client: a key and a place for device tokens. */
function host(options: Record<string, unknown>) {
  const identity = createDeviceIdentity();
  const tokens = new Map<string, { token: string; scopes: string[] }>();
  const hellos: any[] = [];
  const events: any[] = [];
  const gaps: unknown[] = [];
  const errors: any[] = [];
  const waiters = new Set<() => void>();
  const woken = (list: any[]) => (value: any) => {
    list.push(value);
    for (const waiter of waiters) waiter();
  };
  const client = new GatewayClient({
    clientName: 'gateway-client',
    mode: 'backend',
    scopes: ['operator.admin'],
    deviceIdentity: {
      deviceId: identity.deviceId,
      publicKeyPem: identity.publicKey,
      privateKeyPem: identity.privateKeyPem,
    },
    hostDeps: {
      signDevicePayload: (pem: string, payload: string) =>
        sign(null, Buffer.from(payload), createPrivateKey(pem)).toString('base64url'),
      publicKeyRawBase64UrlFromPem: (raw: string) => raw,
      loadDeviceAuthToken: () => tokens.get('token') ?? null,
      storeDeviceAuthToken: (stored: any) => void tokens.set('token', { token: stored.token, scopes: stored.scopes }),
    },
    onHelloOk: woken(hellos),
    onEvent: woken(events),
    onGap: woken(gaps),
    onConnectError: woken(errors),
    ...options,
  } as any);
  const until = async <T>(probe: () => T | undefined | false): Promise<T> => {
    for (;;) {
      const found = probe();
      if (found) return found;
      await new Promise<void>((resolve) => waiters.add(resolve));
      waiters.clear();
    }
  };
  const final = (runId: string) =>
    until(() =>
      events.find(
        (event) => event.event === 'chat' && event.payload.runId === runId && event.payload.state === 'final',
      ),
    );
  return { client, identity, tokens, hellos, events, gaps, errors, until, final };
}

const chat = (gateway: TestGateway, text: string, idempotencyKey: string) => ({
  sessionKey: gateway.services.agents.mainSessionKey(),
  message: text,
  idempotencyKey,
});

describe('the published client', () => {
  it('connects, pairs, chats, reads history and comes back after a restart with its own token', async () => {
    await using home = await tempDir('published');
    await using first = await startDeviceGateway({ stateDir: home.path });
    const app = host({ url: first.url, token: TOKEN });
    try {
      app.client.start();
      await app.until(() => app.hellos[0]);
      assert.ok(app.tokens.get('token'), 'the device token was handed over');
      await app.client.request('chat.send', chat(first, 'hello', 'p1'));
      const { payload } = await app.final('p1');
      assert.equal(payload.message.content[0].text, 'echo: hello');
      const history: any = await app.client.request('chat.history', { sessionKey: 'main' });
      assert.deepEqual(
        history.messages.map((message: any) => message.role),
        ['user', 'assistant'],
      );
      const subscription = await new GatewaySessionMessageSubscriptionCoordinator(app.client as any).acquire('main');
      assert.equal(subscription.key, 'agent:main:main');
      const agent: any = await app.client.request(
        'agent',
        { message: 'again', sessionKey: 'main', idempotencyKey: 'p2' },
        { expectFinal: true },
      );
      assert.equal(agent.result.payloads[0].text, 'echo: again');
      await app.until(() =>
        app.events.find((event) => event.event === 'session.message' && event.payload.message.role === 'assistant'),
      );

      first.ws.announceShutdown({ reason: 'restart', restartExpectedMs: 100 });
      await app.until(() => app.events.find((event) => event.event === 'shutdown'));
      await first[Symbol.asyncDispose]();
      await using second = await startDeviceGateway({ port: first.port, stateDir: home.path });
      await app.until(() => app.hellos[1]);
      await app.client.request('chat.send', chat(second, 'still there?', 'p3'));
      await app.final('p3');
      assert.deepEqual(app.gaps, [], 'sequence numbers have no holes');
    } finally {
      await app.client.stopAndWait();
    }
  });

  it('is asked to wait for approval, and is admitted afterwards', async () => {
    await using gateway = await startDeviceGateway({ remote: true });
    const operator = await gateway.client();
    const paused: any[] = [];
    const app = host({ url: gateway.url, token: TOKEN, onReconnectPaused: (info: unknown) => paused.push(info) });
    try {
      app.client.start();
      const refused = await app.until(() => app.errors[0]);
      assert.equal(refused.details.code, 'PAIRING_REQUIRED');
      await operator.call('device.pair.approve', { requestId: refused.details.requestId });
    } finally {
      await app.client.stopAndWait();
    }
    assert.equal(paused[0]?.detailCode, 'PAIRING_REQUIRED', 'it stops knocking by itself');
    const again = host({
      url: gateway.url,
      token: TOKEN,
      deviceIdentity: {
        deviceId: app.identity.deviceId,
        publicKeyPem: app.identity.publicKey,
        privateKeyPem: app.identity.privateKeyPem,
      },
    });
    try {
      again.client.start();
      await again.until(() => again.hellos[0]);
    } finally {
      await again.client.stopAndWait();
    }
  });
});
