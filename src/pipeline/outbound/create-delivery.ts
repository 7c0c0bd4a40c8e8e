/** How answers leave: the sender of the outbox, and what is seen of an answer before it is whole. */
import { wishOf, type ReadRules } from '../commands/read-said.ts';
import type { InboundRow } from '../../journal/rows.ts';
import { saidOf } from '../compose.ts';
import { createOutboxSender, type OutboxSenderDeps } from '../delivery/outbox-sender.ts';
import type { ChannelCapabilities } from '../../core/channel.ts';
import type { FetchFile } from '../../core/tool.ts';
import type { Turn } from '../../core/turn.ts';
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DeliveryConfig } from './live-settings.ts';
import { createOpenMedia } from './open-media.ts';
import { createKeepFiles } from './keep-files.ts';
import { createFailedNote } from './failed-note.ts';
import { createLiveDelivery } from './live-delivery.ts';
import { createReplyMedia, type FilePlace } from './reply-media.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunHub } from '../run-hub.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { MediaStore } from '../../sessions/media-store.ts';

/** The channels that are connected. */
interface LiveChannels {
  capabilities(channel: string): ChannelCapabilities | undefined;
  connection: OutboxSenderDeps['connection'];
}

export interface DeliveryParts {
  readonly deps: {
    readonly home: string;
    readonly log: Log;
    readonly clock: Clock;
    config(): DeliveryConfig;
    reached: OutboxSenderDeps['reached'];
  };
  readonly stores: { readonly journal: Journal; readonly sessions: Sessions };
  readonly hub: RunHub;
  readonly media: MediaStore;
  /** From the network, through the guard. */
  readonly fetchFile: FetchFile;
  /** Where an agent works, and which received files it may send. */
  placeOf(turn: Turn): FilePlace;
  channels(): LiveChannels;
  rulesOf(row: Pick<InboundRow, 'message'>): ReadRules;
  /** Absolute; never sent, wherever they lie. */
  denied(): readonly string[];
}

export function createDelivery(parts: DeliveryParts) {
  const { deps, stores, hub, media, fetchFile, placeOf, channels, rulesOf, denied } = parts;
  const { home, log, clock, config, reached } = deps;
  const { journal, sessions } = stores;
  const now = (): number => clock.now();
  const sender = createOutboxSender({
    outbox: journal.outbox,
    connection: (address) => channels().connection(address),
    log,
    clock,
    reached,
    settled: (token) => delivery.settled(token),
    onFailed: createFailedNote({ sessions, log, now }),
  });
  const open = createOpenMedia(fetchFile, media.folder);
  const keep = createKeepFiles({ media, open, log });
  const delivery = createLiveDelivery({
    clock,
    log,
    journal,
    hub,
    config,
    sender: () => sender,
    random: Math.random,
    keep,
    capabilities: (channel) => channels().capabilities(channel),
    connection: (address) => channels().connection(address),
    session: (key) => sessions.peek(key),
    wished: (row) => wishOf(saidOf(row, rulesOf(row))).options ?? {},
    placeOf,
    media: createReplyMedia({ log, home, denied }),
  });
  return { sender, delivery, keep, open };
}
