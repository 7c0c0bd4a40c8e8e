// Devices in the handshake: their keys, approvals and tokens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDeviceIdentity } from '../devices/identity.ts';
import { startDeviceGateway } from '../../features/devices/harness.ts';
import { deviceParams, TOKEN } from '../../testing/ws-gateway.ts';

const remote = { headers: { host: 'gateway.example' } };

describe('device identity', () => {
  const faults: [string, Record<string, unknown>, (params: any) => any, string][] = [
    ['another nonce', { nonce: 'other' }, (params) => params, 'DEVICE_AUTH_NONCE_MISMATCH'],
    ['an old signature', { signedAt: 1 }, (params) => params, 'DEVICE_AUTH_SIGNATURE_EXPIRED'],
    ['other scopes than signed', { scopes: ['operator.read'] }, (params) => params, 'DEVICE_AUTH_SIGNATURE_INVALID'],
    [
      'another key',
      {},
      (params) => ({ ...params, device: { ...params.device, publicKey: createDeviceIdentity().publicKey } }),
      'DEVICE_AUTH_DEVICE_ID_MISMATCH',
    ],
    [
      'no key',
      {},
      (params) => ({ ...params, device: { ...params.device, publicKey: 'AAAA' } }),
      'DEVICE_AUTH_PUBLIC_KEY_INVALID',
    ],
    ['no nonce', {}, ({ device, ...params }) => ({ ...params, device: { ...device, nonce: undefined } }), ''],
  ];
  for (const [name, proof, change, code] of faults) {
    it(`refuses ${name}`, async () => {
      await using gateway = await startDeviceGateway();
      const client = await gateway.open();
      const { ok, error } = await client.request('connect', change(await deviceParams(client, {}, { proof })));
      assert.equal(ok, false);
      assert.equal(error.details?.code ?? '', code);
      assert.equal(gateway.devices.paired().length, 0);
    });
  }
});

describe('pairing', () => {
  it('admits a local device that knows the secret, and gives it a token of its own', async () => {
    await using gateway = await startDeviceGateway();
    const identity = createDeviceIdentity();
    const first = await gateway.open();
    const hello = await first.request(
      'connect',
      await deviceParams(first, { scopes: ['operator.read'] }, { identity }),
    );
    const { deviceToken } = hello.payload.auth;
    assert.ok(deviceToken);

    const again = await gateway.open();
    const back = await again.request(
      'connect',
      await deviceParams(again, { scopes: ['operator.read'], auth: { deviceToken } }, { identity }),
    );
    assert.deepEqual(back.payload.auth.scopes, ['operator.read']);

    const greedy = await gateway.open();
    const more = await greedy.request(
      'connect',
      await deviceParams(greedy, { scopes: ['operator.admin'], auth: { deviceToken } }, { identity }),
    );
    assert.equal(more.error.details.reason, 'scope-upgrade');
    assert.equal(more.error.code, 'NOT_PAIRED');
  });

  it('a device token without scopes gets exactly its own', async () => {
    await using gateway = await startDeviceGateway();
    const identity = createDeviceIdentity();
    const first = await gateway.open();
    const { payload } = await first.request(
      'connect',
      await deviceParams(first, { scopes: ['operator.read'] }, { identity }),
    );
    const again = await gateway.open();
    const back = await again.request(
      'connect',
      await deviceParams(again, { scopes: undefined, auth: { token: payload.auth.deviceToken } }, { identity }),
    );
    assert.deepEqual(back.payload.auth.scopes, ['operator.read']);
  });

  it('an operator that omits scopes is an admin', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    assert.deepEqual((await client.connect({ scopes: undefined })).payload.auth.scopes, ['operator.admin']);
  });

  it('asks a person about a device from elsewhere', async () => {
    await using gateway = await startDeviceGateway();
    const operator = await gateway.client();
    const reader = await gateway.client({ scopes: ['operator.read'] });
    const identity = createDeviceIdentity();
    const attempt = await gateway.open(remote);
    const { error } = await attempt.request(
      'connect',
      await deviceParams(attempt, { scopes: ['operator.write'] }, { identity }),
    );
    assert.deepEqual(
      [error.code, error.details.code, error.details.reason],
      ['NOT_PAIRED', 'PAIRING_REQUIRED', 'not-paired'],
    );
    assert.match((await attempt.closed).reason, new RegExp(`requestId: ${error.details.requestId}`));

    const asked = await operator.event('device.pair.requested');
    assert.equal(asked.payload.requestId, error.details.requestId);
    const { device } = await operator.call('device.pair.approve', { requestId: error.details.requestId });
    assert.deepEqual(device.scopes, ['operator.write']);
    assert.equal((await operator.event('device.pair.resolved')).payload.decision, 'approved');
    await reader.call('health');
    assert.equal(
      reader.frames.some((frame) => String(frame.event).startsWith('device.')),
      false,
      'pairing is not for readers',
    );

    const back = await gateway.open(remote);
    assert.equal(
      (await back.request('connect', await deviceParams(back, { scopes: ['operator.write'] }, { identity }))).ok,
      true,
    );
  });

  it('the same request again is the same one; a rejected one is gone', async () => {
    await using gateway = await startDeviceGateway();
    const operator = await gateway.client();
    const identity = createDeviceIdentity();
    const attempt = async () => {
      const client = await gateway.open(remote);
      return (await client.request('connect', await deviceParams(client, {}, { identity }))).error.details.requestId;
    };
    const requestId = await attempt();
    assert.equal(await attempt(), requestId);
    await operator.call('device.pair.reject', { requestId });
    assert.equal((await operator.event('device.pair.resolved')).payload.decision, 'rejected');
    assert.equal((await operator.request('device.pair.approve', { requestId })).error.code, 'INVALID_REQUEST');
    assert.notEqual(await attempt(), requestId);
  });

  it('rotating and revoking a token closes its sockets; nobody can grant more than they have', async () => {
    await using gateway = await startDeviceGateway();
    const operator = await gateway.client();
    const identity = createDeviceIdentity();
    const open = async (auth: unknown) => {
      const client = await gateway.open();
      return {
        client,
        hello: await client.request(
          'connect',
          await deviceParams(client, { scopes: ['operator.admin'], auth }, { identity }),
        ),
      };
    };
    const { client, hello } = await open({ token: TOKEN });
    const clerk = await gateway.client({ scopes: ['operator.pairing'] });
    const denied = await clerk.request('device.token.rotate', { deviceId: identity.deviceId, role: 'operator' });
    assert.equal(denied.error.details.missingScope, 'operator.admin');
    const emptied = await clerk.request('device.token.rotate', {
      deviceId: identity.deviceId,
      role: 'operator',
      scopes: [],
    });
    assert.equal(emptied.error?.details.missingScope, 'operator.admin', 'nor takes away more');

    const rotated = await operator.call('device.token.rotate', { deviceId: identity.deviceId, role: 'operator' });
    assert.deepEqual(await client.closed, { code: 1008, reason: 'device token rotated' });
    const stale = await open({ deviceToken: hello.payload.auth.deviceToken });
    assert.equal(stale.hello.error.details.code, 'AUTH_DEVICE_TOKEN_MISMATCH');
    const fresh = await open({ deviceToken: rotated.token });
    assert.equal(fresh.hello.ok, true);

    await operator.call('device.token.revoke', { deviceId: identity.deviceId, role: 'operator' });
    assert.equal((await fresh.client.closed).reason, 'device token revoked');
    assert.equal((await open({ deviceToken: rotated.token })).hello.ok, false);
  });

  it('remembers devices across a restart', async () => {
    const identity = createDeviceIdentity();
    await using first = await startDeviceGateway();
    const client = await first.open();
    const { payload } = await client.request('connect', await deviceParams(client, {}, { identity }));
    await using second = await startDeviceGateway({ stateDir: first.stateDir });
    const back = await second.open();
    assert.equal(
      (
        await back.request(
          'connect',
          await deviceParams(back, { auth: { deviceToken: payload.auth.deviceToken } }, { identity }),
        )
      ).ok,
      true,
    );
  });
});
