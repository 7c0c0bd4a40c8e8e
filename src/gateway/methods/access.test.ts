// Who is admitted, and why, through the protocol.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const request = {
  channel: 'pipe',
  accountId: 'default',
  id: 'u7',
  code: 'ABCDEFGH',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 3,
};
const shown = {
  channel: 'pipe',
  accountId: 'default',
  id: 'u7',
  code: 'ABCDEFGH',
  createdAtMs: 1,
  lastSeenAtMs: 2,
  expiresAtMs: 3,
};

describe('channel.pairing', () => {
  it('is announced, listed and decided by those with the right to pair, and heard of by nobody else', async () => {
    await using gateway = await startTestGateway();
    const reader = await gateway.client({ scopes: ['operator.read'] });
    const owner = await gateway.client({ scopes: ['operator.pairing'] });
    gateway.services.pairing.ask(request);
    assert.deepEqual((await owner.frame((frame) => frame.event === 'channel.pair.requested')).payload, shown);
    assert.deepEqual(await owner.call('channel.pairing.list', { channel: 'pipe' }), { pending: [shown], approved: [] });
    assert.equal((await reader.request('channel.pairing.list')).error.details.missingScope, 'operator.pairing');
    assert.deepEqual(await owner.call('channel.pairing.approve', { channel: 'pipe', code: 'ABCDEFGH' }), {
      request: shown,
    });
    const { ts, ...resolved } = (await owner.frame((frame) => frame.event === 'channel.pair.resolved')).payload;
    assert.deepEqual([resolved, typeof ts], [{ ...shown, decision: 'approved' }, 'number']);
    assert.equal((await owner.request('channel.pairing.reject', { channel: 'pipe', code: 'ABCDEFGH' })).ok, false);
    assert.deepEqual(await owner.call('channel.pairing.revoke', { channel: 'pipe', id: 'u7' }), { revoked: true });
    gateway.services.pairing.ask({ ...request, code: 'JJJJJJJJ' });
    await owner.call('channel.pairing.reject', { channel: 'pipe', code: 'JJJJJJJJ' });
    await reader.call('health');
    assert.equal(
      reader.frames.some(({ event }) => event?.startsWith('channel.pair')),
      false,
    );
  });
});

describe('explanations', () => {
  it('are for readers; what they are asked is checked', async () => {
    await using gateway = await startTestGateway();
    const reader = await gateway.client({ scopes: ['operator.read'] });
    assert.equal((await reader.call('route.explain', { channel: 'pipe' })).route.agentId, 'main');
    assert.equal(
      (await reader.call('access.explain', { channel: 'pipe', chatKind: 'group', chatId: 'g' })).allowed,
      true,
    );
    assert.deepEqual(
      [await reader.call('access.recent', { limit: 3 }), await reader.call('route.review')],
      [{ messages: [] }, { issues: [] }],
    );
    for (const wrong of [{}, { channel: 'pipe', chatKind: 'crowd' }, { channel: 'pipe', sender: 'u1' }])
      assert.equal((await reader.request('access.explain', wrong)).error.code, 'INVALID_REQUEST');
    assert.equal((await reader.request('access.recent', { limit: 5000 })).ok, false);
  });
});
