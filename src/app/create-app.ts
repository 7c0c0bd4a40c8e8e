/** The composition: creates a running app from the configuration, with everything that is started and stopped. */
import { agentIds, defaultAgentId } from '../agent/resolve-agent.ts';
import { createChannels } from '../channel-host/create-channels.ts';
import { resolveTarget } from '../channel-host/sending/channel-target.ts';
import type { ChatService } from '../host/chat.ts';
import { createFeatureEvents } from '../host/feature-events.ts';
import type { Host } from '../host/host.ts';
import { createFeatures, type Features } from '../host/mount-features.ts';
import { createPlainWaker } from '../host/plain-waker.ts';
import { createHousekeeping } from '../journal/housekeeping.ts';
import { createMachineZone } from '../platform/time-zone.ts';
import { entryReader } from '../pipeline/command-host/sender-entry.ts';
import { createChatService } from '../services/chat-service.ts';
import { createHost } from '../services/create-host.ts';
import type { AppDeps, Checkpoint } from './app-deps.ts';
import { createFlow, type Flow } from './app-flow.ts';
import { createGround, type Ground } from './app-ground.ts';
import { createAppRun } from './app-run.ts';
import { createTurns } from './app-turns.ts';
import { noRestart } from '../host/restarter.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/** Whether new work is taken, and when the gateway goes. */
type Going = { accepting: boolean; readonly closing: AbortController };

/** Builds everything; nothing runs until `start`. */
export async function createApp(deps: AppDeps) {
  const going: Going = { accepting: false, closing: new AbortController() };
  const ground = await createGround(deps);
  const published = createFeatureEvents();
  const features = createFeatures({ log: ground.log, subscribe: published.subscribe });
  const flow = createFlow({ deps, ground, features });
  const chat = chatOf({ deps, ground, flow, features, going });
  const host = hostOf({ deps, ground, flow, features, chat, going, publish: published.publish });
  await features.mount(ground.found.features, host, plainWakerOf(ground, flow));
  const channelHost = channelsOf({ deps, ground, flow, features, going });
  const { inbound, texts, toolService, warm } = createTurns({ deps, ground, flow, host, features, channelHost });
  const { journal, log, clock, media, transcripts } = ground;
  const housekeeping = createHousekeeping({
    journal,
    log,
    clock,
    sweep: async () => ((await journal.writable()) ? inbound.resume() : 0),
    pruneMedia: media.prune,
    restTranscripts: transcripts.rest,
  });
  return {
    ground,
    flow,
    chat,
    channelHost,
    inbound,
    tools: toolService,
    features,
    get accepting() {
      return going.accepting;
    },
    ...createAppRun({
      deps,
      parts: { ...flow, features, channels: channelHost.hub, housekeeping, models: ground.models, warm },
      stores: { ...ground, understanding: flow.understanding },
      inbound,
      texts,
      going,
    }),
  };
}

interface AppParts {
  readonly deps: AppDeps;
  readonly ground: Ground;
  readonly flow: Flow;
  readonly features: Features;
  readonly going: Going;
}

function chatOf({ ground, flow, features, going }: AppParts): ChatService {
  const { journal, sessions, media, rules, config, now } = ground;
  const { inbox, endStopped, lanes, hub } = flow;
  return createChatService({
    inbox,
    endStopped,
    stopChildren: features.children.stop,
    journal,
    lanes,
    hub,
    sessions,
    media,
    rules,
    sendPolicy: () => config().session.sendPolicy,
    accepting: () => going.accepting,
    now,
  });
}

interface HostParts extends AppParts {
  readonly chat: ChatService;
  publish: Host['gateway']['publish'];
}

function hostOf({ deps, ground, flow, features, chat, going, publish }: HostParts): Host {
  const { env, log, clock, config, journal, sessions, models, channels, keys } = ground;
  const mainAgent = (): string => defaultAgentId(config());
  return createHost({
    machine: { env, log, clock, version: deps.version, root: deps.root, zone: createMachineZone() },
    store: deps.config,
    journal,
    inbox: { receive: flow.inbox.receive, events: flow.events },
    runs: flow.hub,
    chat,
    sessions: { store: sessions, service: flow.sessionService, keyRules: keys.rules },
    agents: { models, place: flow.place, permitElsewhere: features.environment.permitElsewhere },
    channels: {
      channelId: channels.idOf,
      isDeliverable: channels.isDeliverable,
      resolve: (request) => resolveTarget(request, { plugins: channels.active, accounts: channels.accountIds }),
      ids: channels.ids,
      postNotice: flow.postNotice,
      notify: flow.notify,
      senderEntry: entryReader(channels.plugins),
      sent: (id) => flow.sender.send(id),
    },
    waker: features.waker,
    understanding: { abilities: () => flow.understanding.status(mainAgent(), keys.main(mainAgent())) },
    gateway: {
      publish,
      devices: { find: (id) => features.devices.find(id), retire: (what) => features.devices.retire(what) },
      startedAt: deps.startedAt,
      port: () => deps.listening?.port(),
      hasFixedPort: () => deps.listening?.bySystem !== true,
      accepting: () => going.accepting,
      closing: going.closing.signal,
      requestRestart: deps.requestRestart ?? noRestart,
      canvasScreen: () => features.canvasScreen,
      nodeCommands: () => features.nodeCommands,
      checkpoint: (name, id) => flow.checkpoint(name as Checkpoint, id),
    },
  });
}

const plainWakerOf = ({ journal, config, keys }: Ground, { events, hub }: Flow) =>
  createPlainWaker({
    events,
    runs: hub,
    find: journal.inbound.find,
    isAgent: (id) => agentIds(config()).includes(id),
    mainKey: keys.main,
  });

function channelsOf({ deps, ground, flow, features, going }: AppParts) {
  const { env, log, clock, journal, sessions, media, channels, rules, keys } = ground;
  return createChannels({
    registry: channels,
    machine: { env, log, clock },
    config: deps.config,
    stores: { journal, sessions, media },
    sender: flow.sender,
    incoming: { inbox: flow.inbox, choices: flow.choices },
    rules,
    accepting: () => going.accepting,
    transcribe: (message, to) => flow.understanding.transcribe(message, to, going.closing.signal),
    outgoing: { open: flow.open, plan: flow.delivery.planSend, workspaceOf: flow.workspaceOf },
    features,
    canonicalKey: keys.canonical,
  });
}
