/** The channel contract for the web chat, whose platform is the history of the session. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OutboundMessage } from '../../core/reply.ts';
import { testAccount } from '../../testing/channel-account.ts';
import webchat from './index.ts';

const message = (token: string): OutboundMessage => ({
  token,
  runId: token,
  sessionKey: 'agent:main:main',
  payload: { kind: 'final', text: token },
});

it('shows replies in the session, in order, and calls them by their tokens', async () => {
  const shown: OutboundMessage[] = [];
  await using fixture = await testAccount(webchat, { config: {} });
  const connection = await webchat.connect({ ...fixture.account, show: async (one) => void shown.push(one) });
  const address = { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'main' } } as const;
  assert.deepEqual((await connection.send(address, message('one'))).messageIds, ['one']);
  await connection.send(address, message('two'));
  assert.deepEqual(
    shown.map(({ payload }) => payload.text),
    ['one', 'two'],
  );
  assert.equal((await connection.probe(AbortSignal.timeout(60_000))).ok, true);
});

it("is the operator's own surface, and never where unsolicited messages go", () => {
  assert.deepEqual([webchat.capabilities.operator, webchat.capabilities.deliverable], [true, false]);
});
