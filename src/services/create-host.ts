/** The gateway around a feature, as the features see it: every capability of the kernel behind one interface. */
import type { Models } from '../agent/models/create-models.ts';
import { agentEntry, agentIds, defaultAgentId, resolveAgent } from '../agent/resolve-agent.ts';
import { prepareWorkspace } from '../agent/workspace/prepare-workspace.ts';
import { canonicalSessionKey, mainSessionKey, type KeyRules } from '../core/session-key.ts';
import type { ChatService } from '../host/chat.ts';
import type {
  Host,
  HostAgents,
  HostChannels,
  HostConfig,
  HostGateway,
  HostSessions,
  HostUnderstanding,
  Machine,
} from '../host/host.ts';
import type { Inbox } from '../host/inbox.ts';
import type { Runs } from '../host/runs.ts';
import type { SessionService } from '../host/session-service.ts';
import type { ToolEnvironment } from '../host/tool-environment.ts';
import type { Waker } from '../host/wake.ts';
import type { Journal } from '../journal/journal.ts';
import type { Config } from '../schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createFindSessions } from '../tool-methods/sessions/finder-of-turn.ts';

export interface HostDeps {
  readonly machine: Machine;
  readonly store: HostConfig['store'];
  readonly journal: Journal;
  readonly inbox: Pick<Inbox, 'receive' | 'events'>;
  readonly runs: Runs;
  readonly chat: ChatService;
  readonly sessions: {
    readonly store: Pick<Sessions, 'get' | 'peek' | 'discard' | 'agentOf'>;
    readonly service: SessionService;
    keyRules(): KeyRules;
  };
  readonly agents: {
    readonly models: Pick<Models, 'list' | 'pick' | 'choose' | 'vendors' | 'tryOut'>;
    readonly place: HostAgents['place'];
    readonly permitElsewhere: ToolEnvironment['permitElsewhere'];
  };
  readonly channels: HostChannels;
  readonly waker: Waker;
  readonly understanding: HostUnderstanding;
  readonly gateway: HostGateway;
}

export function createHost(deps: HostDeps): Host {
  const { machine, store, journal, inbox, runs, chat, channels, waker, understanding, gateway } = deps;
  const config = (): Config => store.current();
  return {
    machine,
    config: {
      current: config,
      slice: <T>(key: string): T => (config() as unknown as Readonly<Record<string, T>>)[key]!,
      store,
    },
    journal,
    inbox: { ...inbox, find: (runId) => journal.inbound.find(runId) },
    runs,
    chat,
    sessions: sessionsOf(deps, config),
    agents: agentsOf(deps, config),
    channels,
    waker,
    understanding,
    gateway,
  };
}

function sessionsOf({ sessions, agents: { place } }: HostDeps, config: () => Config): HostSessions {
  const { store, service, keyRules } = sessions;
  return {
    get: store.get,
    peek: store.peek,
    tail: service.tail,
    patch: service.patch,
    list: service.list,
    delete: service.delete,
    discard: store.discard,
    finder: createFindSessions({
      config,
      keyRules,
      open: () => config().access.open,
      boxOf: (at) => place(at).sandbox,
      sessions: { get: store.get, list: service.list },
    }),
    agentOf: store.agentOf,
    mainKey: (agentId = defaultAgentId(config())) => mainSessionKey(agentId, keyRules()),
    keyRules,
    canonicalKey: (raw) => canonicalSessionKey(raw, keyRules()),
  };
}

function agentsOf(
  { agents: { models, place, permitElsewhere }, sessions }: HostDeps,
  config: () => Config,
): HostAgents {
  return {
    ids: () => agentIds(config()),
    defaultId: () => defaultAgentId(config()),
    resolve: (id) => resolveAgent(config(), id),
    entry: (id) => agentEntry(config(), id),
    place,
    permitElsewhere: async (turn, command, watch) =>
      permitElsewhere({ turn, entry: await sessions.store.get(turn.route.sessionKey) }, command, watch),
    prepareWorkspace: async (folder) => void (await prepareWorkspace(folder)),
    models: () => models.list(),
    vendors: models.vendors,
    tryModel: models.tryOut,
    pickModel: (written) => models.pick(written),
    chooseModel: (agentId, written) => models.choose(agentId, written),
  };
}
