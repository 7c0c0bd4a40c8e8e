// Who is the owner: by stable id, named one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandRow } from '../../testing/command-stage.ts';
import { ownerOf } from './owner.ts';

const { message } = commandRow('x');
const owner = (ownerAllowFrom: string[] | undefined, telegram: Record<string, unknown> = {}, over = message): boolean =>
  ownerOf({ commands: ownerAllowFrom ? { ownerAllowFrom } : {}, channels: { telegram } }, over, (entry) => (/^\d+$/.test(entry) ? entry : undefined));

test('commands.ownerAllowFrom decides alone where it is given', () => {
  assert.ok(owner(['telegram:4711']));
  assert.ok(owner(['slack:U1', 'Telegram:4711 ']));
  assert.ok(!owner(['4711']), 'without a channel an id says nothing');
  assert.ok(!owner(['slack:4711']));
  assert.ok(!owner([], { allowFrom: ['4711'] }));
  assert.ok(!owner(['telegram:*']));
});

test('else the senders the channel names one by one', () => {
  assert.ok(owner(undefined, { allowFrom: [4711] }));
  assert.ok(owner(undefined, { allowFrom: ['telegram:4711'] }));
  assert.ok(owner(undefined, { allowFrom: ['1'], accounts: { default: { allowFrom: ['4711'] } } }));
  assert.ok(!owner(undefined, { allowFrom: ['*'] }));
  assert.ok(owner(undefined, { allowFrom: ['4711'], dm: { allowFrom: [4711] } }));
  assert.ok(!owner(undefined, { allowFrom: ['4711'], dm: { allowFrom: ['1'] } }), 'direct chats have a list of their own');
  assert.ok(!owner(undefined, { dmPolicy: 'pairing' }), 'a pairing makes nobody the owner');
  assert.ok(!owner(undefined, { allowFrom: ['@ann', 'Ann'] }), 'names decide nothing');
  assert.ok(!owner(undefined, { allowFrom: ['*'] }, { ...message, sender: { id: '*' } }));
  assert.ok(!owner(undefined, { allowFrom: [''] }, { ...message, sender: { id: '' } }));
});
