/** Routing cases of `spec/gateway.md` 8.1. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { sessionConfigSchema } from '../../sessions/config.ts';
import { bindingsConfigSchema } from './config.ts';
import { route, routeToSession, type RoutingRules } from './route.ts';
import { typed } from '../../core/saying.ts';

const session = sessionConfigSchema.parse(undefined);
const rules = (over: Partial<RoutingRules> & { raw?: unknown[] } = {}): RoutingRules => ({
  session,
  defaultAgentId: 'main',
  agentIds: [],
  ...over,
  bindings: over.bindings ?? bindingsConfigSchema.parse(over.raw ?? []),
});

function message(
  over: {
    channel?: string;
    accountId?: string;
    kind?: 'direct' | 'group' | 'channel';
    id?: string;
    spaceId?: string;
    threadId?: string;
  } = {},
): InboundMessage {
  return {
    id: 'm1',
    text: 'hi',
    said: typed('hi'),
    attachments: [],
    sender: { id: 's' },
    addressesBot: true,
    receivedAt: 0,
    address: {
      channel: over.channel ?? 'whatsapp',
      accountId: over.accountId ?? 'default',
      chat: { kind: over.kind ?? 'direct', id: over.id ?? '+15551234567' },
      ...present({ threadId: over.threadId || undefined }),
    },
    ...present({ spaceId: over.spaceId || undefined }),
  };
}
const scoped = (dmScope: 'per-peer' | 'per-channel-peer' | 'per-account-channel-peer', identityLinks = {}) =>
  rules({ session: { ...session, dmScope, identityLinks } });

describe('route', () => {
  it('takes the default agent and its main session without bindings', () => {
    const found = route(message(), rules());
    assert.deepEqual([found.agentId, found.sessionKey, found.matchedBy], ['main', 'agent:main:main', 'default']);
    assert.equal(found.replyTo.chat.id, '+15551234567');
  });

  it('spells keys by dmScope', () => {
    assert.equal(route(message(), scoped('per-peer')).sessionKey, 'agent:main:dm:+15551234567');
    assert.equal(route(message(), scoped('per-channel-peer')).sessionKey, 'agent:main:whatsapp:dm:+15551234567');
    assert.equal(
      route(message({ channel: 'telegram', accountId: 'tasks', id: '7550356539' }), scoped('per-account-channel-peer'))
        .sessionKey,
      'agent:main:telegram:tasks:dm:7550356539',
    );
  });

  it('links identities across channels', () => {
    const links = { alice: ['telegram:111111111', 'discord:2222'] };
    assert.equal(
      route(message({ channel: 'telegram', id: '111111111' }), scoped('per-peer', links)).sessionKey,
      'agent:main:dm:alice',
    );
    assert.equal(
      route(message({ channel: 'discord', id: '2222' }), scoped('per-channel-peer', links)).sessionKey,
      'agent:main:discord:dm:alice',
    );
  });

  it('lets the more specific tier win, then the first listed', () => {
    const raw = [
      { agentId: 'acct', match: { channel: 'discord', accountId: 'default' } },
      { agentId: 'guild', match: { channel: 'discord', guildId: 'g1' } },
      { agentId: 'chan', match: { channel: 'discord', peer: { kind: 'channel', id: 'C1' } } },
      { agentId: 'late', match: { channel: 'discord', peer: { kind: 'channel', id: 'C1' } } },
    ];
    const at = (id: string) =>
      route(message({ channel: 'discord', kind: 'channel', id, spaceId: 'g1' }), rules({ raw }));
    assert.deepEqual(
      [at('C1').agentId, at('C1').matchedBy, at('C1').sessionKey],
      ['chan', 'peer', 'agent:chan:discord:channel:c1'],
    );
    assert.deepEqual([at('C2').agentId, at('C2').matchedBy], ['guild', 'guild']);
    assert.equal(at('c1').agentId, 'guild', 'ids compare exactly');
  });

  it('reads a binding without account as any account, and an exact account as more specific', () => {
    const raw = [
      { agentId: 'any', match: { channel: 'whatsapp' } },
      { agentId: 'biz', match: { channel: 'whatsapp', accountId: 'biz' } },
    ];
    assert.deepEqual(
      [route(message(), rules({ raw })).agentId, route(message(), rules({ raw })).matchedBy],
      ['any', 'channel'],
    );
    assert.deepEqual(
      [
        route(message({ accountId: 'biz' }), rules({ raw })).agentId,
        route(message({ accountId: 'biz' }), rules({ raw })).matchedBy,
      ],
      ['biz', 'account'],
    );
    assert.equal(
      route(
        message({ accountId: 'x' }),
        rules({ raw: [{ agentId: 'star', match: { channel: 'whatsapp', accountId: '*' } }] }),
      ).matchedBy,
      'channel',
    );
  });

  it('needs every field of a binding', () => {
    const raw = [{ agentId: 'a', match: { channel: 'discord', guildId: 'g1', peer: { kind: 'channel', id: 'c9' } } }];
    assert.equal(
      route(message({ channel: 'discord', kind: 'channel', id: 'c1', spaceId: 'g1' }), rules({ raw })).matchedBy,
      'default',
    );
  });

  it('matches nobody by roles nobody tells', () => {
    const at = (roles: string[]) =>
      route(
        message({ channel: 'discord', kind: 'channel', id: 'c1', spaceId: 'g1' }),
        rules({ raw: [{ agentId: 'admin', match: { channel: 'discord', guildId: 'g1', roles } }] }),
      ).agentId;
    assert.deepEqual([at(['staff']), at([])], ['main', 'admin']);
  });

  it('falls back to the default agent for agents nobody listed', () => {
    const raw = [{ agentId: 'Ghost', match: { channel: 'whatsapp' } }];
    assert.equal(route(message(), rules({ raw, agentIds: ['home'], defaultAgentId: 'home' })).agentId, 'home');
    assert.equal(route(message(), rules({ raw })).agentId, 'ghost');
  });

  it('keeps threads apart and topics in the group id', () => {
    assert.equal(
      route(message({ channel: 'slack', kind: 'channel', id: 'C1', threadId: '171.5' }), rules()).sessionKey,
      'agent:main:slack:channel:c1:thread:171.5',
    );
    assert.equal(
      route(message({ channel: 'telegram', kind: 'group', id: '-100:topic:42' }), rules()).sessionKey,
      'agent:main:telegram:group:-100:topic:42',
    );
  });
});

describe('routeToSession', () => {
  const key = (raw: string, over = {}) => routeToSession(message({ channel: 'webchat' }), raw, rules(over)).sessionKey;
  it('makes main aliases and bare keys canonical', () => {
    assert.equal(key('main'), 'agent:main:main');
    assert.equal(key('foo'), 'agent:main:foo');
    assert.equal(key('agent:Work:Main'), 'agent:work:main');
    assert.equal(key('main', { session: { ...session, mainKey: 'home' } }), 'agent:main:home');
    assert.equal(key('agent:main:main', { session: { ...session, mainKey: 'home' } }), 'agent:main:home');
  });
});

describe('route: tiers of the product line after the seed', () => {
  const peer = (id: string, kind: 'dm' | 'direct' | 'group' | 'channel' = 'channel') => ({ kind, id });
  const discord = { discord: { threadWord: undefined } };
  const at = (
    raw: unknown[],
    over: Parameters<typeof message>[0] & { roles?: string[] },
    channels: Record<string, object> = discord,
  ) => {
    const { roles, ...place } = over;
    return route(
      { ...message({ channel: 'discord', kind: 'channel', ...place }), ...present({ roles }) },
      rules({ raw, channel: (id) => channels[id] }),
    );
  };

  it('answers a thread like its chat, unless it is bound itself', () => {
    const raw = [
      { agentId: 'star', match: { channel: 'discord', peer: peer('*') } },
      { agentId: 'parent', match: { channel: 'discord', peer: peer('c1') } },
      { agentId: 'own', match: { channel: 'discord', peer: peer('t9') } },
    ];
    const agents = [
      { id: 'c1', threadId: 't9' },
      { id: 'c1', threadId: 't8' },
      { id: 'c1' },
      { id: 'c2', threadId: 't8' },
    ].map((over) => at(raw, over).agentId);
    assert.deepEqual(agents, ['own', 'parent', 'parent', 'star']);
    assert.equal(at(raw, { id: 'c1', threadId: 't8' }).matchedBy, 'peer');
  });

  it('reads a topic with its chat only: its number alone names none', () => {
    const raw = [
      { agentId: 'number', match: { channel: 'telegram', peer: peer('42', 'group') } },
      { agentId: 'chat', match: { channel: 'telegram', peer: peer('-100', 'group') } },
      { agentId: 'topic', match: { channel: 'telegram', peer: peer('-100:topic:42', 'group') } },
    ];
    const inTopic = (threadId: string) =>
      at(raw, { channel: 'telegram', kind: 'group', id: '-100', threadId }, { telegram: { threadWord: 'topic' } });
    assert.deepEqual([inTopic('42').agentId, inTopic('7').agentId], ['topic', 'chat']);
  });

  it('G22 G24 spells topics in session keys, G25 leaves direct chats as they are', () => {
    const channels = { telegram: { threadWord: 'topic' } };
    const telegram = (over: Parameters<typeof message>[0]) => at([], { channel: 'telegram', ...over }, channels);
    assert.equal(
      telegram({ kind: 'group', id: '-1001234567890', threadId: '42' }).sessionKey,
      'agent:main:telegram:group:-1001234567890:topic:42',
    );
    const direct = telegram({ kind: 'direct', id: '7', threadId: '42' });
    assert.deepEqual([direct.sessionKey, direct.replyTo.threadId], ['agent:main:main', '42']);
  });

  it('puts guild with role before guild, and a role nobody has matches nobody', () => {
    const raw = [
      { agentId: 'guild', match: { channel: 'discord', guildId: 'g1' } },
      { agentId: 'staff', match: { channel: 'discord', guildId: 'g1', roles: ['r1', 'r2'] } },
    ];
    const agents = [['r2'], ['r9'], []].map((roles) => at(raw, { id: 'c1', spaceId: 'g1', roles }).agentId);
    assert.deepEqual(agents, ['staff', 'guild', 'guild']);
    assert.equal(at(raw, { id: 'c1', spaceId: 'g1', roles: ['r1'] }).matchedBy, 'guild');
  });

  it('G21 knows a channel by its other names', () => {
    const raw = [{ agentId: 'work', match: { channel: 'Teams' } }];
    assert.equal(at(raw, { channel: 'msteams', id: 'x' }, { msteams: { aliases: ['teams'] } }).agentId, 'work');
    assert.equal(at(raw, { channel: 'msteams', id: 'x' }, {}).agentId, 'main');
  });

  it('lets a binding tell direct chats apart in its own way', () => {
    const raw = [
      { agentId: 'work', match: { channel: 'discord', accountId: 'office' }, session: { dmScope: 'per-channel-peer' } },
    ];
    assert.equal(at(raw, { kind: 'direct', id: 'u1', accountId: 'office' }).sessionKey, 'agent:work:discord:dm:u1');
    assert.equal(at(raw, { kind: 'direct', id: 'u1' }).sessionKey, 'agent:main:main');
  });

  it('G29 one conversation for everything direct leaves groups alone', () => {
    const global = rules({ session: { ...session, scope: 'global' } });
    assert.deepEqual(
      [route(message(), global).sessionKey, route(message({ kind: 'group', id: '123@g.us' }), global).sessionKey],
      ['global', 'agent:main:whatsapp:group:123@g.us'],
    );
  });
});
