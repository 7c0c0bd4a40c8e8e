/** The gateway around a feature, as the features see it: every capability of the kernel behind one interface. */
import type { Models } from '../agent/models/create-models.ts';
import { agentEntry, agentIds, defaultAgentId, resolveAgent } from '../agent/resolve-agent.ts';
import { prepareWorkspace } from '../agent/workspace/prepare-workspace.ts';
import { canonicalSessionKey, mainSessionKey, type KeyRules } from '../core/session-key.ts';
import type { SessionService } from '../host/session-service.ts';
import type { ChatService } from '../host/chat.ts';
import type { Host, HostAgents, HostChannels, HostGateway } from '../host/host.ts';
import type { Receive } from '../host/receive.ts';
import type { Runs } from '../host/runs.ts';
import type { SystemEvents } from '../host/system-events.ts';
import type { Waker } from '../host/wake.ts';
import type { Journal } from '../journal/journal.ts';
import type { Config } from '../schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppDeps, Moment } from './app-deps.ts';
import { createFindSessions } from '../tool-methods/sessions/finder-of-turn.ts';

export interface HostParts {
  readonly deps: AppDeps;
  readonly journal: Journal;
  readonly hub: Runs;
  readonly sessions: Pick<Sessions, 'get' | 'discard' | 'agentOf'>;
  readonly models: Pick<Models, 'list' | 'pick' | 'choose'>;
  readonly place: HostAgents['place'];
  readonly channels: HostChannels;
  readonly events: SystemEvents;
  readonly late: LateParts;
  readonly gateway: Pick<HostGateway, 'publish' | 'accepting' | 'closing' | 'requestRestart'>;
  /** IANA zone of this machine. */
  zone(): string;
  keyRules(): KeyRules;
}

/** What is built after the features, which call it no sooner than they are started. */
export interface LateParts {
  readonly receive: Receive;
  chat(): ChatService;
  sessionService(): SessionService;
  waker(): Waker;
}

export function createHost({ deps, journal, hub, sessions, models, late, keyRules, ...parts }: HostParts): Host {
  const { env, log, clock, version, root, startedAt } = deps;
  const config = (): Config => deps.config.current();
  return {
    machine: { env, log, clock, version, root, zone: parts.zone },
    config: {
      current: config,
      slice: <T>(key: string): T => (config() as unknown as Readonly<Record<string, T>>)[key]!,
      store: deps.config,
    },
    journal,
    inbox: { receive: late.receive, find: (runId) => journal.inbound.find(runId), events: parts.events },
    runs: hub,
    chat: lateChat(late.chat),
    sessions: {
      get: sessions.get,
      tail: (key, limit) => late.sessionService().tail(key, limit),
      patch: (key, patch) => late.sessionService().patch(key, patch),
      list: (filter) => late.sessionService().list(filter),
      delete: (key, options) => late.sessionService().delete(key, options),
      discard: sessions.discard,
      finder: createFindSessions({
        config,
        keyRules,
        open: () => config().access.open,
        sandboxed: (at) => parts.place(at).sandbox !== undefined,
        sessions: { get: sessions.get, list: (filter) => late.sessionService().list(filter) },
      }),
      agentOf: sessions.agentOf,
      mainKey: (agentId = defaultAgentId(config())) => mainSessionKey(agentId, keyRules()),
      keyRules,
      canonicalKey: (raw) => canonicalSessionKey(raw, keyRules()),
    },
    agents: {
      ids: () => agentIds(config()),
      defaultId: () => defaultAgentId(config()),
      resolve: (id) => resolveAgent(config(), id),
      entry: (id) => agentEntry(config(), id),
      place: parts.place,
      prepareWorkspace: async (folder) => void (await prepareWorkspace(folder)),
      models: () => models.list(),
      pickModel: (written) => models.pick(written),
      chooseModel: (agentId, written) => models.choose(agentId, written),
    },
    channels: parts.channels,
    waker: {
      nudge: (request) => late.waker().nudge(request),
      wake: (request) => late.waker().wake(request),
      isAck: (text, agentId) => late.waker().isAck(text, agentId),
    },
    gateway: {
      ...parts.gateway,
      startedAt,
      checkpoint: (name, id) => deps.reached?.(name as Moment, id),
    },
  };
}

const lateChat = (chat: () => ChatService): ChatService => ({
  send: (request) => chat().send(request),
  wait: (...args) => chat().wait(...args),
  subscribe: (listener) => chat().subscribe(listener),
  abort: (request) => chat().abort(request),
  inject: (request) => chat().inject(request),
  history: (request) => chat().history(request),
  file: (...args) => chat().file(...args),
  active: (sessionKey) => chat().active(sessionKey),
  timeline: (runId) => chat().timeline(runId),
});
