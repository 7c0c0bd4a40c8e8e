// What the ready probe is told of storage, also while the journal cannot be read.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createGatewayStatus, type GatewayStatusDeps } from './gateway-status.ts';

function storageOf(pending: () => Promise<number>) {
  const journal = {
    health: async () => ({}),
    outbox: { pending },
    inbound: { overdue: async () => 2 },
  };
  return createGatewayStatus({ journal, clock: { now: () => 1e9 } } as unknown as GatewayStatusDeps).storage();
}

it('counts what is open', async () => {
  assert.deepEqual(await storageOf(async () => 3), { outboxPending: 3, overdue: 2, storage: { ok: true } });
});

it('tells that the journal cannot be read, and does not fail with it', async () => {
  const closed = async () => {
    throw new Error('database is not open');
  };
  assert.deepEqual(await storageOf(closed), {
    outboxPending: 0,
    overdue: 0,
    storage: { ok: false, error: 'database is not open' },
  });
});
