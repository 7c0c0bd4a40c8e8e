/** Access fails closed: nobody but the operator and the listed senders. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChannelCapabilities } from '../../core/channel.ts';
import type { InboundMessage } from '../../core/message.ts';
import { admit } from './admit.ts';

const capabilities: ChannelCapabilities = { chats: ['direct', 'group'], threads: false, edit: false, react: false, typing: false, media: false, voice: false, markdown: 'none', maxTextLength: 100, idempotentSend: false, deliverable: true };
const message = (over: { id?: string; name?: string; kind?: 'direct' | 'group'; addressesBot?: boolean } = {}): InboundMessage => ({
  id: '1', text: 'hi', attachments: [], receivedAt: 0, addressesBot: over.addressesBot ?? true,
  address: { channel: 'pipe', accountId: 'default', chat: { kind: over.kind ?? 'direct', id: 'c' } }, sender: { id: over.id ?? 'u1', name: over.name ?? 'Ann' },
});
const verdict = (m: InboundMessage, allowFrom: string[], caps = capabilities, mentioned = false): string => admit(m, caps, { allowFrom, mentioned }).kind;

it('refuses everybody when nobody is listed', () => assert.equal(verdict(message(), []), 'refused'));
it('goes by the stable id, never by the name', () => {
  assert.equal(verdict(message(), ['Ann']), 'refused');
  assert.equal(verdict(message(), ['U1']), 'allowed');
  assert.equal(verdict(message(), ['pipe:u1']), 'allowed');
  assert.equal(verdict(message({ id: '*' }), ['x']), 'refused');
  assert.equal(verdict(message(), ['other-pipe:u1']), 'refused');
});
it('allows everybody only when that is written', () => assert.equal(verdict(message(), ['*']), 'allowed'));
it('leaves group talk alone that does not address the agent', () => assert.equal(verdict(message({ kind: 'group', addressesBot: false }), ['*']), 'refused'));
it('takes a mention by name for an address, from listed senders only', () => {
  const said = message({ kind: 'group', addressesBot: false });
  assert.equal(verdict(said, ['*'], capabilities, true), 'allowed');
  assert.deepEqual(admit(said, capabilities, { allowFrom: ['x'], mentioned: true }), { kind: 'refused', reason: 'sender u1 is not in channels.pipe.allowFrom' });
  assert.equal((admit(said, capabilities, { allowFrom: ['*'], mentioned: false }) as { unaddressed?: true }).unaddressed, true);
});
it('lets the operator in', () => assert.equal(verdict(message(), [], { ...capabilities, operator: true }), 'allowed'));
