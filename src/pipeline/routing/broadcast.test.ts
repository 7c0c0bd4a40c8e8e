/** Broadcast cases of `spec/gateway.md` 8.1, as far as they are decided without running anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../../core/present.ts';
import { configSchema } from '../../testing/whole-schema.ts';
import { sessionConfigSchema } from '../../sessions/config.ts';
import { broadcastRoutes } from './broadcast.ts';
import { broadcastConfigSchema } from './broadcast-config.ts';
import type { RoutingRules } from './route.ts';

const session = sessionConfigSchema.parse(undefined);
function routes(
  broadcast: object,
  over: Partial<RoutingRules> & { kind?: 'direct' | 'group'; id?: string; threadId?: string } = {},
) {
  const { kind = 'group', id = 'g1', threadId, ...rules } = over;
  const message = {
    address: {
      channel: 'pipe',
      accountId: 'default',
      chat: { kind, id },
      ...present({ threadId: threadId || undefined }),
    },
  };
  return broadcastRoutes(message, {
    bindings: [],
    session,
    defaultAgentId: 'main',
    agentIds: [],
    broadcast: broadcastConfigSchema.parse(broadcast),
    ...rules,
  });
}

test('G32 all at once unless configured, each agent in a session of its own, in the order of the list', () => {
  const found = routes({ g1: ['Ada', 'bob', 'ada'] });
  assert.deepEqual(
    [found?.strategy, found?.path, found?.routes.map(({ agentId, sessionKey }) => [agentId, sessionKey])],
    [
      'parallel',
      'broadcast.g1',
      [
        ['ada', 'agent:ada:pipe:group:g1'],
        ['bob', 'agent:bob:pipe:group:g1'],
      ],
    ],
  );
  assert.equal(routes({ strategy: 'sequential', g1: ['ada'] })?.strategy, 'sequential');
  assert.equal(routes({ g1: { agents: ['ada'], strategy: 'sequential' } })?.strategy, 'sequential');
});

test('an entry with the channel goes first, a thread is answered like its chat, an empty list is none', () => {
  const agents = (broadcast: object, over = {}) => routes(broadcast, over)?.routes.map(({ agentId }) => agentId);
  assert.deepEqual(agents({ g1: ['a'], 'pipe:g1': ['b'] }), ['b']);
  assert.deepEqual(agents({ g1: ['a'], 'other:g1': ['b'] }), ['a']);
  assert.deepEqual(agents({ g1: ['a'] }, { threadId: '7' }), ['a']);
  assert.deepEqual(agents({ g1: ['a'], 'g1:topic:7': ['b'] }, { threadId: '7' }), ['b']);
  for (const none of [{}, { g1: [] }, { g2: ['a'] }, { strategy: 'parallel' }]) assert.equal(routes(none), undefined);
  assert.equal(routes({}, { id: 'constructor' }), undefined);
  assert.equal(routes({ strategy: 'sequential' }, { id: 'strategy' }), undefined);
});

test('agents nobody has are left out; G36 direct chats follow dmScope, and one conversation for all stays apart', () => {
  assert.deepEqual(
    routes({ g1: ['ghost', 'ada'] }, { agentIds: ['main', 'ada'] })?.routes.map(({ agentId }) => agentId),
    ['ada'],
  );
  assert.equal(routes({ g1: ['ghost'] }, { agentIds: ['main'] }), undefined);
  const direct = (over: object) =>
    routes({ u1: ['ada', 'bob'] }, { kind: 'direct', id: 'u1', session: { ...session, ...over } })?.routes.map(
      ({ sessionKey }) => sessionKey,
    );
  assert.deepEqual(direct({ dmScope: 'per-peer' }), ['agent:ada:dm:u1', 'agent:bob:dm:u1']);
  assert.deepEqual(direct({ scope: 'global' }), ['agent:ada:main', 'agent:bob:main']);
});

test('G34 an agent nobody has is an error with its path, where agents are listed', () => {
  const paths = (broadcast: object, list: object[] = [{ id: 'Ada' }]) =>
    configSchema.safeParse({ agents: { list }, broadcast }).error?.issues.map(({ path }) => path.join('.')) ?? [];
  assert.deepEqual(paths({ g1: ['ada', 'ghost'], 'pipe:g2': { agents: ['ghost'] } }), [
    'broadcast.g1.1',
    'broadcast.pipe:g2.agents.0',
  ]);
  assert.deepEqual(paths({ g1: ['ghost'] }, []), []);
});
