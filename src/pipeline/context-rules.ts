/** The configured context around channel messages: time, ids, group. */
import type { AgentsConfig } from '../agent/config.ts';
import { agentEntry } from '../agent/resolve-agent.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import type { InboundMessage } from '../core/message.ts';
import type { PlaceRules } from '../core/place-rules.ts';
import { present } from '../core/present.ts';
import type { Turn } from '../core/turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { ContextRules } from './context/context-text.ts';
import { createTimeFormats } from './context/envelope.ts';
import { groupIntro } from './context/group-intro.ts';
import { createZoneName } from '../platform/time-zone.ts';

export interface ContextDeps {
  config(): { readonly agents: AgentsConfig };
  plugin(channel: string): Pick<ChannelPlugin, 'label' | 'capabilities' | 'actions' | 'promptHints'> | undefined;
  /** What configuration says of the place a message came from. */
  place(message: InboundMessage): PlaceRules | undefined;
  activationOf(sessionKey: string): 'mention' | 'always' | undefined;
}

export function createContext({ config, plugin, place, activationOf }: ContextDeps) {
  const timeFormats = createTimeFormats();
  const hostZone = createZoneName();
  return {
    /** Around each message. */
    rules({ message }: Pick<InboundRow, 'message'>): ContextRules {
      const known = plugin(message.address.channel);
      const { envelopeTimestamp, envelopeTimezone, envelopeElapsed, userTimezone } = config().agents.defaults;
      const zone =
        envelopeTimezone === 'user'
          ? (userTimezone ?? hostZone())
          : envelopeTimezone === 'local'
            ? hostZone()
            : envelopeTimezone;
      return {
        label: known?.capabilities.deliverable ? known.label : undefined,
        showIds:
          known !== undefined &&
          (known.capabilities.react || known.capabilities.replyTo !== undefined || (known.actions ?? []).length > 0),
        formatTime: envelopeTimestamp === 'on' ? timeFormats(zone) : undefined,
        elapsed: envelopeElapsed === 'on',
      };
    },

    /** What the agent learns about the place of this message, and the skills it may use there. */
    place(row: Pick<InboundRow, 'message' | 'route'>): Turn['place'] {
      const { message, route } = row;
      const known = plugin(message.address.channel);
      if (!known?.capabilities.deliverable) return undefined;
      const said = place(message);
      const always = activationOf(route.sessionKey) === 'always' || said?.group.requireMention.value === false;
      const group = message.address.chat.kind === 'direct' ? '' : groupIntro({ label: known.label, message, always });
      const prompt = [group, ...(known.promptHints ?? []), said?.systemPrompt ?? '']
        .filter((part) => part.trim() !== '')
        .join('\n\n');
      const own = agentEntry(config(), route.agentId)?.skills;
      const skills = said?.skills && own ? own.filter((skill) => said.skills!.includes(skill)) : said?.skills;
      const { spaceId, place: names } = message;
      return present({ prompt: prompt !== '' ? prompt : undefined, skills, spaceId, names });
    },
  };
}
