/** The session tools of one turn, with sample sessions. */
import { configSchema } from './whole-schema.ts';
import type { Config } from '../schema.ts';
import type { Trigger } from '../core/trigger.ts';
import { defaultKeyRules, type SessionKey } from '../core/session-key.ts';
import { noUsage, type Message } from '../core/transcript.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import type { SessionService } from '../host/session-service.ts';
import { createFindSessions } from '../tool-methods/sessions/finder-of-turn.ts';
import { createToolSessions } from '../tool-methods/tool-sessions.ts';
import type { Opening } from '../core/access-table.ts';
import { delegatedVia, type Authority } from '../core/authority.ts';
import type { Right } from '../core/principal.ts';
import { peopleAuthority } from './sample-authority.ts';

export const OWN = 'agent:main:main';

export const GROUP = 'agent:main:desk:group:room';

export const ID = '11111111-2222-4333-8444-555555555555';

export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 });

export const answer = (content: any[]): Message => ({
  role: 'assistant',
  content,
  timestamp: 2,
  provider: 'p',
  model: 'm',
  usage: noUsage,
  stopReason: 'stop',
});

export const result = (text: string): Message => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 'read',
  content: [{ type: 'text', text }],
  isError: false,
  timestamp: 3,
});

export const entry = (over: Partial<SessionEntry> = {}): SessionEntry => ({ sessionId: 's', updatedAt: 1000, ...over });

/** Of a turn without further words. */
export const OWNER = peopleAuthority({
  home: { sessionKey: OWN, address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } } },
  rights: ['configure'],
});

export interface Fixture {
  readonly open?: readonly Opening[];
  readonly config?: object;
  readonly sandboxed?: readonly string[];
  readonly from?: string;
  readonly trigger?: Trigger;
  readonly messages?: readonly Message[];
  readonly senders?: readonly string[];
  readonly rights?: readonly string[];
}

/** Work that no person's message began carries somebody's word one hand further. */
export const handedBy = (trigger: Trigger | undefined, authority: Authority): Authority =>
  trigger === undefined ? authority : delegatedVia(authority, trigger.origin);

/** A turn, the sessions around it, and which of them its tools reach. */
export function toolFixture({
  config = {},
  sandboxed: boxes = [],
  from = OWN,
  trigger,
  messages = [],
  senders = ['u1'],
  rights = ['configure'],
  open = [],
}: Fixture = {}) {
  const entries: Record<string, SessionEntry> = {
    [OWN]: entry({ updatedAt: 9000, sessionId: 'own-id' }),
    [GROUP]: entry({
      updatedAt: 8000,
      chatType: 'group',
      channel: 'desk',
      lastChannel: 'desk',
      lastTo: 'Room',
      lastAccountId: 'work',
      lastThreadId: '5',
      sessionId: ID,
      label: 'room',
      model: 'gpt-5',
      modelProvider: 'openai',
    }),
    'agent:main:cron:daily': entry({ updatedAt: 7000 }),
    'agent:work:cron:x': entry({ updatedAt: 6900, label: 'twin' }),
    'agent:main:hook:h1': entry({ updatedAt: 6000 }),
    'agent:main:node-7': entry({ updatedAt: 5000 }),
    'agent:main:work': entry({ updatedAt: 4000, label: 'twin' }),
    'agent:main:subagent:kid': entry({ updatedAt: 3000, spawnedBy: OWN }),
    'agent:work:main': entry({ updatedAt: 2000, sessionId: '99999999-2222-4333-8444-555555555555', label: 'boss' }),
    'agent:main:unknown': entry(),
    'agent:main:global': entry(),
    global: entry(),
  };
  const tails: string[] = [];
  const parsed = (): Config => configSchema.parse(config);
  const home = {
    agentId: 'main',
    sessionKey: from,
    address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } },
  } as const;
  const authority = handedBy(trigger, peopleAuthority({ home, ids: senders, rights: rights as readonly Right[] }));
  const turn = {
    id: 't',
    route: {
      agentId: 'main',
      sessionKey: from as SessionKey,
      matchedBy: 'default',
      replyTo: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' }, via: 'native:1' },
    },
    origin: trigger?.origin ?? 'message',
    trigger,
    authority,
  } as unknown as Turn;
  const sandboxed = ({ sessionKey }: { readonly sessionKey: string }): boolean =>
    boxes.some((part) => sessionKey.includes(part));
  const sessions: Pick<SessionService, 'get' | 'list' | 'tail'> = {
    get: async (key) => entries[key],
    list: async ({ label, search, activeSince, agentId } = {}) =>
      Object.entries(entries)
        .map(([key, one]) => ({ key, entry: one }))
        .filter(
          ({ key, entry: one }) =>
            (label === undefined || one.label === label) &&
            (search === undefined || one.sessionId.includes(search)) &&
            (activeSince === undefined || one.updatedAt >= activeSince) &&
            (agentId === undefined || key.startsWith(`agent:${agentId}:`)),
        ),
    tail: async (key) => {
      tails.push(key);
      return messages;
    },
  };
  const finder = createFindSessions({
    sessions,
    config: parsed,
    keyRules: () => defaultKeyRules,
    open: () => open,
    boxOf: (at) => (sandboxed(at) ? { sessions: visibleFromBox(parsed(), at.agentId) } : undefined),
  });
  return { turn, tails, messages, config: parsed, sandboxed, sessions, finder };
}

export function harness(fixture: Fixture = {}) {
  const { turn, tails, messages, sandboxed, sessions, finder } = toolFixture(fixture);
  const made = createToolSessions({
    turn,
    finder,
    keyRules: () => defaultKeyRules,
    now: () => 10_000,
    sandboxed,
    sessions,
    messages: async (key) => (key === GROUP ? messages : undefined),
    transcriptPath: (key) => `/state/${key}`,
  });
  const keys = async (request = {}) => (await made.methods['sessions.list'](request)).sessions.map(({ key }) => key);
  return {
    tails,
    keys,
    keyOf: made.keyOf,
    list: made.methods['sessions.list'],
    history: (request: object) => made.methods['sessions.history']({ sessionKey: GROUP, ...request }) as Promise<any>,
  };
}

interface Boxed {
  readonly id?: string;
  readonly sandbox?: { readonly sessionToolsVisibility?: 'spawned' | 'all' };
}

/** As whoever gives boxes reads it. */
function visibleFromBox({ agents }: Config, agentId: string): 'spawned' | 'all' {
  const { defaults, list } = agents as unknown as { readonly defaults: Boxed; readonly list: readonly Boxed[] };
  const own = list.find(({ id }) => id === agentId)?.sandbox;
  return own?.sessionToolsVisibility ?? defaults.sandbox?.sessionToolsVisibility ?? 'spawned';
}
