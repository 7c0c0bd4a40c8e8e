/** What decides which agent and session a message gets: the configuration, and what channels say of themselves. */
import { agentIds, defaultAgentId } from '../agent/resolve-agent.ts';
import type { RoutedChannel } from './routing/match.ts';
import type { RoutingRules } from './routing/route.ts';
import type { Config } from '../schema.ts';

export function routingRules(config: Config, channel: (id: string) => RoutedChannel | undefined): RoutingRules {
  const { bindings, session, broadcast, agents } = config;
  return {
    bindings,
    session,
    broadcast,
    channel,
    defaultAgentId: defaultAgentId(config),
    agentIds: agents.list.length === 0 ? [] : agentIds(config),
  };
}
