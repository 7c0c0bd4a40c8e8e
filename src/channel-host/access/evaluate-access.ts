/**
 * Collects the facts about one message that the access gate checks. The gate and its explanations use the same facts.
 */
import type { AgentsConfig } from '../../agent/config.ts';
import { agentEntry } from '../../agent/resolve-agent.ts';
import type { Admission, AdmissionStep } from '../../core/admission.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import type { InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { SaidWords } from '../../core/said.ts';
import type { Route } from '../../core/route.ts';
import { mainSessionKey } from '../../core/session-key.ts';
import { admit, type AccessRequest } from '../../pipeline/access/admit.ts';
import { isGuest } from '../../pipeline/access/guest.ts';
import { mentionPatterns, mentionsAgent } from '../../pipeline/access/mentions.ts';
import type { PairedSender, PairingStore } from '../../pipeline/access/pairing-store.ts';
import { createPlaceRules, whereSet } from '../../pipeline/access/place-rules.ts';
import { listing } from '../../pipeline/access/sender-list.ts';
import type { CommandsConfig } from '../../pipeline/commands/config.ts';
import { createMatcher } from '../../platform/match-in-time.ts';
import type { Config } from '../../schema.ts';
import type { MessagesConfig, SessionConfig } from '../../sessions/config.ts';

export interface AccessEvaluatorDeps {
  config(): {
    readonly agents: AgentsConfig;
    readonly messages: MessagesConfig;
    readonly commands: Pick<CommandsConfig, 'useAccessGroups' | 'ownerAllowFrom'>;
    readonly session: Pick<SessionConfig, 'mainKey' | 'scope'>;
    readonly channels: Config['channels'];
  };
  readonly pairing: Pick<PairingStore, 'allowed'>;
  readonly log: Log;
  /** The people listed for answers to approvals on this channel; undefined: there is no such list. */
  approversOf(channel: string): readonly string[] | undefined;
  /** `/activation` of a session. */
  activationOf(sessionKey: string): 'mention' | 'always' | undefined;
  /** Do these words call one of our commands? False where commands are not read from text. */
  isCommand(words: SaidWords): boolean;
}

/** What a channel is to the access gate. */
export type GatedChannel = Pick<
  ChannelPlugin,
  'id' | 'aliases' | 'label' | 'capabilities' | 'config' | 'rules' | 'senderEntry' | 'senderIdLabel'
>;

export interface AccessEvaluation {
  /** Words could name the agent here. */
  readonly byWords: boolean;
  /** They are admitted, but may not change where the main session's messages are delivered. */
  readonly guest: boolean;
  admissionOf(words: SaidWords): Admission;
}

export type AccessEvaluator = (
  message: InboundMessage,
  route: Route,
  plugin: GatedChannel,
) => Promise<AccessEvaluation>;

export function createAccessEvaluator({
  config,
  pairing,
  approversOf,
  activationOf,
  isCommand,
  log,
}: AccessEvaluatorDeps): AccessEvaluator {
  const placeRules = createPlaceRules();
  const matcher = createMatcher({
    onTimeout: (pattern) =>
      log.warn('mention.pattern.given_up', {
        pattern,
        fix: 'It timed out several times and is now skipped. Write it without repetitions inside repetitions.',
      }),
  });
  return async (message, route, plugin) => {
    const { agents, messages, commands, channels, session } = config();
    const agent = agentEntry({ agents }, route.agentId);
    const written = { own: agent?.groupChat?.mentionPatterns, general: messages.groupChat.mentionPatterns };
    const patterns = mentionPatterns({
      ...written,
      name: agent?.identity?.name ?? agent?.name,
      emoji: agent?.identity?.emoji,
    });
    const { rules, problem } = placeRules(plugin, channels, message);
    const direct = message.address.chat.kind === 'direct';
    // Who is listed does not wait for files that strangers make us write.
    const mayBePaired =
      !plugin.capabilities.operator &&
      ['pairing', 'open'].includes(rules.direct.value) &&
      listing(rules.direct.allowFrom.value, message.sender.id, plugin) !== 'named';
    const paired = mayBePaired && pairingOf(await pairing.allowed(plugin.id), message.sender.id, plugin);
    const place = whereSet(channels, { channel: plugin.id, accountId: message.address.accountId });
    // Bare words such as "stop" are commands if the bot is addressed; in a group they may be for anybody.
    const commanding = (words: SaidWords): boolean => words.trimStart().startsWith('/') && isCommand(words);
    const request = (words: SaidWords): AccessRequest => ({
      message,
      channel: plugin,
      rules,
      paired,
      activation: direct ? undefined : activationOf(route.sessionKey),
      useAccessGroups: commands.useAccessGroups,
      owners: commands.ownerAllowFrom,
      ...present({ approvers: approversOf(plugin.id) }),
      mention: {
        named: mentionsAgent(words, patterns, (written.own ?? written.general) ? matcher : undefined),
        byWords: patterns.length > 0,
      },
      isCommand: commanding(words),
    });
    return {
      byWords: patterns.length > 0,
      guest:
        route.sessionKey === mainSessionKey(route.agentId, { ...session, defaultAgentId: route.agentId }) &&
        isGuest(message, rules, plugin),
      admissionOf: (words) => (problem === undefined ? placed(admit(request(words)), place) : shut(problem)),
    };
  };
}

/** In a group only the owner's own pairing counts, and for rights alone. */
function pairingOf(allowed: readonly PairedSender[], senderId: string, plugin: GatedChannel): boolean | 'owner' {
  const named = (senders: readonly PairedSender[]): boolean =>
    listing(
      senders.map(({ id }) => id),
      senderId,
      plugin,
    ) === 'named';
  return named(allowed.filter(({ owner }) => owner)) ? 'owner' : named(allowed);
}

/** Settings named where they really stand. */
function placed(admission: Admission, place: (setting: string) => string): Admission {
  const steps = admission.steps.map(
    (step): AdmissionStep => (step.setting === undefined ? step : { ...step, setting: place(step.setting) }),
  );
  return { ...admission, steps };
}

const shut = (problem: string): Admission => ({
  kind: 'refused',
  reason: `the settings of this channel are invalid: ${problem}`,
  steps: [
    {
      step: 'settings',
      ok: false,
      detail: `The settings of this channel are invalid, so all messages are rejected: ${problem}.`,
    },
  ],
});
