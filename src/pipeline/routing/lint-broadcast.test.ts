import assert from 'node:assert/strict';
import { test } from 'node:test';
import { broadcastConfigSchema } from './broadcast-config.ts';
import { lintBroadcast } from './lint-broadcast.ts';

const PLUGINS = [{ id: 'telegram', aliases: ['tg'] }, { id: 'discord' }];
const lint = (...keys: string[]) =>
  lintBroadcast(broadcastConfigSchema.parse(Object.fromEntries(keys.map((key) => [key, ['main']]))), PLUGINS).map(
    ({ path, fix }) => [path, fix],
  );

test('a chat written as in a session key or a target can never match; the warning says how to write it', () => {
  assert.deepEqual(lint('telegram:group:-1001', 'tg:dm:5', 'channel:7001'), [
    ['broadcast.telegram:group:-1001', 'Write "telegram:-1001".'],
    ['broadcast.tg:dm:5', 'Write "tg:5".'],
    ['broadcast.channel:7001', 'Write "7001".'],
  ]);
  assert.deepEqual(lint('-1001', 'telegram:-1001', 'telegram:-1001:topic:42', 'discord:7001', '!room:matrix.org'), []);
  assert.deepEqual(lintBroadcast(undefined, PLUGINS), []);
});
