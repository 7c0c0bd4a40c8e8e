/** How a message is parsed, given context and queued. */
import { createPlaceRules } from './access/place-rules.ts';
import type { MessageRules } from './inbound-deps.ts';
import type { AgentsConfig } from '../agent/config.ts';
import type { ChannelSections } from '../config/channel-config.ts';
import { createContext } from './context-rules.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import { present } from '../core/present.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface MessageRulesDeps {
  config(): { readonly agents: AgentsConfig; readonly channels: ChannelSections };
  plugin(channel: string): ChannelPlugin | undefined;
  readonly sessions: Pick<Sessions, 'peek'>;
  settingsOf(sessionKey: string, channel: string): QueueSettings;
  readonly rulesOf: MessageRules['rules'];
}

export function createMessageRules(deps: MessageRulesDeps): MessageRules {
  const { config, plugin, sessions, settingsOf, rulesOf } = deps;
  const placeRules = createPlaceRules();
  const context = createContext({
    config,
    plugin,
    activationOf: (key) => sessions.peek(key)?.groupActivation,
    place: (message) => {
      const known = plugin(message.address.channel);
      return known && placeRules(known, config().channels, message).rules;
    },
  });
  return {
    context: context.rules,
    place: context.place,
    queueSettings: (row) => ({
      ...settingsOf(row.route.sessionKey, row.route.replyTo.channel),
      ...present({ mode: row.queue }),
    }),
    rules: rulesOf,
  };
}
