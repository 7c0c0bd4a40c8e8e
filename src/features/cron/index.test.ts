// What the feature says of itself as data: which of its settings restart the gateway, what its tool may ask of others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { methodTable } from '../../gateway/methods/table.ts';
import { startGateway } from '../../testing/running-gateway.ts';
import cron from './index.ts';

describe('the feature', () => {
  it('has methods for all its tool may ask of another gateway', () => {
    const { names } = methodTable({
      methods: Object.fromEntries(Object.keys(cron.methods).map((name) => [name, {}])),
    } as never);
    assert.deepEqual(
      cron.toolMethodsElsewhere.filter((name) => !names.includes(name)),
      [],
    );
  });

  it('restarts the gateway for another jobs file, and for no other setting', () => {
    assert.deepEqual(cron.restartsOn, ['cron.store']);
  });

  it('creates jobs for clients, and notifies those with the read scope', async () => {
    await using gateway = await startGateway();
    const client = await gateway.connect();
    const { id } = await client.call('cron.add', { schedule: 'every 20 minutes', payload: { text: 'stretch' } });
    const { payload } = await client.event(({ event }) => event === 'cron');
    assert.deepEqual([payload.action, payload.jobId], ['added', id]);
    assert.equal((await client.call('cron.status')).jobs, 1);
  });
});
