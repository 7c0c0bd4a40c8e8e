/** The title and source of a session, from the facts of the channel. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundMessage } from '../../core/message.ts';
import { placeOf } from './session-place.ts';

const at = (kind: 'direct' | 'group' | 'channel', more: Partial<InboundMessage> = {}): any =>
  placeOf({
    address: { channel: 'desk', accountId: 'default', chat: { kind, id: 'C7' } },
    sender: { id: 'u1', name: 'Ann' },
    ...more,
  } as InboundMessage);

test('a group has its title, a channel its name and its server, and a direct chat who wrote', () => {
  const group = at('group', { place: { chat: 'Family  &\u202e Friends\n' } });
  assert.deepEqual(
    [group.subject, group.displayName, group.origin.label],
    ['Family & Friends', 'desk:g-family-friends', 'Family & Friends'],
  );
  const channel = at('channel', { place: { chat: 'Garden Talk', space: 'Club' } });
  assert.deepEqual(
    [channel.subject, channel.groupChannel, channel.space, channel.displayName],
    [undefined, 'Garden Talk', 'Club', 'desk:club#garden-talk'],
  );
  assert.equal(at('channel', { place: { chat: '#general' } }).displayName, 'desk:#general');
  assert.equal(at('group').displayName, 'desk:g-c7', 'its id where nothing is told');
  assert.equal(
    at('group', { place: { chat: 'Семья' } }).displayName,
    'desk:g-c7',
    'and where nothing of the title is left',
  );
  assert.equal(at('channel', { place: { chat: 'x', thread: 'Tomatoes' } }).displayName, 'Tomatoes');
  assert.deepEqual(at('direct'), {
    origin: {
      label: 'Ann',
      provider: 'desk',
      surface: 'desk',
      chatType: 'direct',
      from: 'u1',
      to: 'C7',
      accountId: 'default',
    },
  });
});
