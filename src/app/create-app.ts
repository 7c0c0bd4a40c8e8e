/** Composition: configuration in, a running app out. Everything with a life is built here and handed to what needs it. */
import { join } from 'node:path';
import { agentIds, defaultAgentId, resolveAgent } from '../agent/resolve-agent.ts';
import { createModels } from '../agent/models/create-models.ts';
import { SUSPENDED } from '../agent/turn/run-turn.ts';
import { createSettler } from '../agent/turn/settle.ts';
import type { ConfigStore } from '../config/store.ts';
import type { Opening } from '../core/access-table.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import type { TargetRequest } from '../gateway/channel-services.ts';
import type { GatewayServices } from '../gateway/services.ts';
import { PRODUCT_LABEL } from '../core/product.ts';
import { canonicalSessionKey, mainSessionKey, type SessionKey } from '../core/session-key.ts';
import { createJournal } from '../journal/journal.ts';
import { wishOf, type ReadRules } from '../pipeline/commands/read-said.ts';
import type { InboundRow } from '../journal/rows.ts';
import { createPlaceRules } from '../pipeline/access/place-rules.ts';
import { saidOf } from '../pipeline/compose.ts';
import { createOutboxSender, type OutboxSenderDeps } from '../pipeline/delivery/outbox-sender.ts';
import { createInbound, type InboundDeps, type Waiting } from '../pipeline/inbound.ts';
import { reconcileTranscripts } from '../pipeline/reconcile.ts';
import type { RoutedChannel } from '../pipeline/routing/match.ts';
import { keyRules, type RoutingRules } from '../pipeline/routing/route.ts';
import { createRunHub } from '../pipeline/run-hub.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import { ensureDir, setMode, statIfExists } from '../platform/files.ts';
import { uuid } from '../platform/ids.ts';
import { createMachineZone } from '../platform/time-zone.ts';
import { closedFolders } from '../plugins/closed-folders.ts';
import { createPluginLoader } from '../plugins/load.ts';
import type { Config } from '../schema.ts';
import { createLanes } from '../sessions/lanes.ts';
import { queueSettings } from '../sessions/queue.ts';
import { maySend } from '../sessions/send-policy.ts';
import { createSessions } from '../sessions/sessions.ts';
import { createSessionStore } from '../sessions/store.ts';
import { storePath } from '../sessions/paths.ts';
import { remembered } from '../sessions/transcript-line.ts';
import { createTranscripts } from '../sessions/transcripts.ts';
import { createReachable } from './channels/channel-service.ts';
import { createChannels } from './channels/create-channels.ts';
import { createChannelDownload } from './channels/channel-download.ts';
import { createChatService } from './chat-service.ts';
import { createBashDesk } from './commands/bash-desk.ts';
import { compactNow, createCommandHost, turnRoom } from './command-host.ts';
import { createAppCron, jobFiles, type CronMoment } from './cron/create-app-cron.ts';
import { createCronJudge } from './cron/cron-judge.ts';
import { readRules } from './commands/read-rules.ts';
import { entryReader, senderEntry } from './commands/sender-entry.ts';
import { createContext } from './context-rules.ts';
import { createFailedNote } from './delivery/failed-note.ts';
import { createFindThing } from './doors/find-thing.ts';
import { createLiveDelivery } from './delivery/live-delivery.ts';
import { createReplyMedia } from './delivery/reply-media.ts';
import { createExchanges, type ExchangeMoment } from './exchange/create-exchanges.ts';
import { createApprovalNotice } from './hands/approval-notice.ts';
import { createCommandHands } from './hands/command-hands.ts';
import { receivedFolders } from './hands/own-files.ts';
import { createHands } from './hands/hands.ts';
import { createPictures } from './hands/pictures.ts';
import { createReaches, secretPaths } from './hands/reach.ts';
import { rightsKey } from './hands/rights-key.ts';
import { createHeartbeats } from './heartbeat/create-heartbeats.ts';
import { createHooks } from './hooks/create-hooks.ts';
import { createHousekeeping } from './housekeeping.ts';
import { keepVerdict } from '../pipeline/keep-verdict.ts';
import { joinJudges } from './judges.ts';
import { createMediaStore } from './media-store.ts';
import { createQuietNote } from './quiet-note.ts';
import { routingRules } from './routing-rules.ts';
import { createSessionService } from './session-service.ts';
import { createSessionFacts, statusText } from './status-card.ts';
import { createSystemEvents } from './system-events.ts';
import { linesOf } from './tools/cron-context.ts';
import { originsOf } from './tools/origins.ts';
import { createToolbox } from './tools/toolbox.ts';
import { createToolRpc } from './tools/tool-rpc.ts';
import { createToolService } from './tools/tool-service.ts';
import { createTurnSetting, modelOverride } from './turn-setting.ts';
import { createUnderstanding } from './understanding.ts';
import { createLazyUpdater } from './update/lazy-updater.ts';
import type { UnderstandingPartsDeps } from './understanding-parts.ts';
import { mostAtOnce } from './work-kinds.ts';
import { ownDescriptors, turnsWithin } from '../platform/descriptors.ts';

/** The named moments the crash tests kill the process at, and tracing listens to. */
export type Moment = CronMoment | ExchangeMoment | Parameters<InboundDeps['reached']>[0] | Parameters<InboundDeps['reachedInbound']>[0] | Parameters<OutboxSenderDeps['reached']>[0];

export interface AppDeps {
  readonly env: Env;
  readonly config: ConfigStore<Config>;
  readonly log: Log;
  readonly clock: Clock;
  readonly version: string;
  readonly docsPath: string;
  /** The installed package or checkout. */
  readonly root: string;
  /** DNS, for what messages link to; the system's when absent. */
  readonly resolve?: UnderstandingPartsDeps['resolve'];
  /** Absent: `/restart` cannot. */
  readonly requestRestart?: GatewayServices['requestRestart'];
  /** The port the gateway listens on, once it does. */
  ownPort?(): number | undefined;
  reached?(moment: Moment, runId: string): void;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** Sessions and keys live here: a folder made by somebody else is closed to others. */
async function privateDir(path: string): Promise<void> {
  await ensureDir(path);
  if (((await statIfExists(path))?.mode ?? 0) & 0o077) await setMode(path, 0o700);
}

/** Builds everything; nothing runs until `start`. */
export async function createApp(deps: AppDeps) {
  const { env, log, clock, version } = deps;
  const config = (): Config => deps.config.current();
  const now = (): number => clock.now();
  const reached = deps.reached ?? (() => {});
  await privateDir(env.stateDir).catch((error: unknown) => log.error('state.unwritable', { path: env.stateDir, error }));

  const open = (): readonly Opening[] => config().access.open;
  const ownFiles = (): readonly string[] => [deps.config.snapshot().path, ...jobFiles(config(), env)];
  const rules = (): RoutingRules => routingRules(config(), (id) => channelFacts.get(id));
  const journal = createJournal({ path: join(env.stateDir, 'journal.sqlite'), now, begins: (row) => sender.begins(row) });
  const store = createSessionStore({
    log, clock,
    path: (agentId) => storePath({ stateDir: env.stateDir, home: env.home, store: config().session.store }, agentId),
    redo: { ...journal.redo, record: (redo) => journal.redo.record(redo, { sync: false }) },
  });
  const turnsFit = turnsWithin(ownDescriptors());
  const transcripts = createTranscripts({ log, now, mostHeld: turnsFit });
  const sessions = createSessions({ store, transcripts, stateDir: env.stateDir, home: env.home, log, now, config: () => config().session, keyRules: () => keyRules(rules()) });
  const settler = createSettler({ journal, transcripts, log, clock });
  const hub = createRunHub({ now });

  const plugins = createPluginLoader({ config: config().plugins, log, home: env.home, packagesFrom: env.stateDir, closed: closedFolders(config(), env) });
  const describedChannels = await plugins.describeChannels();
  const channelPlugins = new Map(describedChannels.map((plugin) => [plugin.id, plugin]));
  const channelFacts = new Map([...channelPlugins].map(([id, { aliases, capabilities: { threadWord } }]): [string, RoutedChannel] => [id, { aliases, threadWord }]));
  const models = createModels({ config, env: env.vars, log, loadProvider: (id) => plugins.loadProvider(id), providerIds: () => plugins.ids('provider'), now: () => clock.monotonic() });
  const tools = await plugins.loadTools();
  const isDeliverable = (channel: string): boolean => channels.capabilities(channel)?.deliverable ?? false;
  const channelTargets = { plugins: () => channels.active(), accounts: (channel: string) => channels.accountIds(channel) };
  const toolbox = createToolbox({ config, tools, origins: await plugins.toolOrigins(), channelIds: await plugins.ids('channel'), channels: createReachable({ ...channelTargets, config: () => config().channels }), idForms: (channel) => describedChannels.find(({ id }) => id === channel)?.capabilities.ids });

  const media = createMediaStore(env.stateDir, now);
  const understanding = createUnderstanding({
    env, log, clock, version, media, models, config, root: deps.root,
    providerIds: () => plugins.ids('provider'),
    modelOverride: (key) => { const entry = sessions.peek(key); return entry && modelOverride(entry); },
    sessionId: (key) => sessions.peek(key)?.sessionId,
    isDeliverable,
    download: createChannelDownload({ connection: (address) => channels.connection(address), capabilities: (id) => channels.capabilities(id), clock }),
    ...(deps.resolve ? { resolve: deps.resolve } : {}),
  });

  const settingsOf = (key: string, channel: string) => queueSettings(config().messages, channel, sessions.peek(key));
  const facts = createSessionFacts({ sessions, models, decisions: (key) => journal.understanding.latest(key)?.media ?? [], lanes: () => lanes, queueMode: (key) => settingsOf(key, 'webchat').mode, elevatedDefault: () => config().agents.defaults.elevatedDefault, sandboxOf: (at) => hands.place(at).sandbox, version });
  const sender = createOutboxSender({ outbox: journal.outbox, connection: (address) => channels.connection(address), log, clock, reached, settled: (token) => delivery.settled(token), onFailed: createFailedNote({ sessions, log, now }) });
  const delivery = createLiveDelivery({
    clock, log, journal, hub, config, sender: () => sender, random: Math.random,
    capabilities: (channel) => channels.capabilities(channel), connection: (address) => channels.connection(address),
    session: (key) => sessions.peek(key), wished: (row) => wishOf(saidOf(row, rulesOf(row))).options ?? {}, placeOf: (turn) => ({ ...hands.place(turn.route), received: receivedFolders({ authority: turn.authority, sessionKey: turn.route.sessionKey }, media, config().access.open) }),
    media: createReplyMedia({ log, home: env.home, denied: () => secretPaths(env.stateDir, ownFiles()) }),
  });
  const common = { sessions, models, log, clock, config };
  const hands = createHands({
    env, log, clock, hub, config, keyRules: () => keyRules(rules()), inbound: () => inbound, entryOf: entryReader(describedChannels),
    sessionsKnown: () => Promise.all(agentIds(config()).map((id) => sessions.ready(mainSessionKey(id, keyRules(rules()))))),
    sessionExists: (key) => sessions.peek(key) !== undefined,
    hearsLater: (turnId) => {
      const row = journal.inbound.find(turnId);
      return row !== undefined && row.queue !== 'followup' && row.errand === undefined;
    },
    announce: createApprovalNotice({ journal, sender, log, isDeliverable, workspaceOf: ({ agentId, sessionKey }) => hands.place({ agentId, sessionKey }).shownAs, plan: (address, payload) => delivery.planNotice(address, payload) }),
  });
  const pictures = createPictures({ config, models, understanding, vars: env.vars, log });
  const reaches = createReaches({
    hands, pictures, config, fetchFile: understanding.fetch, media, agentWorkspaces: () => agentIds(config()).map((id) => turnSetting.workspaceOf(id)),
    home: env.home, stateDir: env.stateDir, docsPath: deps.docsPath, ownFiles,
  });
  const turnSetting = createTurnSetting({
    config, models, toolbox, reaches, session: sessions.get, place: hands.place, mayElevate: (whose) => hands.elevationOf(whose).allowed,
    describesPictures: pictures.available, replyTags: delivery.replyTags, home: env.home, stateDir: env.stateDir, docsPath: deps.docsPath,
  });
  const hostZone = createMachineZone();
  const mainKey = (agentId: string): SessionKey => mainSessionKey(agentId, keyRules(rules()));
  const canonicalKey = (raw: string): SessionKey => canonicalSessionKey(raw, keyRules(rules()));
  const target = (wish: TargetRequest): ChatAddress => channelService.resolve(wish);
  const writable = () => channels.active().filter(({ capabilities }) => capabilities.deliverable);
  const channelId = (name: string): string | undefined => writable().find(({ id, aliases = [] }) => id === name || aliases.includes(name))?.id;
  const restart: GatewayServices['requestRestart'] = deps.requestRestart ?? (() => { throw new AppError('unsupported', 'Nobody here restarts the gateway.'); });
  const updater = createLazyUpdater({ root: deps.root, env, clock, log, requestRestart: restart });
  const events = createSystemEvents({ inbound: () => inbound, now, tail: (key, limit) => sessionService.tail(key, limit), ended: (runId) => hub.whenEnded(runId) });
  const heartbeats = createHeartbeats({
    events, log, clock, hub, config, inbound: () => inbound, find: journal.inbound.find, place: hands.place, path: join(env.stateDir, 'heartbeat.json'), hostZone,
    mainSessionKey: mainKey, canonicalKey, session: sessions.get, resolve: target, channelId,
  });
  const exchanges = createExchanges({
    journal, hub, clock, log, channelId, reached, inbound: () => inbound, agentOf: sessions.agentOf,
    sessions: { get: sessions.get, patch: (key, patch) => sessionService.patch(key, patch), delete: (key, options) => sessionService.delete(key, options) },
    abort: (sessionKey) => chat.abort({ sessionKey }), archiveAfterMinutes: () => config().agents.defaults.subagents.archiveAfterMinutes,
  });
  const cron = createAppCron({
    env, log, clock, journal, sessions, models, config, heartbeats, canonicalKey, mainSessionKey: mainKey, channelId, isDeliverable, resolve: target,
    inbound: () => inbound, sender, chat: () => chat, tell, hostZone, reached,
  });
  const hooks = createHooks({
    journal, hub, log, sessions, rules, now, inbound: () => inbound, config: () => config().hooks, pickModel: (written) => models.pick(written),
    channelIds: () => writable().map(({ id }) => id), channelId, resolve: target, accepting: () => state.accepting,
    wake: heartbeats.nudge,
  });
  const toolRpc = createToolRpc({
    facts, models, keep: (run, verdict) => keepVerdict(journal, run, verdict), get sessions() { return sessionService; },
    messages: { channels: () => channelService, isDeliverable, config: () => config().tools.message, open },
    cron: {
      cron: () => cron, channels: () => channelService, isDeliverable, config: () => config().tools.message, open, mainSessionKey: mainKey, canonicalKey,
      defaultAgentId: () => rules().defaultAgentId, zone: () => config().agents.defaults.userTimezone ?? hostZone(),
      origins: async (key) => originsOf([(await sessions.get(key))?.spawnedBy], sessions.get),
      contextLines: async (key, count) => linesOf(await sessionService.tail(key, count * 4), count),
      wake: ({ sessionKey, ...wake }) => heartbeats.nudge({ ...wake, agentId: sessions.agentOf(sessionKey), sessionKey: sessionKey as SessionKey, id: `wake:${uuid()}`, reason: 'wake', ifSkipped: 'note' }),
    },
    gateway: { config: deps.config, now, canonicalKey, requestRestart: restart, update: updater },
    elsewhere: { config: () => config().gateway, ownPort: () => deps.ownPort?.() ?? config().gateway.port },
    talk: {
      get sessions() { return sessionService; }, exchanges, models, config, keyRules: () => keyRules(rules()), now,
      open, sandboxed: (at) => hands.place(at).sandbox !== undefined, transcriptPath: sessions.transcriptPath,
      messages: async (key) => { const session = await sessions.existing(key); return session && remembered(session.transcript.lines).flatMap((line) => (line.type === 'message' ? [line.message] : [])); },
    },
  });
  const rulesOf = ({ message: { address } }: Pick<InboundRow, 'message'>): ReadRules => readRules(config(), address, channels.capabilities(address.channel));
  const commands = createCommandHost({
    ...common, hands: createCommandHands({ hands, sessions, config }), lanes: () => lanes, inbound: () => inbound,
    store: deps.config, prepare: turnSetting.prepare, requestRestart: restart, stopChildren: exchanges.stopChildrenOf,
    subagents: (key) => exchanges.childrenOf(key).map(({ id, child, request, targetKey }) => ({ id, label: child?.label ?? request.replace(/\s+/g, ' ').slice(0, 60), agentId: sessions.agentOf(targetKey) })),
    skills: turnSetting.skillsOf, bash: createBashDesk({ models, sessions, toolbox, reaches, place: hands.place, going: () => going.signal }),
    channelIds: () => writable().map(({ id }) => id),
    senderEntry: (channel, entry) => senderEntry(channels.active().find(({ id }) => id === channel), entry),
    statusCard: async (key, whole) => statusText(await facts(key), PRODUCT_LABEL, now(), whole),
  });
  const placeRules = createPlaceRules();
  const context = createContext({
    config, plugin: (id) => channelPlugins.get(id), activationOf: (key) => sessions.peek(key)?.groupActivation,
    place: (message) => { const plugin = channelPlugins.get(message.address.channel); return plugin && placeRules(plugin, config().channels, message).rules; },
  });
  const texts: Pick<InboundDeps, 'rules' | 'context' | 'queueSettings'> = {
    context: context.rules,
    queueSettings: (row) => ({ ...settingsOf(row.route.sessionKey, row.route.replyTo.channel), ...(row.queue ? { mode: row.queue } : {}) }),
    rules: rulesOf,
  };
  const inbound = createInbound({
    journal, sessions, settler, log, clock, hub, sender, commands, understander: understanding,
    lanes: () => lanes,
    prepare: turnSetting.prepare,
    workspaceOf: turnSetting.workspaceOf,
    makeRoom: turnRoom(common),
    isDeliverable, rightsKey: (row) => rightsKey(row, config()),
    planReplies: delivery.plan, planNotice: delivery.planNotice,
    rpc: toolRpc,
    judge: joinJudges({ heartbeat: heartbeats.judge, session: exchanges.judge, cron: createCronJudge({ isAck: heartbeats.isAck }) }),
    ...texts,
    maySend: ({ route: { sessionKey } }) => maySend(config().session.sendPolicy, sessionKey, sessions.peek(sessionKey)),
    place: context.place, note: createQuietNote({ sessions, workspaceOf: turnSetting.workspaceOf }),
    reached, reachedInbound: reached,
  });
  const lanes = createLanes<Waiting>({ run: inbound.runLane, onDropped: inbound.onDropped, maxConcurrent: (kind) => mostAtOnce(kind, config(), turnsFit), log, clock });
  const sessionService = createSessionService({
    sessions, transcripts, lanes, inbound, rules, agentIds: () => agentIds(config()), count: (agentId) => store.count(agentId),
    compact: (key, instructions, going) => compactNow(key, instructions, going, common),
  });

  const toolService = createToolService({
    toolbox, config, models, sessions, rules, place: hands.place, pictures, reaches, log,
    rpc: toolRpc, tools, open, doors: () => doors.explain,
  });

  const state = { accepting: false };
  const going = new AbortController();
  let unfollow = (): void => {};
  let cronStarted = Promise.resolve();
  const chat = createChatService({ stopChildren: exchanges.stopChildrenOf, inbound, journal, lanes, hub, sessions, media, rules, sendPolicy: () => config().session.sendPolicy, accepting: () => state.accepting, now });

  const housekeeping = createHousekeeping({ journal, log, clock, sweep: async () => ((await journal.writable()) ? inbound.resume() : 0), pruneMedia: media.prune, restTranscripts: transcripts.rest });

  const { hub: channels, service: channelService, doors } = createChannels({
    env, log, clock, config: deps.config, journal, sessions, sender, media, rules, plugins: describedChannels,
    inbound: () => inbound, accepting: () => state.accepting, hear: (message, to) => understanding.hear(message, to, going.signal),
    fetchFile: understanding.fetch, workspaceOf: turnSetting.workspaceOf, plan: delivery.planNotice,
    findThing: createFindThing({ sessions, media, canonicalKey, channels: () => channelService, cron: () => cron, processes: () => hands.services.processes }),
  });

  /** Says something to a chat without a turn. With an id it is said once. Nobody waits for the channel: it may be away for hours. */
  async function tell(address: ChatAddress, { sessionKey, text, id = uuid() }: { readonly sessionKey: string; readonly text: string; readonly id?: string }): Promise<void> {
    const ids = await journal.outbox.post([{ token: `${id}:notice`, runId: id, sessionKey, address, payload: { kind: 'notice', text } }], []);
    for (const sent of ids) void sender.send(sent);
  }

  return {
    journal, sessions, sessionService, store, chat, channels, channelService, models, hub, lanes, inbound, sender, rules,
    hands: { ...hands.services, tools: toolService },
    pairing: doors.pairing, doors: doors.explain,
    workspaceOf: turnSetting.workspaceOf,
    mainSessionKey: (agentId?: string): string => mainSessionKey(agentId ?? rules().defaultAgentId, keyRules(rules())),
    understands: () => understanding.status(defaultAgentId(config()), mainSessionKey(defaultAgentId(config()), keyRules(rules()))),
    agents: () => agentIds(config()).map((id) => resolveAgent(config(), id)),
    cron, heartbeats, hooks, updater, tell,
    get accepting() { return state.accepting; },

    /** Takes up what an earlier life left behind, then takes new work. */
    async start(): Promise<void> {
      unfollow = deps.config.subscribe(() => {
        void channels.apply().catch((error: unknown) => log.error('channels.apply', { error }));
        heartbeats.configChanged();
        cron.configChanged();
      });
      await channels.start();
      const [turns, messages] = [await reconcileTranscripts({ journal, sessions, settler, log, ...texts }), await inbound.resume()];
      if (turns + messages > 0) log.info('app.resumed', { turns, messages });
      // Messages are answered all the same, whatever becomes of these.
      for (const [name, part] of Object.entries({ hands, exchanges, hooks, heartbeats })) await part.start().catch((error: unknown) => log.error(`${name}.start`, { error }));
      state.accepting = true; // not before: what came in an earlier life goes first (P3)
      housekeeping.start();
      cronStarted = cron.start().catch((error: unknown) => log.error('cron.start', { error })); // thousands of jobs take a second to read
      // Health and the Control UI say which model answers before anybody has written.
      void models.choose().catch((error: unknown) => log.warn('models.default', { error }));
    },

    /** Refuses new work and gives running turns `graceMs` to end; what still runs then goes on after the next start. */
    async close(graceMs: number): Promise<void> {
      state.accepting = false;
      going.abort();
      unfollow();
      const updated = Promise.resolve(updater[Symbol.asyncDispose]()); // half an update is gone back on, which takes its time
      await Promise.all([cron.close(), heartbeats.close(), exchanges.close(), cronStarted]).catch((error: unknown) => log.error('app.close', { error }));
      await lanes.suspend(SUSPENDED, graceMs);
      await hands.close().catch((error: unknown) => log.error('app.close', { error }));
      housekeeping.stop();
      delivery.close();
      await sender.close();
      await channels.close();
      const steps = [() => updated, () => understanding.close(), () => settler.close(), () => transcripts.close(), () => store.close(), () => journal.close()];
      for (const step of steps) await step().catch((error: unknown) => log.error('app.close', { error }));
    },
  };
}
