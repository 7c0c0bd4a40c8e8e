/** The grammar of session keys (`spec/gateway.md` 1.3, 1.4, cases 1-6, 22-31). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { present } from './present.ts';
import {
  agentOfKey,
  canonicalSessionKey,
  chatKindOfKey,
  chatSessionKey,
  defaultKeyRules,
  mainSessionKey,
  normaliseAccountId,
  normaliseAgentId,
  parseSessionKey,
  type PeerKeyParts,
} from './session-key.ts';

const dm = (over: Partial<PeerKeyParts> = {}): PeerKeyParts => ({
  agentId: 'main',
  channel: 'whatsapp',
  chat: { kind: 'direct', id: '+15551234567' },
  ...over,
});
const room = (kind: 'group' | 'channel', channel: string, id: string, threadId?: string): PeerKeyParts => ({
  agentId: 'main',
  channel,
  chat: { kind, id },
  ...present({ threadId: threadId || undefined }),
});
const links = { alice: ['telegram:111111111', ' Discord:2222 ', '+4477'] };

describe('the key of a chat', () => {
  const CASES: readonly (readonly [name: string, parts: PeerKeyParts, key: string])[] = [
    ['a direct chat', dm(), 'agent:main:main'],
    ['a thread of a direct chat', dm({ threadId: '7' }), 'agent:main:main'],
    ['one with a session of its own', dm({ threadId: '7', directThreads: true }), 'agent:main:main:thread:7'],
    [
      'one of a person with a session',
      dm({ threadId: '7', directThreads: true, dmScope: 'per-peer' }),
      'agent:main:dm:+15551234567:thread:7',
    ],
    ['per-peer', dm({ dmScope: 'per-peer' }), 'agent:main:dm:+15551234567'],
    ['per-channel-peer', dm({ dmScope: 'per-channel-peer' }), 'agent:main:whatsapp:dm:+15551234567'],
    [
      'per-account-channel-peer',
      dm({
        dmScope: 'per-account-channel-peer',
        channel: 'telegram',
        accountId: 'Tasks',
        chat: { kind: 'direct', id: '7550356539' },
      }),
      'agent:main:telegram:tasks:dm:7550356539',
    ],
    [
      'per-account-channel-peer without account',
      dm({ dmScope: 'per-account-channel-peer' }),
      'agent:main:whatsapp:default:dm:+15551234567',
    ],
    [
      'a linked person',
      dm({ dmScope: 'per-peer', channel: 'telegram', chat: { kind: 'direct', id: '111111111' }, identityLinks: links }),
      'agent:main:dm:alice',
    ],
    [
      'a linked person, channels apart',
      dm({
        dmScope: 'per-channel-peer',
        channel: 'discord',
        chat: { kind: 'direct', id: '2222' },
        identityLinks: links,
      }),
      'agent:main:discord:dm:alice',
    ],
    [
      'a person linked by bare id',
      dm({ dmScope: 'per-peer', chat: { kind: 'direct', id: '+4477' }, identityLinks: links }),
      'agent:main:dm:alice',
    ],
    [
      'the same id on another channel',
      dm({ dmScope: 'per-peer', channel: 'signal', chat: { kind: 'direct', id: '111111111' }, identityLinks: links }),
      'agent:main:dm:111111111',
    ],
    ['links without a scope', dm({ identityLinks: links, chat: { kind: 'direct', id: '+4477' } }), 'agent:main:main'],
    ['nobody', dm({ dmScope: 'per-peer', chat: { kind: 'direct', id: ' ' } }), 'agent:main:dm:unknown'],
    ['a group', room('group', 'whatsapp', '123@G.us'), 'agent:main:whatsapp:group:123@g.us'],
    ['a room', room('channel', 'discord', 'C1'), 'agent:main:discord:channel:c1'],
    ['a thread', room('channel', 'slack', 'C1', '171.5'), 'agent:main:slack:channel:c1:thread:171.5'],
    [
      'a topic',
      room('group', 'telegram', '-1001234567890:topic:42'),
      'agent:main:telegram:group:-1001234567890:topic:42',
    ],
    ['a direct chat with a thread', dm({ channel: 'telegram', threadId: '9' }), 'agent:main:main'],
    ['a group nobody named', room('group', 'x', ''), 'agent:main:x:group:unknown'],
    ['another agent', dm({ agentId: 'Home Office' }), 'agent:home-office:main'],
  ];
  for (const [name, parts, key] of CASES) it(`${name} → ${key}`, () => assert.equal(chatSessionKey(parts), key));

  it('follows mainKey and the global scope, which leaves groups alone', () => {
    assert.equal(chatSessionKey(dm(), { ...defaultKeyRules, mainKey: 'Home' }), 'agent:main:home');
    assert.equal(chatSessionKey(dm(), { ...defaultKeyRules, scope: 'global' }), 'global');
    assert.equal(
      chatSessionKey(room('group', 'x', '1'), { ...defaultKeyRules, scope: 'global' }),
      'agent:main:x:group:1',
    );
  });
});

describe('a key from outside', () => {
  const rules = { mainKey: 'home', defaultAgentId: 'work' };
  for (const [raw, key] of [
    ['main', 'agent:work:home'],
    ['HOME', 'agent:work:home'],
    ['', 'agent:work:home'],
    [' Main ', 'agent:work:home'],
    ['agent:work:main', 'agent:work:home'],
    ['agent:Other:Main', 'agent:other:home'],
    ['foo', 'agent:work:foo'],
    ['Foo:Bar', 'agent:work:foo:bar'],
    ['agent:other:x:group:1', 'agent:other:x:group:1'],
    ['global', 'agent:work:global'],
  ] as const)
    it(`${JSON.stringify(raw)} is ${key}`, () => assert.equal(canonicalSessionKey(raw, rules), key));

  it('is `global` when everything is one conversation', () => {
    for (const raw of ['main', 'global', 'agent:work:main', 'home'])
      assert.equal(canonicalSessionKey(raw, { ...rules, scope: 'global' }), 'global');
  });

  it('made canonical twice is the same, belongs to its agent and is in lower case', () => {
    const part = fc.string({ unit: fc.constantFrom(...'abAB0-_:.@ #'), maxLength: 12 });
    const raw = fc.oneof(
      part,
      fc.constantFrom('main', 'global', 'home'),
      part.map((rest) => `agent:work:${rest}`),
      fc.tuple(part, part).map(([a, b]) => `agent:${a}:${b}`),
    );
    fc.assert(
      fc.property(raw, fc.constantFrom('per-sender' as const, 'global' as const), (text, scope) => {
        const once = canonicalSessionKey(text, { ...rules, scope });
        assert.equal(canonicalSessionKey(once, { ...rules, scope }), once);
        assert.equal(once, once.toLowerCase());
      }),
      { numRuns: 500 },
    );
  });
});

describe('reading a key', () => {
  it('splits off the agent', () => {
    assert.deepEqual(parseSessionKey('agent:main:x:group:1'), { agentId: 'main', rest: 'x:group:1' });
    for (const other of ['global', 'agent:', 'agent::x', 'agent:main:', 'cron:1'])
      assert.equal(parseSessionKey(other), undefined);
    assert.deepEqual([agentOfKey('agent:work:main'), agentOfKey('global')], ['work', 'main']);
  });

  for (const [key, kind] of [
    ['agent:main:main', 'direct'],
    ['agent:main:dm:1', 'direct'],
    ['agent:main:x:group:1', 'group'],
    ['agent:main:x:channel:1', 'channel'],
    ['agent:main:x:channel:1:thread:2', 'thread'],
    ['agent:main:x:group:1:topic:2', 'thread'],
  ] as const)
    it(`${key} names a ${kind}`, () => assert.equal(chatKindOfKey(key), kind));

  it('gives back what went in, for every chat there can be', () => {
    const id = fc.string({ unit: fc.constantFrom(...'abXY019+-@.'), minLength: 1, maxLength: 12 });
    const parts = fc.record({
      agentId: id,
      channel: fc.constantFrom('telegram', 'slack'),
      accountId: id,
      chat: fc.record({ kind: fc.constantFrom('direct' as const, 'group' as const, 'channel' as const), id }),
      dmScope: fc.constantFrom(
        'main' as const,
        'per-peer' as const,
        'per-channel-peer' as const,
        'per-account-channel-peer' as const,
      ),
    });
    fc.assert(
      fc.property(parts, (chat) => {
        const key = chatSessionKey(chat);
        assert.equal(parseSessionKey(key)?.agentId, normaliseAgentId(chat.agentId));
        assert.equal(chatKindOfKey(key), chat.chat.kind);
        assert.equal(canonicalSessionKey(key), key);
        assert.equal(key === mainSessionKey(chat.agentId), chat.chat.kind === 'direct' && chat.dmScope === 'main');
      }),
      { numRuns: 500 },
    );
  });
});

describe('agent and account ids', () => {
  for (const [raw, id] of [
    ['Work', 'work'],
    ['  My Agent! ', 'my-agent'],
    ['a__b', 'a__b'],
    ['--x--', 'x'],
    ['_-a', 'a'],
    ['ünï', 'n'],
    ['', 'main'],
    [undefined, 'main'],
    ['!!!', 'main'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ] as const)
    it(`${JSON.stringify(raw)} is ${id}`, () => assert.equal(normaliseAgentId(raw), id));

  it('are always well formed, and stay as they are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'aA0-_ '), maxLength: 80 })), (raw) => {
        const id = normaliseAccountId(raw);
        assert.match(id, /^[a-z0-9][a-z0-9_-]{0,63}$/);
        assert.equal(normaliseAccountId(id), id);
      }),
      { numRuns: 500 },
    );
  });
});
