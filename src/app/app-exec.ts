/** What an agent does on its machine: commands with their approvals, pictures, and how far the tools of a turn reach. */
import { agentIds } from '../agent/resolve-agent.ts';
import { mainSessionKey } from '../core/session-key.ts';
import type { Config } from '../schema.ts';
import { entryReader } from '../pipeline/command-host/sender-entry.ts';
import { createApprovalNotice } from './hands/approval-notice.ts';
import { createHands } from './hands/hands.ts';
import { createPictures } from './hands/pictures.ts';
import { createReaches } from './hands/reach.ts';
import type { createUnderstanding } from './understanding.ts';
import type { Models } from '../agent/models/create-models.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import type { KeyRules } from '../core/session-key.ts';
import type { Journal } from '../journal/journal.ts';
import type { OutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import type { RunHub } from '../pipeline/run-hub.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppDeps } from './app-deps.ts';
import type { ApprovalNoticeDeps } from './hands/approval-notice.ts';
import type { HandsDeps } from './hands/hands.ts';
import type { HandsPlace } from './hands/place.ts';
import type { MediaStore } from '../sessions/media-store.ts';

export interface AppExecParts {
  readonly deps: AppDeps;
  readonly stores: { readonly journal: Journal; readonly sessions: Sessions };
  readonly hub: RunHub;
  readonly plugins: readonly ChannelPlugin[];
  keyRules(): KeyRules;
  readonly inbox: HandsDeps['inbox'];
  readonly delivery: {
    readonly sender: OutboxSender;
    isDeliverable(channel: string): boolean;
    readonly planNotice: NonNullable<ApprovalNoticeDeps['plan']>;
  };
  readonly models: Models;
  readonly understanding: ReturnType<typeof createUnderstanding>;
  readonly media: MediaStore;
  place(at: { readonly agentId: string; readonly sessionKey: string }): HandsPlace;
  workspaceOf(agentId: string): string;
  ownFiles(): readonly string[];
}

export type Exec = ReturnType<typeof createAppExec>;

export function createAppExec(parts: AppExecParts) {
  const {
    deps,
    stores,
    hub,
    plugins,
    keyRules,
    inbox,
    delivery,
    models,
    understanding,
    media,
    place,
    workspaceOf,
    ownFiles,
  } = parts;
  const { env, log, clock } = deps;
  const { journal, sessions } = stores;
  const config = (): Config => deps.config.current();
  const hands = createHands({
    env,
    log,
    clock,
    hub,
    config,
    keyRules,
    inbox,
    entryOf: entryReader(plugins),
    sessionsKnown: () => Promise.all(agentIds(config()).map((id) => sessions.ready(mainSessionKey(id, keyRules())))),
    sessionExists: (key) => sessions.peek(key) !== undefined,
    hearsLater: (turnId) => {
      const row = journal.inbound.find(turnId);
      return row !== undefined && row.queue !== 'followup' && row.trigger === undefined;
    },
    announce: createApprovalNotice({
      journal,
      sender: delivery.sender,
      log,
      isDeliverable: delivery.isDeliverable,
      workspaceOf: ({ agentId, sessionKey }) => place({ agentId, sessionKey }).shownAs,
      plan: (address, payload) => delivery.planNotice(address, payload),
    }),
  });
  const pictures = createPictures({ config, models, understanding, vars: env.vars, log });
  const reaches = createReaches({
    hands,
    pictures,
    config,
    fetchFile: understanding.fetch,
    media,
    agentWorkspaces: () => agentIds(config()).map((id) => workspaceOf(id)),
    home: env.home,
    stateDir: env.stateDir,
    docsPath: deps.docsPath,
    ownFiles,
  });
  return { hands, pictures, reaches };
}
