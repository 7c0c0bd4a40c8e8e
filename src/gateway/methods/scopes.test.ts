// Every method for every kind of caller, generated from the method table: allowed, or refused with the missing scope.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allow, OPERATOR_SCOPES, scopesGrant } from '../../core/principal.ts';
import { startDeviceGateway } from '../../features/devices/harness.ts';
import { deviceParams } from '../../testing/ws-gateway.ts';
import { everyFeature, everyMethod } from '../../testing/every-method.ts';

const { methods: METHODS, names: METHOD_NAMES } = await everyMethod();
const services = { features: await everyFeature() };

const scopeSets: readonly (readonly string[])[] = [
  [],
  ...OPERATOR_SCOPES.map((scope) => [scope]),
  ['operator.read', 'operator.pairing'],
  ['operator.write', 'operator.approvals'],
];
/** Unknown properties are refused after the right was checked, so nothing is really done. */
const OTHER_ROLE = { code: 'ROLE_NOT_ALLOWED', role: 'operator' };
const PROBE = { 'not a parameter': true };

describe('rights', () => {
  for (const scopes of scopeSets) {
    it(`operator with [${scopes.join(', ')}]`, async () => {
      await using gateway = await startDeviceGateway({ services, limits: { maxRequestsInFlight: 1000 } });
      const client = await gateway.client({ scopes });
      for (const [name, { needs }] of Object.entries(METHODS)) {
        const { ok, error } = await client.request(name, name === 'wake' ? undefined : PROBE);
        assert.equal(ok, false);
        const granted = needs === 'any' || (needs !== 'node' && scopesGrant(scopes, needs));
        if (granted) assert.equal(error.code, 'INVALID_REQUEST', `${name}: ${error.message}`);
        else
          assert.deepEqual(
            [error.code, error.details],
            [
              'FORBIDDEN',
              needs === 'node' ? OTHER_ROLE : { code: 'MISSING_SCOPE', missingScope: needs, requiredScopes: [needs] },
            ],
            name,
          );
      }
    });
  }

  it('node', async () => {
    await using gateway = await startDeviceGateway({ services });
    const client = await gateway.open();
    await client.request(
      'connect',
      await deviceParams(client, {
        role: 'node',
        scopes: ['operator.admin'],
        client: { id: 'node-host', version: '1', platform: 'linux', mode: 'node' },
      }),
    );
    for (const [name, { needs }] of Object.entries(METHODS)) {
      const { error } = await client.request(name, PROBE);
      if (allow({ kind: 'node', id: 'n' }, needs)) assert.equal(error.code, 'INVALID_REQUEST', name);
      else assert.deepEqual([error.code, error.details.code], ['FORBIDDEN', 'ROLE_NOT_ALLOWED'], name);
    }
  });

  it('hello lists exactly the table', async () => {
    await using gateway = await startDeviceGateway({ services });
    const client = await gateway.open();
    const { payload } = await client.connect();
    assert.deepEqual(payload.features.methods, METHOD_NAMES);
    for (const name of ['connect', 'chat.send', 'providers.status', 'device.token.revoke'])
      assert.ok(METHOD_NAMES.includes(name), name);
    const unknown = await client.request('no.such.method');
    assert.equal(unknown.error.code, 'INVALID_REQUEST');
    assert.equal((await client.request('constructor')).error.details.code, 'UNKNOWN_METHOD');
  });
});
