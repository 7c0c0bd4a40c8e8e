/** The live display settings of a run, from configuration, channel and message. */
import type { AgentsConfig } from '../../agent/config.ts';
import { createChannelSettings, type ChannelSections, type ChannelSettings } from '../../config/channel-config.ts';
import type { ChannelCapabilities } from '../../core/channel.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { InboundRow } from '../../journal/rows.ts';
import { wantsAck, wantsAckBy } from '../delivery/ack.ts';
import type { BlockRules } from '../delivery/block-cut.ts';
import type { LiveRun } from '../delivery/live-run.ts';
import type { MessagesConfig } from '../../sessions/config.ts';
import { deliveryRules, type DeliveryRules } from '../delivery/rules.ts';

/** The sections of the configuration that delivery reads. */
export interface DeliveryConfig {
  readonly agents: AgentsConfig;
  readonly channels: ChannelSections;
  readonly messages: MessagesConfig;
}

export type LiveSettings = Pick<
  LiveRun,
  'typing' | 'typingEveryMs' | 'ack' | 'removeAck' | 'streaming' | 'blocks' | 'humanDelay' | 'rules'
>;

const IDLE_MS = 1000;

/** Settings are parsed once for each configuration: this is asked several times for every message. */
export function createDeliverySettings() {
  const settingsOf = createChannelSettings();

  function rulesOf(config: DeliveryConfig, address: ChatAddress, capabilities: ChannelCapabilities): DeliveryRules {
    return deliveryRules({
      capabilities,
      settings: settingsOf(config.channels, address.channel, address.accountId),
      prefix: config.messages.responsePrefix,
      kind: address.chat.kind,
    });
  }

  function liveSettings(config: DeliveryConfig, row: InboundRow, capabilities: ChannelCapabilities): LiveSettings {
    const { address, addressesBot } = row.message;
    const settings = settingsOf(config.channels, address.channel, address.accountId);
    const { defaults } = config.agents;
    const ack = ackOf(config, row, { settings, capabilities });
    const rules = rulesOf(config, address, capabilities);
    return {
      typing:
        row.message.system || !capabilities.typing
          ? 'never'
          : (defaults.typingMode ?? (address.chat.kind === 'direct' || addressesBot ? 'instant' : 'message')),
      typingEveryMs: defaults.typingIntervalSeconds * 1000,
      ...present({ ack: ack !== undefined && capabilities.react ? ack : undefined }),
      removeAck: config.messages.removeAckAfterReply,
      streaming: streamingOf(config, settings, capabilities),
      blocks: blockRules(config, settings, { capabilities, limit: rules.chunks.limit }),
      humanDelay: config.agents.list.find(({ id }) => id === row.route.agentId)?.humanDelay ?? defaults.humanDelay,
      rules,
    };
  }

  return { rulesOf, liveSettings };
}

function ackOf(
  { messages }: DeliveryConfig,
  { message, access: gate }: InboundRow,
  { settings, capabilities }: { settings: ChannelSettings; capabilities: ChannelCapabilities },
): string | undefined {
  const own = settings.ackReaction;
  const modes = typeof own === 'object' ? own : undefined;
  const emoji = ((typeof own === 'object' ? own.emoji : own) ?? messages.ackReaction ?? '').trim();
  const mention = gate?.find(({ step }) => step === 'mention');
  // Where nothing can be mentioned, what got past the access gate was meant for the agent.
  const addressed = message.addressesBot || (capabilities.mentions === false && mention?.ok === true);
  const facts = { chat: message.address.chat.kind, addressed, mentionGated: mention !== undefined };
  if (emoji === '' || message.system || message.quiet) return undefined;
  const wanted = modes ? wantsAckBy(modes, facts) : wantsAck(messages.ackReactionScope, facts);
  return wanted ? emoji : undefined;
}

/** The account's own word, then the general one, then what suits the platform. */
function streamingOf(
  { agents }: DeliveryConfig,
  { streaming, blockStreaming }: ChannelSettings,
  capabilities: ChannelCapabilities,
): LiveRun['streaming'] {
  const own = streaming ?? (blockStreaming === true ? 'blocks' : undefined);
  const general = agents.defaults.blockStreamingDefault === 'on' && blockStreaming !== false ? 'blocks' : undefined;
  const wanted = own ?? general ?? capabilities.streaming ?? 'off';
  return wanted === 'preview' && !capabilities.edit ? 'off' : wanted;
}

/** A block is one message: never longer than the platform takes. */
function blockRules(
  { agents: { defaults } }: DeliveryConfig,
  settings: ChannelSettings,
  { capabilities: { coalesce }, limit }: { capabilities: ChannelCapabilities; limit: number },
): BlockRules {
  const { minChars, maxChars, breakPreference } = defaults.blockStreamingChunk;
  const max = Math.min(Math.max(minChars, maxChars), limit);
  const merge = {
    ...coalesce,
    ...defined(defaults.blockStreamingCoalesce),
    ...defined(settings.blockStreamingCoalesce ?? {}),
  };
  return {
    minChars: Math.min(minChars, max),
    maxChars: max,
    prefer: breakPreference,
    flush: defaults.blockStreamingBreak,
    coalesce: {
      minChars: Math.min(merge.minChars ?? 1, limit),
      maxChars: Math.min(merge.maxChars ?? limit, limit),
      idleMs: merge.idleMs ?? IDLE_MS,
    },
  };
}

interface Coalesce {
  readonly minChars?: number;
  readonly maxChars?: number;
  readonly idleMs?: number;
}

const defined = (values: { readonly [K in keyof Coalesce]: Coalesce[K] | undefined }): Coalesce =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
