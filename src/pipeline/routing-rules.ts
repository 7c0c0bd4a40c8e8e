/** The inputs of routing: the configuration and the channels' own declarations. */
import { settingsOf, type ChannelSections } from '../config/channel-config.ts';
import { agentIds, defaultAgentId } from '../agent/resolve-agent.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import type { RoutedChannel } from './routing/match.ts';
import type { RoutingRules } from './routing/route.ts';
import type { AgentsConfig } from '../agent/config.ts';
import type { SessionConfig } from '../sessions/config.ts';
import type { BroadcastConfig } from './routing/broadcast-config.ts';
import type { Binding } from './routing/config.ts';

/** The sections of the configuration that routing reads. */
interface RoutingConfig {
  readonly agents: AgentsConfig;
  readonly bindings: readonly Binding[];
  readonly broadcast: BroadcastConfig;
  readonly session: SessionConfig;
  readonly channels: ChannelSections;
}

export function routingRules(config: RoutingConfig, channel: (id: string) => RoutedChannel | undefined): RoutingRules {
  const { bindings, session, broadcast, agents } = config;
  return {
    bindings,
    session,
    broadcast,
    channel,
    inheritsParent: ({ channel: id, accountId }) =>
      settingsOf(config.channels, id, accountId).thread?.inheritParent === true,
    defaultAgentId: defaultAgentId(config),
    agentIds: agents.list.length === 0 ? [] : agentIds(config),
  };
}

/** What routing looks at of a channel; undefined where there is none of that name. */
export const routedChannel = (plugin: ChannelPlugin | undefined): RoutedChannel | undefined =>
  plugin && {
    aliases: plugin.aliases,
    threadWord: plugin.capabilities.threadWord,
    directThreads: plugin.capabilities.directThreads,
  };
