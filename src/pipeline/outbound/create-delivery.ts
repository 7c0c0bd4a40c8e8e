/** Creates outbound delivery: the outbox sender and the live display of answers. */
import { join } from 'node:path';
import { inlineRequestOf, type ReadRules } from '../commands/read-said.ts';
import type { InboundRow } from '../../journal/rows.ts';
import { saidOf } from '../compose.ts';
import { createOutboxSender, type OutboxSenderDeps } from '../delivery/outbox-sender.ts';
import type { EmbedSource } from '../../core/canvas.ts';
import type { ChannelCapabilities } from '../../core/channel.ts';
import type { FetchFile } from '../../core/tool.ts';
import type { Turn } from '../../core/turn.ts';
import type { DeliveryConfig } from './live-settings.ts';
import { createLeavingPreviews } from '../delivery/leaving-previews.ts';
import type { SendLines } from '../delivery/send-lines.ts';
import { createOpenMedia } from './open-media.ts';
import { createKeepFiles } from './keep-files.ts';
import { createFailedNote } from './failed-note.ts';
import { createLiveDelivery } from './live-delivery.ts';
import { createReplyMedia, type FilePlace } from './reply-media.ts';
import { createVoiceNotes, type VoiceMachine } from './voice-notes.ts';
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunHub } from '../run-hub.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { MediaStore } from '../../sessions/media-store.ts';

/** Channels, as far as delivery looks at them. */
interface Channels {
  capabilities(channel: string): ChannelCapabilities | undefined;
  readonly lines: SendLines;
}

export interface DeliveryDeps {
  readonly machine: { readonly env: Env; readonly log: Log; readonly clock: Clock };
  config(): DeliveryConfig;
  readonly stores: { readonly journal: Journal; readonly sessions: Sessions; readonly media: MediaStore };
  readonly channels: Channels;
  readonly hub: RunHub;
  /** From the network, through the guard. */
  readonly fetchFile: FetchFile;
  /** Where an agent works, and which received files it may send. */
  placeOf(turn: Turn): FilePlace;
  /** What embeds of an answer may show. */
  readonly embeds: EmbedSource;
  rulesOf(row: Pick<InboundRow, 'message'>): ReadRules;
  /** Absolute; never sent, wherever they lie. */
  denied(): readonly string[];
  checkpoint: OutboxSenderDeps['checkpoint'];
}

export function createDelivery({ machine, config, stores, channels, hub, ...deps }: DeliveryDeps) {
  const { env, log, clock } = machine;
  // Programs are started for voice notes alone; what starts them is loaded with the first.
  const programs: Pick<VoiceMachine, 'exec' | 'findProgram'> = {
    exec: async (request) => (await import('../../platform/exec.ts')).exec(request),
    findProgram: async (name, path) => (await import('../../platform/exec.ts')).findProgram(name, path),
  };
  const tools: VoiceMachine = { log, clock, vars: () => env.vars, tempDir: join(env.stateDir, 'tmp'), ...programs };
  const { journal, sessions, media } = stores;
  const { lines, capabilities } = channels;
  const previews = createLeavingPreviews();
  const sender = createOutboxSender({
    outbox: journal.outbox,
    lines,
    log,
    clock,
    previews,
    checkpoint: deps.checkpoint,
    onFailed: createFailedNote({ sessions, log, now: () => clock.now() }),
  });
  const open = createOpenMedia(deps.fetchFile, media.folder);
  const keep = createKeepFiles({ media, open, log });
  const delivery = createLiveDelivery({
    machine: { log, clock, random: Math.random },
    journal,
    hub,
    config,
    sender,
    previews,
    channels: { capabilities, connection: lines.connection },
    session: (key) => sessions.peek(key),
    requested: (row) => inlineRequestOf(saidOf(row, deps.rulesOf(row))).options ?? {},
    voiced: createVoiceNotes({ machine: tools, open, media }),
    files: {
      keep,
      placeOf: deps.placeOf,
      media: createReplyMedia({ log, home: env.home, denied: deps.denied }),
      embeds: deps.embeds,
    },
  });
  return { sender, delivery, keep, open };
}
