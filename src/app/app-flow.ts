/** Creates the flow of messages: inbox, lanes, delivery, and the services that use them. */
import { OWN_CHANNEL } from '../core/product.ts';
import { receivedFolders } from '../agent/environment/own-files.ts';
import { secretPaths } from '../agent/environment/tool-bounds.ts';
import { compactNow } from '../agent/turn/compact-session.ts';
import { agentIds, resolveAgent } from '../agent/resolve-agent.ts';
import { CHOICE_TABLES } from '../channel-host/choice-tables.ts';
import { createChoices } from '../channel-host/choices.ts';
import { createChannelUnderstanding } from '../channel-host/channel-understanding.ts';
import type { Features } from '../host/mount-features.ts';
import type { InboundRow } from '../journal/rows.ts';
import { createSystemEvents } from '../host/system-events.ts';
import type { Compact } from '../pipeline/command-host/create-command-host.ts';
import { readRules } from '../pipeline/command-host/read-rules.ts';
import { createSessionFacts } from '../pipeline/command-host/status-card.ts';
import type { ReadRules } from '../pipeline/commands/read-said.ts';
import { createEndStopped } from '../pipeline/end-stopped.ts';
import { createMessageInbox } from '../pipeline/inbox.ts';
import type { SessionService } from '../host/session-service.ts';
import type { AppUnderstanding } from '../pipeline/understander/create-understander.ts';
import { createDelivery, type DeliveryDeps } from '../pipeline/outbound/create-delivery.ts';
import { createNotify, createPostNotice } from '../pipeline/outbound/notify.ts';
import { createRunHub } from '../pipeline/run-hub.ts';
import { createTurnLanes } from '../pipeline/turn-lanes.ts';
import { maxAtOnce } from '../pipeline/work-limits.ts';
import { expandPath } from '../platform/env.ts';
import { usableMemory } from '../platform/usable-memory.ts';
import { createSessionService, type SessionServiceDeps } from '../services/session-service.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import { queueSettings } from '../sessions/queue.ts';
import type { AppDeps } from './app-deps.ts';
import type { Ground } from './app-ground.ts';

export type Flow = ReturnType<typeof createFlow>;

interface FlowParts {
  readonly deps: AppDeps;
  readonly ground: Ground;
  readonly features: Pick<Features, 'embeds' | 'environment' | 'origins' | 'secretPaths' | 'sessionDeleted'>;
}

export function createFlow(parts: FlowParts) {
  const { log, clock, config, now, journal, sessions, models, turnsFit, channels } = parts.ground;
  const checkpoint: NonNullable<AppDeps['checkpoint']> = parts.deps.checkpoint ?? (() => {});
  const hub = createRunHub({ now });
  const choices = createChoices({ rows: journal.tables(CHOICE_TABLES), now, capabilities: channels.capabilities });
  const understanding = understandingOf(parts);
  const places = placesOf(parts);
  const outbound = outboundOf(parts, { places, hub, understanding, checkpoint });
  const { sender } = outbound;
  const inbox = createMessageInbox({ journal, sessions, sender, log, checkpoint });
  const room = { files: turnsFit, memory: usableMemory() };
  const lanes = createTurnLanes({ maxConcurrent: (kind) => maxAtOnce(kind, config(), room), log, clock });
  const endStopped = createEndStopped({ journal, hub });
  const compact: Compact = (key, instructions, going) =>
    compactNow(key, instructions, going, { sessions, models, log, clock, config });
  const sessionService = sessionServiceOf(parts, { lanes, endStopped, compact });
  return {
    ...outbound,
    ...places,
    checkpoint,
    hub,
    understanding,
    inbox,
    lanes,
    endStopped,
    compact,
    sessionService,
    events: createSystemEvents({ receive: inbox.receive, now, tail: sessionService.tail, ended: hub.whenEnded }),
    postNotice: createPostNotice({ journal, sender }),
    choices,
    notify: createNotify({ journal, sender, plan: outbound.delivery.planNotice, offer: choices.offer }),
    facts: createSessionFacts({
      sessions,
      models,
      lanes,
      decisions: async (key) => (await journal.understanding.latest(key))?.media ?? [],
      queueMode: (key) => places.settingsOf(key, OWN_CHANNEL).mode,
      usualElevation: parts.features.environment.usualElevation,
      sandboxOf: (at) => places.place(at).sandbox,
      version: parts.deps.version,
    }),
  };
}

function understandingOf({ deps, ground, features }: FlowParts): AppUnderstanding {
  const { log, clock, config, models, media, sessions, channels, found } = ground;
  return createChannelUnderstanding({
    machine: { env: deps.env, log, clock, version: deps.version, root: deps.root },
    config,
    resolve: deps.resolve,
    plugins: found.plugins,
    models,
    media,
    sessions,
    channels,
    origins: () => features.origins,
  });
}

/** Where agents work, what belongs to the gateway alone, and which rules hold in a conversation. */
function placesOf({ deps, ground, features }: FlowParts) {
  const { env, config, channels, sessions } = ground;
  return {
    place: features.environment.place,
    workspaceOf: (agentId: string): string => expandPath(resolveAgent(config(), agentId).workspace, env.home),
    /** What lies elsewhere than it usually does, and belongs to the gateway alone; absolute. */
    ownFiles: () => [deps.config.snapshot().path, ...features.secretPaths(), ...channels.secretPaths()],
    rulesOf: ({ message: { address } }: Pick<InboundRow, 'message'>): ReadRules =>
      readRules(config(), address, channels.capabilities(address.channel)),
    settingsOf: (key: string, channel: string): QueueSettings =>
      queueSettings(config().messages, channel, sessions.peek(key)),
  };
}

interface OutboundParts extends Pick<DeliveryDeps, 'hub' | 'checkpoint'> {
  readonly places: ReturnType<typeof placesOf>;
  readonly understanding: AppUnderstanding;
}

function outboundOf({ ground, features }: FlowParts, { places, hub, understanding, checkpoint }: OutboundParts) {
  const { env, log, clock, config, journal, sessions, media, channels, lines } = ground;
  return createDelivery({
    machine: { env, log, clock },
    config,
    stores: { journal, sessions, media },
    channels: { capabilities: channels.capabilities, lines },
    hub,
    fetchFile: understanding.fetch,
    placeOf: ({ route, authority }) => ({
      ...places.place(route),
      received: receivedFolders({ authority, sessionKey: route.sessionKey }, media, config().access.open),
    }),
    embeds: features.embeds,
    rulesOf: places.rulesOf,
    denied: () => secretPaths(env.stateDir, places.ownFiles()),
    checkpoint,
  });
}

function sessionServiceOf(
  { ground, features }: FlowParts,
  work: Pick<SessionServiceDeps, 'lanes' | 'endStopped' | 'compact'>,
): SessionService {
  const { sessions, transcripts, rules, config, store } = ground;
  return createSessionService({
    ...work,
    sessions,
    transcripts,
    rules,
    agentIds: () => agentIds(config()),
    count: (agentId) => store.count(agentId),
    forget: features.sessionDeleted,
  });
}
