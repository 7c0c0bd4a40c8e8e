/** How messages come in and answers leave: inbox, lanes, delivery, and the services over them. */
import { receivedFolders } from '../agent/environment/own-files.ts';
import { secretPaths } from '../agent/environment/tool-reach.ts';
import { compactNow } from '../agent/turn/compact-session.ts';
import { agentIds, resolveAgent } from '../agent/resolve-agent.ts';
import type { Features } from '../host/mount-features.ts';
import type { InboundRow } from '../journal/rows.ts';
import { createSystemEvents } from '../host/system-events.ts';
import type { Compact } from '../pipeline/command-host/create-command-host.ts';
import { readRules } from '../pipeline/command-host/read-rules.ts';
import { createSessionFacts } from '../pipeline/command-host/status-card.ts';
import type { ReadRules } from '../pipeline/commands/read-said.ts';
import { createEndStopped } from '../pipeline/end-stopped.ts';
import { createMessageInbox } from '../pipeline/inbox.ts';
import { createDelivery } from '../pipeline/outbound/create-delivery.ts';
import { createNotify, createPostNotice } from '../pipeline/outbound/notify.ts';
import { createRunHub } from '../pipeline/run-hub.ts';
import { createTurnLanes } from '../pipeline/turn-lanes.ts';
import { maxAtOnce } from '../pipeline/work-limits.ts';
import { expandPath } from '../platform/env.ts';
import { createSessionService } from '../services/session-service.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import { queueSettings } from '../sessions/queue.ts';
import type { AppDeps } from './app-deps.ts';
import type { Ground } from './app-ground.ts';
import { createAppUnderstanding } from './app-understanding.ts';

export type Flow = ReturnType<typeof createFlow>;

export function createFlow(
  deps: AppDeps,
  ground: Ground,
  features: Pick<Features, 'environment' | 'origins' | 'secretPaths'>,
) {
  const { env, log, clock, config, now, journal, sessions, transcripts, media, models, channels } = ground;
  const reached: NonNullable<AppDeps['reached']> = deps.reached ?? (() => {});
  const hub = createRunHub({ now });
  const understanding = createAppUnderstanding({
    deps,
    plugins: ground.found.plugins,
    models,
    media,
    sessions,
    channels,
    origins: () => features.origins,
  });
  const { place } = features.environment;
  /** What lies elsewhere than it usually does, and belongs to the gateway alone; absolute. */
  const ownFiles = (): readonly string[] => [deps.config.snapshot().path, ...features.secretPaths()];
  const rulesOf = ({ message: { address } }: Pick<InboundRow, 'message'>): ReadRules =>
    readRules(config(), address, channels.capabilities(address.channel));
  const settingsOf = (key: string, channel: string): QueueSettings =>
    queueSettings(config().messages, channel, sessions.peek(key));

  const outbound = createDelivery({
    machine: { home: env.home, log, clock },
    config,
    stores: { journal, sessions, media },
    channels: { capabilities: channels.capabilities, lines: ground.lines },
    hub,
    fetchFile: understanding.fetch,
    placeOf: ({ route, authority }) => ({
      ...place(route),
      received: receivedFolders({ authority, sessionKey: route.sessionKey }, media, config().access.open),
    }),
    rulesOf,
    denied: () => secretPaths(env.stateDir, ownFiles()),
    reached,
  });
  const { sender } = outbound;
  const inbox = createMessageInbox({ journal, sessions, sender, log, reached });
  const lanes = createTurnLanes({
    maxConcurrent: (kind) => maxAtOnce(kind, config(), ground.turnsFit),
    log,
    clock,
  });
  const endStopped = createEndStopped({ journal, hub });
  const compact: Compact = (key, instructions, going) =>
    compactNow(key, instructions, going, { sessions, models, log, clock, config });
  const sessionService = createSessionService({
    sessions,
    transcripts,
    lanes,
    endStopped,
    rules: ground.rules,
    agentIds: () => agentIds(config()),
    count: (agentId) => ground.store.count(agentId),
    compact,
  });
  return {
    ...outbound,
    reached,
    hub,
    understanding,
    place,
    workspaceOf: (agentId: string): string => expandPath(resolveAgent(config(), agentId).workspace, env.home),
    ownFiles,
    rulesOf,
    settingsOf,
    inbox,
    lanes,
    endStopped,
    compact,
    sessionService,
    events: createSystemEvents({
      receive: inbox.receive,
      now,
      tail: sessionService.tail,
      ended: hub.whenEnded,
    }),
    postNotice: createPostNotice({ journal, sender }),
    notify: createNotify({ journal, sender, plan: outbound.delivery.planNotice }),
    facts: createSessionFacts({
      sessions,
      models,
      lanes,
      decisions: async (key) => (await journal.understanding.latest(key))?.media ?? [],
      queueMode: (key) => settingsOf(key, 'webchat').mode,
      elevatedDefault: () => config().agents.defaults.elevatedDefault,
      sandboxOf: (at) => place(at).sandbox,
      version: deps.version,
    }),
  };
}
