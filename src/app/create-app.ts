/**
 * Composition: configuration in, a running app out. Everything with a life is built here and handed to what needs it.
 */
import { agentIds, defaultAgentId, resolveAgent } from '../agent/resolve-agent.ts';
import { canonicalSessionKey, mainSessionKey, type SessionKey } from '../core/session-key.ts';
import { type ReadRules } from '../pipeline/commands/read-said.ts';
import type { InboundRow } from '../journal/rows.ts';
import { createInbound, type Waiting } from '../pipeline/inbound.ts';
import { keyRules, type RoutingRules } from '../pipeline/routing/route.ts';
import { createRunHub } from '../pipeline/run-hub.ts';
import { createMachineZone } from '../platform/time-zone.ts';
import type { Config } from '../schema.ts';
import { createLanes } from '../sessions/lanes.ts';
import { queueSettings } from '../sessions/queue.ts';
import { maySend } from '../sessions/send-policy.ts';
import { createReachable } from '../channel-host/sending/channel-service.ts';
import { createChannels } from '../channel-host/create-channels.ts';
import { createChatService } from '../services/chat-service.ts';
import { compactNow, turnRoom } from '../pipeline/command-host/create-command-host.ts';
import { readRules } from '../pipeline/command-host/read-rules.ts';
import { createFindThing } from '../channel-host/access/find-thing.ts';
import { receivedFolders } from './hands/own-files.ts';
import { secretPaths } from './hands/reach.ts';
import { rightsKey } from './hands/rights-key.ts';
import type { AppDeps } from './app-deps.ts';
import { createAppRun } from './app-run.ts';
import { createAppCommands } from './app-commands.ts';
import { loadPlugins } from './app-plugins.ts';
import { createAppRpc } from './app-rpc.ts';
import { createStores } from './app-stores.ts';
import { createDelivery } from '../pipeline/outbound/create-delivery.ts';
import { createAppExec } from './app-exec.ts';
import { createAppUnderstanding } from './app-understanding.ts';
import { createTexts } from '../pipeline/message-rules.ts';
import { createAppToolbox } from './app-toolbox.ts';
import { createHost } from './create-host.ts';
import { privateDir } from '../platform/private-dir.ts';
import { createTell } from '../pipeline/outbound/tell.ts';
import { createPlainWaker } from '../host/plain-waker.ts';
import { createFeatureEvents } from '../host/feature-events.ts';
import { mountFeatures } from '../host/mount-features.ts';
import { joinPolicies } from '../host/reply-policy.ts';
import { createHousekeeping } from '../journal/housekeeping.ts';
import { createMediaStore } from '../sessions/media-store.ts';
import { createQuietNote } from '../pipeline/outbound/quiet-note.ts';
import { nobodyRestarts } from './restart.ts';
import { routingRules } from '../pipeline/routing-rules.ts';
import { createSessionService } from '../services/session-service.ts';
import { createSessionFacts } from '../pipeline/command-host/status-card.ts';
import { createSystemEvents } from '../host/system-events.ts';
import { createToolService } from '../services/tool-service.ts';
import { createTurnSetting } from '../agent/turn/turn-setting.ts';
import { mostAtOnce } from '../pipeline/work-limits.ts';
import { ownDescriptors, turnsWithin } from '../platform/descriptors.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/** Builds everything; nothing runs until `start`. */
export async function createApp(deps: AppDeps) {
  const { env, log, clock, version } = deps;
  const config = (): Config => deps.config.current();
  const now = (): number => clock.now();
  const reached = deps.reached ?? (() => {});
  const going = new AbortController();
  await privateDir(env.stateDir, log);

  const ownFiles = (): readonly string[] => [deps.config.snapshot().path, ...features.secretPaths()];
  const rules = (): RoutingRules => routingRules(config(), (id) => channelFacts.get(id));
  const turnsFit = turnsWithin(ownDescriptors());
  const { journal, store, transcripts, sessions, settler } = createStores({
    deps,
    turnsFit,
    keyRules: () => keyRules(rules()),
    begins: (row) => sender.begins(row),
  });
  const hub = createRunHub({ now });

  const found = await loadPlugins(deps);
  const { plugins, described: describedChannels, channelPlugins, channelFacts, models, tools } = found;
  const isDeliverable = (channel: string): boolean => channels.capabilities(channel)?.deliverable ?? false;
  const reachable = createReachable({
    plugins: () => channels.active(),
    accounts: (channel) => channels.accountIds(channel),
    config: () => config().channels,
  });
  const toolbox = await createAppToolbox({ deps, found, channels: reachable });

  const media = createMediaStore(env.stateDir, now);
  const understanding = createAppUnderstanding({
    deps,
    plugins,
    models,
    media,
    sessions,
    isDeliverable,
    channels: () => channels,
  });

  const settingsOf = (key: string, channel: string) => queueSettings(config().messages, channel, sessions.peek(key));
  const facts = createSessionFacts({
    sessions,
    models,
    decisions: (key) => journal.understanding.latest(key)?.media ?? [],
    lanes: () => lanes,
    queueMode: (key) => settingsOf(key, 'webchat').mode,
    elevatedDefault: () => config().agents.defaults.elevatedDefault,
    sandboxOf: (at) => hands.place(at).sandbox,
    version,
  });
  const { sender, delivery, keep, open } = createDelivery({
    deps: { home: env.home, log, clock, config, reached },
    stores: { journal, sessions },
    hub,
    media,
    fetchFile: understanding.fetch,
    placeOf: ({ route: at, authority }) => ({
      ...hands.place(at),
      received: receivedFolders({ authority, sessionKey: at.sessionKey }, media, config().access.open),
    }),
    channels: () => channels,
    rulesOf: (row) => rulesOf(row),
    denied: () => secretPaths(env.stateDir, ownFiles()),
  });
  const common = { sessions, models, log, clock, config };
  const { hands, pictures, reaches } = createAppExec({
    deps,
    stores: { journal, sessions },
    hub,
    plugins: describedChannels,
    keyRules: () => keyRules(rules()),
    inbound: () => inbound,
    delivery: { sender, isDeliverable, planNotice: delivery.planNotice },
    models,
    understanding,
    media,
    workspaceOf: (agentId) => turnSetting.workspaceOf(agentId),
    ownFiles,
  });
  const turnSetting = createTurnSetting({
    config,
    models,
    toolbox,
    reaches,
    session: sessions.get,
    place: hands.place,
    mayElevate: (scope) => hands.elevationOf({ ...scope, place: hands.place(scope.turn.route) }).allowed,
    describesPictures: pictures.available,
    replyTags: delivery.replyTags,
    sections: (agentId) => features.sections(agentId),
    home: env.home,
    stateDir: env.stateDir,
    docsPath: deps.docsPath,
  });
  const tell = createTell({ journal, sender });
  const hostZone = createMachineZone();
  const mainKey = (agentId: string): SessionKey => mainSessionKey(agentId, keyRules(rules()));
  const canonicalKey = (raw: string): SessionKey => canonicalSessionKey(raw, keyRules(rules()));
  const writable = () => channels.active().filter(({ capabilities }) => capabilities.deliverable);
  const channelIds = (): readonly string[] => writable().map(({ id }) => id);
  const channelId = (name: string): string | undefined =>
    writable().find(({ id, aliases = [] }) => id === name || aliases.includes(name))?.id;
  const restart = deps.requestRestart ?? nobodyRestarts;
  const events = createSystemEvents({
    receive: (accepted, runId) => inbound.receive(accepted, runId),
    now,
    tail: (key, limit) => sessionService.tail(key, limit),
    ended: (runId) => hub.whenEnded(runId),
  });
  const published = createFeatureEvents();
  const isAgent = (id: string): boolean => agentIds(config()).includes(id);
  const plainWaker = createPlainWaker({ events, runs: hub, find: journal.inbound.find, isAgent, mainKey });
  const host = createHost({
    deps,
    journal,
    hub,
    sessions,
    models,
    zone: hostZone,
    place: hands.place,
    keyRules: () => keyRules(rules()),
    channels: {
      channelId,
      isDeliverable,
      resolve: (wish) => channelService.resolve(wish),
      ids: channelIds,
      tell,
      sent: sender.send,
    },
    events,
    late: {
      receive: (accepted, runId) => inbound.receive(accepted, runId),
      chat: () => chat,
      sessionService: () => sessionService,
      waker: () => features.waker,
    },
    gateway: {
      publish: published.publish,
      accepting: () => state.accepting,
      closing: going.signal,
      requestRestart: restart,
    },
  });
  const { waker } = host;
  const features = await mountFeatures(found.features, { host, plainWaker, subscribe: published.subscribe });
  const toolRpc = createAppRpc({
    deps,
    host,
    parts: {
      facts,
      features,
      models,
      journal,
      sessions,
      place: hands.place,
      requestRestart: restart,
    },
    keyRules: () => keyRules(rules()),
    channels: () => channelService,
    keepFiles: keep.all,
    sessionService: () => sessionService,
  });
  const rulesOf = ({ message: { address } }: Pick<InboundRow, 'message'>): ReadRules =>
    readRules(config(), address, channels.capabilities(address.channel));
  const commands = createAppCommands({
    ...common,
    deps,
    parts: { hands, children: features.children, toolbox, reaches, turnSetting, requestRestart: restart, facts },
    lanes: () => lanes,
    inbound: () => inbound,
    going: going.signal,
    channels: { ids: channelIds, active: () => channels.active() },
  });
  const { context, texts } = createTexts({ config, channelPlugins, sessions, settingsOf, rulesOf });
  const inbound = createInbound({
    journal,
    sessions,
    settler,
    log,
    clock,
    hub,
    sender,
    commands,
    understander: understanding,
    lanes: () => lanes,
    prepare: turnSetting.prepare,
    workspaceOf: turnSetting.workspaceOf,
    makeRoom: turnRoom(common),
    isDeliverable,
    rightsKey: (row) => rightsKey(row, config()),
    planReplies: delivery.plan,
    planNotice: delivery.planNotice,
    rpc: toolRpc,
    replyPolicy: joinPolicies(features.replyPolicies),
    ...texts,
    maySend: ({ route: { sessionKey: key } }) => maySend(config().session.sendPolicy, key, sessions.peek(key)),
    place: context.place,
    note: createQuietNote({ sessions, workspaceOf: turnSetting.workspaceOf }),
    reached,
    reachedInbound: reached,
  });
  const lanes = createLanes<Waiting>({
    run: inbound.runLane,
    onDropped: inbound.onDropped,
    maxConcurrent: (kind) => mostAtOnce(kind, config(), turnsFit),
    log,
    clock,
  });
  const sessionService = createSessionService({
    sessions,
    transcripts,
    lanes,
    inbound,
    rules,
    agentIds: () => agentIds(config()),
    count: (agentId) => store.count(agentId),
    compact: (key, instructions, going) => compactNow(key, instructions, going, common),
  });

  const toolService = createToolService({
    toolbox,
    config,
    models,
    sessions,
    rules,
    place: hands.place,
    pictures,
    reaches,
    log,
    rpc: toolRpc,
    tools,
    open: () => config().access.open,
    doors: () => doors.explain,
  });

  const state = { accepting: false };
  const chat = createChatService({
    stopChildren: features.children.stop,
    inbound,
    journal,
    lanes,
    hub,
    sessions,
    media,
    rules,
    sendPolicy: () => config().session.sendPolicy,
    accepting: () => state.accepting,
    now,
  });

  const housekeeping = createHousekeeping({
    journal,
    log,
    clock,
    sweep: async () => ((await journal.writable()) ? inbound.resume() : 0),
    pruneMedia: media.prune,
    restTranscripts: transcripts.rest,
  });

  const live = createChannels({
    env,
    log,
    clock,
    config: deps.config,
    journal,
    sessions,
    sender,
    media,
    rules,
    plugins: describedChannels,
    inbound: () => inbound,
    accepting: () => state.accepting,
    hear: (message, to) => understanding.hear(message, to, going.signal),
    open,
    workspaceOf: turnSetting.workspaceOf,
    plan: delivery.planNotice,
    findThing: createFindThing({
      sessions,
      media,
      canonicalKey,
      channels: () => channelService,
      things: features.things,
      processes: () => hands.services.processes,
    }),
  });
  const { hub: channels, service: channelService, doors } = live;

  return {
    journal,
    sessions,
    sessionService,
    store,
    chat,
    channels,
    channelService,
    models,
    hub,
    lanes,
    inbound,
    sender,
    rules,
    hands: { ...hands.services, tools: toolService },
    pairing: doors.pairing,
    doors: doors.explain,
    workspaceOf: turnSetting.workspaceOf,
    mainSessionKey: (agentId = rules().defaultAgentId): string => mainKey(agentId),
    understands: () => understanding.status(defaultAgentId(config()), mainKey(defaultAgentId(config()))),
    agents: () => agentIds(config()).map((id) => resolveAgent(config(), id)),
    features,
    waker,
    tell,
    get accepting() {
      return state.accepting;
    },

    ...createAppRun({
      deps,
      parts: { hands, features, channels, lanes, housekeeping, delivery, sender, models },
      stores: { journal, sessions, settler, transcripts, store, understanding },
      inbound,
      texts,
      state,
      going,
    }),
  };
}
