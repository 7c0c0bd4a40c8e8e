/** The interface of exec: a shell for turns, approvals and processes for people. */
import type { Log } from '../../core/log.ts';
import { isSubagentKey } from '../../core/session-key.ts';
import type { Host } from '../../host/host.ts';
import { createSystemEvents, type SystemEvents } from '../../host/system-events.ts';
import type { ToolEnvironment, ToolRequester } from '../../host/tool-environment.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { listDir } from '../../platform/files.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { createApprovalNotice } from './approvals/approval-notice.ts';
import { createPending, type Pending } from './approvals/pending.ts';
import { createWaitingCommands, type WaitingCommands } from './approvals/waiting-commands.ts';
import { execAgent, type ExecConfiguration } from './configuration.ts';
import { execSettings, type ExecSettings } from './exec-settings.ts';
import type { ProcessOwner } from './processes/process-spec.ts';
import type { ExecParts } from './exec-parts.ts';
import type { ProcessService } from './exec-service.ts';
import { createExecServices } from './exec-services.ts';
import { placeOf, processFolder, waitingFolder, type PlaceDeps } from './place.ts';
import { createExitNotices } from './processes/exit-notices.ts';
import { createShellOf } from './shell-of.ts';
import { listFor } from './elevated.ts';
import { elevationOf } from './elevation.ts';

export interface ExecDeps extends Pick<Host, 'inbox' | 'runs' | 'agents' | 'sessions' | 'channels'> {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  config(): ExecConfiguration;
}

export function createExec(deps: ExecDeps) {
  const { env, log, clock, agents, sessions, channels } = deps;
  const going = new AbortController();
  const pending = createPending({ clock, log });
  const events = createSystemEvents({ receive: deps.inbox.receive, now: () => clock.now() });
  const waiting = createWaitingCommands({ dir: waitingFolder(env.stateDir), events, log, closing: going.signal });
  const places: PlaceDeps = {
    config: deps.config,
    agents,
    mainKey: sessions.mainKey,
    home: env.home,
    stateDir: env.stateDir,
  };
  const { parts, watch } = createLazyParts(deps, { pending, waiting, events, places, going: going.signal });
  const elevated = () => ({ config: deps.config(), agents, entryOf: channels.senderEntry });
  const services = createExecServices({
    pending,
    places,
    defaultAgentId: agents.defaultId,
    load: parts.get,
    isLoaded: () => parts.begun !== undefined,
    watch,
  });
  const environment: ToolEnvironment = {
    place: (at) => placeOf(at, places),
    shellOf: createShellOf({
      parts: parts.get,
      config: deps.config,
      agents,
      elevation: (whose, isRequested) => elevationOf(whose, isRequested, elevated()),
      mayWait: async ({ id, route }) => !isSubagentKey(route.sessionKey) && (await isNotifiedLater(deps, id)),
    }),
    elevationOf: (whose) => elevationOf(whose, true, elevated()),
    permitElsewhere: async ({ turn, entry }, command, watch) =>
      (await parts.get()).permitElsewhere({
        owner: ownerOf(turn),
        settings: settingsOf({ turn, entry }, deps),
        command,
        watch,
      }),
    usualElevation: () => deps.config().agents.defaults.elevatedDefault,
    distinguishesSenders: (channel) => channel in deps.config().tools.elevated.allowFrom,
    approvals: {
      list: () => pending.list(),
      resolve: (...answer) => pending.resolve(...answer),
      approversOf: (channel) => listFor(deps.config().tools.exec.approvers, channel),
    },
  };
  return {
    services,
    environment,

    /** Takes up the questions and processes an earlier run of the gateway left behind. */
    async start(): Promise<void> {
      if ((await listDir(waitingFolder(env.stateDir))).length > 0) await sessionsKnown(deps).then(waiting.resume);
      if ((await listDir(processFolder(env.stateDir))).length === 0) return;
      await sessionsKnown(deps);
      const { running, endedMeanwhile, killed } = await (await parts.get()).registry.attach();
      log.info('processes.attached', { running, endedMeanwhile, killed });
    },

    /** Background work goes on without us. */
    async suspend(): Promise<void> {
      going.abort();
      await (await parts.begun)?.registry.suspend();
    },
  };
}

interface LazyPartsDeps {
  readonly pending: Pending;
  readonly waiting: WaitingCommands;
  readonly events: SystemEvents;
  readonly places: PlaceDeps;
  readonly going: AbortSignal;
}

/** What commands are made of, built when the first one is asked for; `watch`: told of every process from then on. */
function createLazyParts(deps: ExecDeps, { pending, waiting, events, places, going }: LazyPartsDeps) {
  const { env, log, clock, agents, sessions, channels } = deps;
  const watchers = new Set<Parameters<ProcessService['subscribe']>[0]>();
  const readers = new Set<Parameters<ProcessService['onOutput']>[0]>();
  const announce = createApprovalNotice({ channels, log, workspaceOf: (owner) => placeOf(owner, places).shownAs });
  const notices = createExitNotices({ runs: deps.runs, events, settings: () => deps.config().tools.exec });
  const build = async (): Promise<ExecParts> => {
    const { createExecParts } = await import('./exec-parts.ts');
    const built = createExecParts({
      env,
      log,
      clock,
      pending,
      cleanupMs: () => deps.config().tools.exec.cleanupMs,
      ownerExists: ({ agentId, sessionKey }) =>
        agents.ids().includes(agentId) && sessions.peek(sessionKey) !== undefined,
      onExit: (ended) => notices(ended, going),
      announce,
      waiting,
    });
    built.registry.subscribe((view) => {
      for (const watcher of watchers) watcher(view);
    });
    built.registry.onOutput((id, view) => {
      for (const reader of readers) reader(id, view);
    });
    return built;
  };
  const parts = loadOnce(build);
  const watch: Pick<ProcessService, 'subscribe' | 'onOutput'> = {
    subscribe(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    onOutput(reader) {
      readers.add(reader);
      return () => void readers.delete(reader);
    },
  };
  return { parts, watch };
}

const ownerOf = ({ id, route, authority }: ToolRequester['turn']): ProcessOwner => ({
  agentId: route.agentId,
  sessionKey: route.sessionKey,
  replyTo: route.replyTo,
  turnId: id,
  callId: 'elsewhere',
  authority,
});

/** As for a command here. */
const settingsOf = (
  { turn, entry }: Pick<ToolRequester, 'turn' | 'entry'>,
  { config, agents }: ExecDeps,
): ExecSettings =>
  execSettings(config().tools.exec, execAgent(agents, turn.route.agentId)?.tools?.exec, {
    ...entry?.exec,
    ...turn.options?.exec,
  });

/** Resolves when `peek` knows every session. */
const sessionsKnown = ({ agents, sessions }: Pick<ExecDeps, 'agents' | 'sessions'>): Promise<unknown> =>
  Promise.all(agents.ids().map((id) => sessions.get(sessions.mainKey(id))));

/** Whoever wrote the message of this turn reads on in its conversation; a program waits for the one answer. */
async function isNotifiedLater({ inbox }: Pick<ExecDeps, 'inbox'>, turnId: string): Promise<boolean> {
  const row = await inbox.find(turnId);
  return row !== undefined && row.queue !== 'followup' && row.trigger === undefined;
}
