import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelCapabilities } from '../../core/channel.ts';
import { present } from '../../core/present.ts';
import { bindingsConfigSchema } from './config.ts';
import { lintBindings } from './lint-bindings.ts';

const capabilities = (chats: ChannelCapabilities['chats'], operator?: true) =>
  present({ chats, operator }) as ChannelCapabilities;
const PLUGINS = [
  { id: 'pipe', label: 'Pipe', aliases: ['tube'], capabilities: capabilities(['direct', 'group']) },
  { id: 'guilds', label: 'Guilds', capabilities: capabilities(['direct', 'channel']) },
  { id: 'webchat', label: 'Web chat', capabilities: capabilities(['direct'], true) },
];
const paths = (...matches: object[]) =>
  lintBindings(bindingsConfigSchema.parse(matches.map((match) => ({ agentId: 'a', match }))), PLUGINS).map(
    ({ path }) => path,
  );

test('a channel nobody has, a chat it cannot have, a server where there are none, a surface that names its sessions', () => {
  assert.deepEqual(
    paths(
      { channel: 'pip' },
      { channel: 'pipe', peer: { kind: 'channel', id: 'x' } },
      { channel: 'pipe', guildId: 'g' },
      { channel: 'webchat' },
    ),
    ['bindings[0].match.channel', 'bindings[1].match.peer.kind', 'bindings[2].match', 'bindings[3].match.channel'],
  );
  assert.deepEqual(
    paths({ channel: 'TUBE', peer: { kind: 'dm', id: 'x' } }, { channel: 'guilds', guildId: 'g', roles: ['r'] }),
    [],
  );
});

test('an account the channel does not have is named, with those it has', () => {
  const review = (accounts: readonly string[], ...matches: object[]) =>
    lintBindings(
      bindingsConfigSchema.parse(matches.map((match) => ({ agentId: 'a', match }))),
      PLUGINS,
      () => accounts,
    );
  const [found, ...others] = review(
    ['default', 'home'],
    { channel: 'pipe', accountId: 'office' },
    { channel: 'pipe', accountId: 'home' },
    { channel: 'pipe', accountId: '*' },
    { channel: 'pipe' },
  );
  assert.deepEqual(found, {
    path: 'bindings[0].match.accountId',
    problem: 'Pipe has no account "office", so it matches nothing',
    fix: 'Use one of: default, home; or leave it out for any account.',
  });
  assert.deepEqual(
    [others, review([], { channel: 'pipe', accountId: 'office' })],
    [[], []],
    'of a channel that is not set up nothing is known',
  );
});
