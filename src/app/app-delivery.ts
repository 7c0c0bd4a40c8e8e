/** How answers leave: the sender of the outbox, and what is seen of an answer before it is whole. */
import { wishOf, type ReadRules } from '../pipeline/commands/read-said.ts';
import type { InboundRow } from '../journal/rows.ts';
import { saidOf } from '../pipeline/compose.ts';
import { createOutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import type { Config } from '../schema.ts';
import type { FetchFile } from '../core/tool.ts';
import { createOpenMedia } from './channels/open-media.ts';
import { createKeepFiles } from './delivery/keep-files.ts';
import { createFailedNote } from './delivery/failed-note.ts';
import { createLiveDelivery } from './delivery/live-delivery.ts';
import { createReplyMedia } from './delivery/reply-media.ts';
import { receivedFolders } from './hands/own-files.ts';
import { secretPaths } from './hands/reach.ts';
import type { Journal } from '../journal/journal.ts';
import type { RunHub } from '../pipeline/run-hub.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppDeps } from './app-deps.ts';
import type { ChannelHub } from './channels/channel-hub.ts';
import type { HandsPlace } from './hands/place.ts';
import type { MediaStore } from '../sessions/media-store.ts';

export interface AppDeliveryParts {
  readonly deps: AppDeps;
  readonly stores: { readonly journal: Journal; readonly sessions: Sessions };
  readonly hub: RunHub;
  readonly media: MediaStore;
  /** From the network, through the guard. */
  readonly fetchFile: FetchFile;
  place(at: { readonly agentId: string; readonly sessionKey: string }): HandsPlace;
  channels(): Pick<ChannelHub, 'connection' | 'capabilities'>;
  rulesOf(row: Pick<InboundRow, 'message'>): ReadRules;
  ownFiles(): readonly string[];
}

export function createAppDelivery(parts: AppDeliveryParts) {
  const { deps, stores, hub, media, fetchFile, place, channels, rulesOf, ownFiles } = parts;
  const { env, log, clock } = deps;
  const { journal, sessions } = stores;
  const config = (): Config => deps.config.current();
  const now = (): number => clock.now();
  const reached = deps.reached ?? (() => {});
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
    placeOf: (turn) => ({
      ...place(turn.route),
      received: receivedFolders(
        { authority: turn.authority, sessionKey: turn.route.sessionKey },
        media,
        config().access.open,
      ),
    }),
    media: createReplyMedia({ log, home: env.home, denied: () => secretPaths(env.stateDir, ownFiles()) }),
  });
  return { sender, delivery, keep, open };
}
