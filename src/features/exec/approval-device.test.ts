/** Who answered a command that waits: the device, where the gateway knows it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deviceParams } from '../../testing/ws-gateway.ts';
import { startDeviceGateway } from '../devices/harness.ts';
import { sampleQuestion } from './fake-approvals.ts';
import { startExecGateway } from './harness.ts';

it('is answered in the name of the device', async () => {
  await using gateway = await startExecGateway(undefined, { start: startDeviceGateway });
  const client = await gateway.open();
  const params = await deviceParams(client, {
    client: { id: 'cli', displayName: 'Ada\u202e phone', version: '1.0.0', platform: 'linux', mode: 'ui' },
  });
  assert.equal((await client.request('connect', params)).ok, true);
  const asked = gateway.approvals.ask(sampleQuestion(), { timeoutMs: 60_000, signal: new AbortController().signal });
  assert.ok(!('problem' in asked));
  const { request, decided } = asked;
  await client.call('exec.approval.resolve', { id: request.id, decision: 'allow-always' });
  assert.match((await decided).by ?? '', /^(Ada⟨U\+202E⟩ phone|operator)$/);
});
