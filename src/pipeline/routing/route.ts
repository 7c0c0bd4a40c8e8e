/** Selects the agent and session key for a message; the same message always gets the same route. */
import type { ChatAddress, InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import {
  agentOfKey,
  canonicalSessionKey,
  chatSessionKey,
  normaliseAgentId,
  type KeyRules,
  type SessionKey,
} from '../../core/session-key.ts';
import type { SessionConfig } from '../../sessions/config.ts';
import type { BroadcastConfig } from './broadcast-config.ts';
import type { Binding } from './config.ts';
import { matchBinding, TIERS, type BindingMatch, type Placed, type RoutedChannel } from './match.ts';

export interface RoutingRules {
  readonly bindings: readonly Binding[];
  readonly session: Pick<SessionConfig, 'dmScope' | 'identityLinks' | 'mainKey' | 'scope'>;
  readonly defaultAgentId: string;
  /** Ids of `agents.list`; empty: any id is accepted. */
  readonly agentIds: readonly string[];
  readonly broadcast?: BroadcastConfig;
  /** Facts of a channel; absent: it has no other names, and its threads are threads. */
  channel?(id: string): RoutedChannel | undefined;
  /** Threads there begin with the conversation of their chat. Absent: none does. */
  inheritsParent?(address: ChatAddress): boolean;
}

export function route(message: InboundMessage | Placed, rules: RoutingRules): Route {
  return evaluateBindings(message, rules).route;
}

export interface EvaluatedBindings {
  readonly route: Route;
  readonly matches: readonly BindingMatch[];
  /** Index of the binding that decided. */
  readonly chosen: number | undefined;
}

/** The route together with what every binding said: what `route explain` shows. */
export function evaluateBindings(message: Placed, rules: RoutingRules): EvaluatedBindings {
  const channel = channelOf(message, rules);
  const matches = rules.bindings.map((binding) => matchBinding(binding, message, channel));
  const winner = TIERS.map(({ tier, of }) => ({
    of,
    index: matches.findIndex((one) => 'tier' in one && one.tier === tier),
  })).find(({ index }) => index >= 0);
  const binding = winner && rules.bindings[winner.index];
  const agentId = knownAgent(binding?.agentId ?? rules.defaultAgentId, rules);
  const inForce = {
    ...rules,
    ...present({
      session: binding?.session?.dmScope ? { ...rules.session, dmScope: binding.session.dmScope } : undefined,
    }),
  };
  const sessionKey = sessionKeyFor(agentId, message, inForce);
  const parentKey = parentKeyFor(agentId, message, inForce);
  return {
    route: {
      agentId,
      sessionKey,
      ...present({ parentKey: parentKey === sessionKey ? undefined : parentKey }),
      matchedBy: winner?.of ?? 'default',
      replyTo: message.address,
    },
    matches,
    chosen: winner?.index,
  };
}

export const channelOf = ({ address }: Placed, rules: RoutingRules): RoutedChannel =>
  rules.channel?.(address.channel) ?? {};

/** The session in which an agent keeps a chat. */
export function sessionKeyFor(agentId: string, message: Placed, rules: RoutingRules): SessionKey {
  const { address } = message;
  const { threadWord, directThreads } = channelOf(message, rules);
  return chatSessionKey(
    present({
      agentId,
      channel: address.channel,
      accountId: address.accountId,
      chat: address.chat,
      threadId: address.threadId,
      threadWord,
      directThreads,
      dmScope: rules.session.dmScope,
      identityLinks: rules.session.identityLinks,
    }),
    keyRules(rules),
  );
}

/** The session of the chat around a thread, where threads begin with its conversation. */
function parentKeyFor(agentId: string, message: Placed, rules: RoutingRules): SessionKey | undefined {
  const { threadId, ...chat } = message.address;
  if (threadId === undefined || !rules.inheritsParent?.(message.address)) return undefined;
  return sessionKeyFor(agentId, { ...message, address: chat }, rules);
}

/** For surfaces whose sender names the session (web chat, HTTP): the key decides the agent. */
export function routeToSession(message: InboundMessage, rawKey: string, rules: RoutingRules): Route {
  const sessionKey = canonicalSessionKey(rawKey, keyRules(rules));
  return {
    agentId: knownAgent(agentOfKey(sessionKey, keyRules(rules)), rules),
    sessionKey,
    matchedBy: 'session',
    replyTo: message.address,
  };
}

export const keyRules = (rules: RoutingRules): KeyRules => ({
  mainKey: rules.session.mainKey,
  scope: rules.session.scope,
  defaultAgentId: rules.defaultAgentId,
});

/**
 * An agent that is not in a non-empty `agents.list` gives way to the default agent; `config validate` warns about it.
 */
function knownAgent(raw: string, { agentIds, defaultAgentId }: RoutingRules): string {
  const id = normaliseAgentId(raw);
  return isKnown(id, agentIds) ? id : defaultAgentId;
}

export const isKnown = (agentId: string, agentIds: readonly string[]): boolean =>
  agentIds.length === 0 || agentIds.includes(agentId);
