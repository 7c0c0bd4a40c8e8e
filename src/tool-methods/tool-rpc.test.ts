/** Gateway methods for tools: conversations of the own agent, and nothing through names that every object has. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toolsConfigSchema } from '../agent/config.ts';
import { messageToolSchema } from '../config/message-tool-config.ts';
import { canonicalSessionKey, defaultKeyRules } from '../core/session-key.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionService } from '../host/session-service.ts';
import { peopleAuthority, surfaceAuthority } from '../testing/sample-authority.ts';
import { createFindSessions } from './sessions/finder-of-turn.ts';
import { createToolRpc, type ToolRpcDeps } from './tool-rpc.ts';

const OWN = 'agent:main:main';
const known = new Set([OWN, 'agent:main:other', 'agent:work:main']);

function harness(authority = surfaceAuthority()) {
  const patched: string[] = [];
  const sessions = {
    canonicalKey: (raw: string) => canonicalSessionKey(raw),
    get: async (key: string) => (known.has(key) ? { sessionId: 's', updatedAt: 1 } : undefined),
    patch: async (key: string) => void patched.push(key),
  } as unknown as SessionService;
  const turn = {
    route: {
      agentId: 'main',
      sessionKey: OWN,
      replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: OWN } },
    },
    authority,
  } as unknown as Turn;
  const rpc = createToolRpc({
    features: {
      goesElsewhere: () => false,
      toolMethods: (noun) =>
        noun === 'sessions'
          ? Promise.resolve({ 'sessions.toy': async () => 'toy', 'sessions.describe': async () => 'not this one' })
          : undefined,
    },
    sessions,
    models: {} as ToolRpcDeps['models'],
    gateway: {} as ToolRpcDeps['gateway'],
    elsewhere: {} as ToolRpcDeps['elsewhere'],
    messages: {
      channels: {} as never,
      isDeliverable: () => false,
      keepFiles: async () => [],
      config: () => messageToolSchema.parse(undefined),
      open: () => [],
      sentBefore: async () => [],
    },
    open: () => [],
    talk: {
      sessions,
      finder: createFindSessions({
        sessions,
        open: () => [],
        keyRules: () => defaultKeyRules,
        boxOf: () => undefined,
        config: () => ({ tools: toolsConfigSchema.parse({}) }),
      }),
      keyRules: () => defaultKeyRules,
      sandboxed: () => false,
      messages: async () => [],
      transcriptPath: () => '',
      now: () => 1,
    },
    facts: async (sessionKey) => ({ sessionKey }) as Awaited<ReturnType<ToolRpcDeps['facts']>>,
  })(turn);
  return { rpc, patched };
}

it('reaches its own conversation and the others of its agent', async () => {
  const { rpc, patched } = harness();
  assert.deepEqual(await rpc('sessions.describe', {}), { sessionKey: OWN });
  for (const key of [undefined, 'agent:main:other']) await rpc('sessions.patch', { key, model: null });
  assert.deepEqual(patched, [OWN, 'agent:main:other']);
});

it('features add methods to a word of the gateway, and replace none', async () => {
  const { rpc } = harness();
  assert.equal(await rpc('sessions.toy', {}), 'toy');
  assert.deepEqual(await rpc('sessions.describe', {}), { sessionKey: OWN });
  await assert.rejects(rpc('toy.look', {}), { code: 'denied' });
});

it('reaches no conversation of another agent, and makes none', async () => {
  const { rpc, patched } = harness();
  for (const method of ['sessions.describe', 'sessions.patch'])
    for (const key of ['agent:work:main', 'agent:../../x:main'])
      await assert.rejects(rpc(method, { key, sessionKey: key, model: null }), { code: 'denied' }, `${method} ${key}`);
  await assert.rejects(rpc('sessions.patch', { key: 'agent:main:new', model: null }), { code: 'not_found' });
  assert.deepEqual(patched, []);
});

it('has no methods but the listed ones', async () => {
  const { rpc } = harness(peopleAuthority());
  for (const method of ['config.patch', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])
    await assert.rejects(rpc(method, {}), { code: 'denied' }, method);
});
