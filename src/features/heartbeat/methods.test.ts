// Heartbeats over the wire: the last tick, the switch, and the event everybody may hear who may read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFeatureEvents } from '../../host/feature-events.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';
import { createFakeHeartbeat } from './fake.ts';
import heartbeat from './index.ts';
import { heartbeatMethods } from './methods.ts';

/** A gateway whose only feature are heartbeats that tests make up. */
async function open() {
  const fake = createFakeHeartbeat();
  const events = createFeatureEvents();
  fake.subscribe((report) => events.publish('heartbeat', report));
  const parts = { methods: heartbeatMethods(fake, { ids: () => ['main', 'work'] }) };
  const services = { features: [{ feature: heartbeat, parts }], featureEvents: events.subscribe };
  return { gateway: await startTestGateway({ services }), fake };
}

describe('heartbeats', () => {
  it('tell how the last look went, of one agent or of whichever looked last, and when it looks next', async () => {
    const { gateway, fake } = await open();
    await using _gateway = gateway;
    const client = await gateway.client({ scopes: ['operator.read'] });
    assert.equal((await client.call('last-heartbeat'))?.status, undefined, 'nobody looked yet');
    fake.put({ ts: 5, status: 'sent', preview: 'rent is due', channel: 'telegram', to: '42' });
    fake.put({ ts: 6, agentId: 'work', status: 'skipped', reason: 'quiet-hours' });
    const { status, reason, nextAtMs } = await client.call('last-heartbeat');
    assert.deepEqual([status, reason, nextAtMs], ['skipped', 'quiet-hours', null]);
    assert.deepEqual(await client.call('last-heartbeat', { agentId: 'MAIN' }), {
      ts: 5,
      agentId: 'main',
      sessionKey: 'agent:main:main',
      status: 'sent',
      reason: 'interval',
      preview: 'rent is due',
      channel: 'telegram',
      to: '42',
      nextAtMs: 1_800_001,
      enabled: true,
    });
    assert.match(
      (await client.request('last-heartbeat', { agentId: 'nobody' })).error.message,
      /unknown agent id "nobody"/,
    );
  });

  it('are turned off and on by an administrator alone', async () => {
    const { gateway, fake } = await open();
    await using _gateway = gateway;
    fake.put({});
    const reader = await gateway.client({ scopes: ['operator.read', 'operator.write'] });
    assert.equal((await reader.request('set-heartbeats', { enabled: false })).error.code, 'FORBIDDEN');
    const admin = await gateway.client({ scopes: ['operator.admin'] });
    assert.match((await admin.request('set-heartbeats', { enabled: 'no' })).error.message, /enabled/);
    assert.equal(fake.enabled, true);
    assert.deepEqual(await admin.call('set-heartbeats', { enabled: false }), { ok: true, enabled: false });
    const { nextAtMs, enabled } = await reader.call('last-heartbeat');
    assert.deepEqual([nextAtMs, enabled], [null, false]);
  });

  it('are an event for those who may read', async () => {
    const { gateway, fake } = await open();
    await using _gateway = gateway;
    const [reader, other] = [
      await gateway.client({ scopes: ['operator.read'] }),
      await gateway.client({ scopes: ['operator.pairing'] }),
    ];
    fake.put({ ts: 9, status: 'ok', silent: true });
    assert.deepEqual((await reader.event('heartbeat')).payload, {
      ts: 9,
      agentId: 'main',
      sessionKey: 'agent:main:main',
      status: 'ok',
      reason: 'interval',
      silent: true,
    });
    await other.request('health');
    assert.deepEqual(
      other.frames.filter(({ event }) => event === 'heartbeat'),
      [],
    );
  });
});
