/** Bindings → agent and session key, for one message. Pure; the same message always takes the same route. */
import type { InboundMessage } from '../../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { Route } from '../../core/route.ts';
import { agentOfKey, canonicalSessionKey, chatSessionKey, normaliseAgentId, type KeyRules } from '../../core/session-key.ts';
import type { SessionConfig } from '../../sessions/config.ts';
import type { Binding } from './config.ts';

export interface RoutingRules {
  readonly bindings: readonly Binding[];
  readonly session: Pick<SessionConfig, 'dmScope' | 'identityLinks' | 'mainKey' | 'scope'>;
  readonly defaultAgentId: string;
  /** Ids of `agents.list`; empty: any id is accepted. */
  readonly agentIds: readonly string[];
}

type Tier = Exclude<Route['matchedBy'], 'default' | 'session'>;
/** Most specific first. A binding belongs to the first tier one of whose fields it carries. */
const TIERS: readonly Tier[] = ['peer', 'guild', 'team', 'account', 'channel'];

export function route(message: InboundMessage, rules: RoutingRules): Route {
  const { address } = message;
  const candidates = rules.bindings.filter((binding) => matches(binding, message));
  const hit = TIERS.map((tier) => ({ tier, binding: candidates.find((binding) => tierOf(binding) === tier) })).find(({ binding }) => binding);
  const agentId = knownAgent(hit?.binding?.agentId ?? rules.defaultAgentId, rules);
  const sessionKey = chatSessionKey({
    agentId, channel: address.channel, accountId: address.accountId, chat: address.chat,
    ...(address.threadId === undefined ? {} : { threadId: address.threadId }),
    dmScope: rules.session.dmScope, identityLinks: rules.session.identityLinks,
  }, keyRules(rules));
  return { agentId, sessionKey, matchedBy: hit?.tier ?? 'default', replyTo: address };
}

/** For surfaces whose sender names the session (web chat, HTTP): the key decides the agent. */
export function routeToSession(message: InboundMessage, rawKey: string, rules: RoutingRules): Route {
  const sessionKey = canonicalSessionKey(rawKey, keyRules(rules));
  return { agentId: knownAgent(agentOfKey(sessionKey, keyRules(rules)), rules), sessionKey, matchedBy: 'session', replyTo: message.address };
}

export const keyRules = (rules: RoutingRules): KeyRules => ({ mainKey: rules.session.mainKey, scope: rules.session.scope, defaultAgentId: rules.defaultAgentId });

/** All fields of a binding must hold; ids compare exactly, the channel's name without regard to case. */
function matches({ match }: Binding, { address, spaceId }: InboundMessage): boolean {
  const kind = match.peer?.kind === 'dm' ? 'direct' : match.peer?.kind;
  return match.channel.trim().toLowerCase() === address.channel
    && (anyAccount(match.accountId) || match.accountId!.trim() === (address.accountId || DEFAULT_ACCOUNT_ID))
    && (match.peer === undefined || (kind === address.chat.kind && match.peer.id.trim() === address.chat.id))
    && (match.roles === undefined || match.roles.length === 0) // nobody's roles are known: wider than written would be wrong
    && (match.guildId === undefined || match.guildId.trim() === spaceId)
    && (match.teamId === undefined || match.teamId.trim() === spaceId);
}

const anyAccount = (accountId: string | undefined): boolean => accountId === undefined || accountId.trim() === '*' || accountId.trim() === '';

function tierOf({ match }: Binding): Tier {
  if (match.peer) return 'peer';
  if (match.guildId !== undefined) return 'guild';
  if (match.teamId !== undefined) return 'team';
  return anyAccount(match.accountId) ? 'channel' : 'account';
}

/** An agent that is not in a non-empty `agents.list` gives way to the default agent; `config validate` warns about it. */
function knownAgent(raw: string, { agentIds, defaultAgentId }: RoutingRules): string {
  const id = normaliseAgentId(raw);
  return agentIds.length === 0 || agentIds.includes(id) ? id : defaultAgentId;
}
