/** The grammar of session keys: how each conversation's key is spelled, parsed and made canonical. Pure. */
import type { ChatKind } from './message.ts';
import { DEFAULT_ACCOUNT_ID, DEFAULT_AGENT_ID, DEFAULT_MAIN_KEY } from './product.ts';

/** The name of a session in its one canonical spelling, `agent:<id>:…`; made by the functions of this file only. */
export type SessionKey = string & { readonly __brand: 'SessionKey' };

/** Which direct chats share a session: all of them, or each person, channel and account its own. */
export type DmScope = 'main' | 'per-peer' | 'per-channel-peer' | 'per-account-channel-peer';

/** What the key rules need from configuration (`session.*` and the default agent). */
export interface KeyRules {
  readonly mainKey: string;
  readonly defaultAgentId: string;
  readonly scope?: 'per-sender' | 'global';
}

/** As they are without configuration. */
export const defaultKeyRules: KeyRules = { mainKey: DEFAULT_MAIN_KEY, defaultAgentId: DEFAULT_AGENT_ID };

const key = (text: string): SessionKey => text.toLowerCase() as SessionKey;

/**
 * Agent and account ids: `[a-z0-9][a-z0-9_-]{0,63}`; other runs of characters become one dash, edges are trimmed, empty
 * falls back.
 */
export function normaliseId(raw: string | undefined | null, fallback: string): string {
  return (
    (raw ?? '')
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[-_]+/, '')
      .slice(0, 64)
      .replace(/(?<!-)-+$/, '') || fallback
  );
}

/** Lower case, with `-` for what an id cannot hold; the default agent for nothing at all. */
export const normaliseAgentId = (raw?: string | null): string => normaliseId(raw, DEFAULT_AGENT_ID);
/** Lower case, with `-` for what an id cannot hold; the default account for nothing at all. */
export const normaliseAccountId = (raw?: string | null): string => normaliseId(raw, DEFAULT_ACCOUNT_ID);

/** `agent:<agent>:<mainKey>`, or `global` when `session.scope` says one conversation for all. */
export function mainSessionKey(agentId: string, rules: KeyRules = defaultKeyRules): SessionKey {
  return rules.scope === 'global'
    ? key('global')
    : key(`agent:${normaliseAgentId(agentId)}:${rules.mainKey || DEFAULT_MAIN_KEY}`);
}

/** What the key of a chat's session is made of. */
export interface PeerKeyParts {
  readonly agentId: string;
  readonly channel: string;
  readonly accountId?: string;
  readonly chat: { readonly kind: ChatKind; readonly id: string };
  readonly threadId?: string;
  /** How the channel spells its threads in keys; absent: `thread`. */
  readonly threadWord?: 'thread' | 'topic';
  /** Threads of direct chats have sessions of their own. */
  readonly directThreads?: boolean;
  readonly dmScope?: DmScope;
  readonly identityLinks?: Readonly<Record<string, readonly string[]>>;
}

/** The key of a chat on a channel (table in `docs/concepts/sessions.md`). */
export function chatSessionKey(parts: PeerKeyParts, rules: KeyRules = defaultKeyRules): SessionKey {
  const agent = `agent:${normaliseAgentId(parts.agentId)}`;
  const thread = parts.threadId ? `:${parts.threadWord ?? 'thread'}:${parts.threadId}` : '';
  if (parts.chat.kind !== 'direct')
    return key(`${agent}:${parts.channel}:${parts.chat.kind}:${parts.chat.id || 'unknown'}${thread}`);
  const scope = parts.dmScope ?? 'main';
  const own = parts.directThreads && rules.scope !== 'global' ? thread : '';
  if (scope === 'main') return key(`${mainSessionKey(parts.agentId, rules)}${own}`);
  const peer = linkedPeer(parts) || 'unknown';
  switch (scope) {
    case 'per-peer':
      return key(`${agent}:dm:${peer}${own}`);
    case 'per-channel-peer':
      return key(`${agent}:${parts.channel}:dm:${peer}${own}`);
    case 'per-account-channel-peer':
      return key(`${agent}:${parts.channel}:${normaliseAccountId(parts.accountId)}:dm:${peer}${own}`);
  }
}

/** The canonical name of a person listed under `session.identityLinks`, else the peer id itself. */
function linkedPeer({ channel, chat, identityLinks }: PeerKeyParts): string {
  const bare = chat.id.trim().toLowerCase();
  for (const [name, ids] of Object.entries(identityLinks ?? {}))
    if (ids.some((id) => [bare, `${channel}:${bare}`].includes(id.trim().toLowerCase()))) return name;
  // An id that equals somebody's linked name is still a different person.
  return Object.keys(identityLinks ?? {}).some((name) => name.trim().toLowerCase() === bare)
    ? `id:${bare}`
    : chat.id.trim();
}

/** Makes any key a client may send canonical: main aliases, bare keys, letter case. */
export function canonicalSessionKey(raw: string, rules: KeyRules = defaultKeyRules): SessionKey {
  const text = raw.trim().toLowerCase();
  const main = mainSessionKey(rules.defaultAgentId, rules);
  if (!text || text === 'main' || text === rules.mainKey.toLowerCase() || text === 'global')
    return text === 'global' && rules.scope !== 'global' ? key(`agent:${rules.defaultAgentId}:global`) : main;
  if (!text.startsWith('agent:')) return key(`agent:${rules.defaultAgentId}:${text}`);
  const parsed = parseSessionKey(text);
  return parsed?.rest === 'main' || parsed?.rest === rules.mainKey.toLowerCase()
    ? mainSessionKey(parsed.agentId, rules)
    : key(text);
}

/** Splits `agent:<id>:<rest>`; undefined for keys of another form. */
export function parseSessionKey(text: string): { agentId: string; rest: string } | undefined {
  const match = /^agent:([^:]+):(.+)$/.exec(text);
  return match ? { agentId: match[1]!, rest: match[2]! } : undefined;
}

/** The agent a key belongs to; the default agent for keys that name none. */
export const agentOfKey = (text: string, rules: KeyRules = defaultKeyRules): string =>
  parseSessionKey(text)?.agentId ?? rules.defaultAgentId;

/** The session of a sub-agent. */
export const isSubagentKey = (text: string): boolean => /(?:^|:)subagent:/.test(text);

/** What kind of place a key names, read off its shape. */
export function chatKindOfKey(text: string): 'direct' | 'group' | 'channel' | 'thread' {
  if (/:(thread|topic):/.test(text)) return 'thread';
  if (text.includes(':group:')) return 'group';
  return text.includes(':channel:') ? 'channel' : 'direct';
}

/** Session keys by the rules that are in force when they are asked for. */
export interface SessionKeys {
  rules(): KeyRules;
  main(agentId: string): SessionKey;
  canonical(raw: string): SessionKey;
}

/** `rules`: called for each key. */
export const sessionKeysBy = (rules: () => KeyRules): SessionKeys => ({
  rules,
  main: (agentId) => mainSessionKey(agentId, rules()),
  canonical: (raw) => canonicalSessionKey(raw, rules()),
});
