/** What a message is read by: commands and wishes in it, what the agent is told around it, how it queues. */
import { createPlaceRules } from './access/place-rules.ts';
import { type InboundDeps } from './inbound.ts';
import type { AgentsConfig } from '../agent/config.ts';
import type { ChannelSections } from '../config/channel-config.ts';
import { createContext } from './context-rules.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface TextsParts {
  config(): { readonly agents: AgentsConfig; readonly channels: ChannelSections };
  readonly channelPlugins: ReadonlyMap<string, ChannelPlugin>;
  readonly sessions: Pick<Sessions, 'peek'>;
  settingsOf(sessionKey: string, channel: string): QueueSettings;
  readonly rulesOf: InboundDeps['rules'];
}

export function createTexts({ config, channelPlugins, sessions, settingsOf, rulesOf }: TextsParts) {
  const placeRules = createPlaceRules();
  const context = createContext({
    config,
    plugin: (id) => channelPlugins.get(id),
    activationOf: (key) => sessions.peek(key)?.groupActivation,
    place: (message) => {
      const plugin = channelPlugins.get(message.address.channel);
      return plugin && placeRules(plugin, config().channels, message).rules;
    },
  });
  const texts: Pick<InboundDeps, 'rules' | 'context' | 'queueSettings'> = {
    context: context.rules,
    queueSettings: (row) => ({
      ...settingsOf(row.route.sessionKey, row.route.replyTo.channel),
      ...(row.queue ? { mode: row.queue } : {}),
    }),
    rules: rulesOf,
  };
  return { context, texts };
}
