/** Selects the agents that answer one message together, each in its own session. */
import type { Route } from '../../core/route.ts';
import { normaliseAgentId } from '../../core/session-key.ts';
import { broadcastEntry, type BroadcastConfig } from './broadcast-config.ts';
import { threadIds, type Placed } from './match.ts';
import { channelOf, isKnown, sessionKeyFor, type RoutingRules } from './route.ts';

export interface Broadcast {
  /** In the order of the list, no agent twice. */
  readonly routes: readonly Route[];
  readonly strategy: BroadcastConfig['strategy'];
  /** The setting. */
  readonly path: string;
}

/** Undefined: bindings decide. It takes precedence over them. */
export function broadcastRoutes(message: Placed, rules: RoutingRules): Broadcast | undefined {
  const config = rules.broadcast;
  if (!config) return undefined;
  const key = keysOf(message, rules).find((one) => agentsOf(config, one).length > 0);
  if (key === undefined) return undefined;
  const ids = [...new Set(agentsOf(config, key).map((id) => normaliseAgentId(id)))].filter((id) =>
    isKnown(id, rules.agentIds),
  );
  if (ids.length === 0) return undefined;
  const entry = broadcastEntry(config, key)!;
  // Also where everything direct is one conversation: agents that answer together must not share a session.
  const apart: RoutingRules = { ...rules, session: { ...rules.session, scope: 'per-sender' } };
  return {
    routes: ids.map((agentId) => ({
      agentId,
      sessionKey: sessionKeyFor(agentId, message, apart),
      matchedBy: 'peer',
      replyTo: message.address,
    })),
    strategy: ('agents' in entry ? entry.strategy : undefined) ?? config.strategy,
    path: `broadcast.${key}`,
  };
}

function agentsOf(config: BroadcastConfig, key: string): readonly string[] {
  const entry = broadcastEntry(config, key);
  return entry === undefined ? [] : 'agents' in entry ? entry.agents : entry;
}

/** A thread's own entry before that of its chat; with the channel's name before without. */
function keysOf(message: Placed, rules: RoutingRules): readonly string[] {
  const { channel, chat, threadId } = message.address;
  const facts = channelOf(message, rules);
  const ids = [...(threadId === undefined ? [] : threadIds(chat.id, threadId, facts)), chat.id];
  return ids.flatMap((id) => [...[channel, ...(facts.aliases ?? [])].map((name) => `${name}:${id}`), id]);
}
