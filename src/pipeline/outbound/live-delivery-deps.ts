/** Dependencies of delivery, and what it needs to know about active runs. */
import type { ChannelCapabilities, ChannelConnection } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { TurnOptions } from '../../core/turn.ts';
import type { Journal } from '../../journal/journal.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { LiveDeps } from '../delivery/live-run.ts';
import type { OutboxSender } from '../delivery/outbox-sender.ts';
import type { RunHub } from '../run-hub.ts';
import type { DeliveryConfig } from './live-settings.ts';
import type { OwnReplyDeps } from './own-reply.ts';
import type { VoiceNotes } from './voice-notes.ts';

export interface LiveDeliveryDeps {
  readonly machine: { readonly clock: Clock; readonly log: Log; random(): number };
  readonly journal: Pick<Journal, 'inbound' | 'outbox'>;
  readonly hub: Pick<RunHub, 'subscribe' | 'onAccepted'>;
  readonly sender: Pick<OutboxSender, 'send' | 'withdraw'>;
  readonly previews: LiveDeps['previews'];
  config(): DeliveryConfig;
  readonly channels: {
    capabilities(channel: string): ChannelCapabilities | undefined;
    connection(address: ChatAddress): { readonly connection: ChannelConnection } | undefined;
  };
  session(key: string): SessionEntry | undefined;
  /** What a message asks for itself alone. */
  requested?(row: InboundRow): TurnOptions;
  /** Recordings as the channel plays them. */
  readonly voiced: VoiceNotes;
  /** Which files of an answer go along. */
  readonly files: OwnReplyDeps;
}

/** What is known of runs that go on. */
export interface ActiveRuns {
  /** Their messages. */
  readonly rows: Map<string, InboundRow>;
  /** Which model answers each. */
  readonly models: Map<string, { readonly provider: string; readonly model: string }>;
}

/** Capabilities of a channel people see outside. */
export function outsideOf(channels: LiveDeliveryDeps['channels'], channel: string): ChannelCapabilities | undefined {
  const capabilities = channels.capabilities(channel);
  return capabilities?.deliverable ? capabilities : undefined;
}
