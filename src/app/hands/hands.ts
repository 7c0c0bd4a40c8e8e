/** The agent's hands as the rest of the app knows them: commands for turns, approvals and processes for people. */
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import { agentEntry, agentIds } from '../../agent/resolve-agent.ts';
import type { AccessConfig } from '../../config/access-config.ts';
import type { ApprovalRequest } from '../../core/approval.ts';
import type { Log } from '../../core/log.ts';
import { isSubagentKey, type KeyRules } from '../../core/session-key.ts';
import type { Shell } from '../../core/shell.ts';
import type { Elevation } from '../../features/exec/elevated.ts';
import { execSettings } from '../../features/exec/exec-settings.ts';
import { createPending } from '../../features/exec/approvals/pending.ts';
import type { ProcessOwner } from '../../features/exec/processes/process-spec.ts';
import type { ProcessService } from '../../gateway/services.ts';
import type { MessageInbox } from '../../pipeline/inbox.ts';
import type { RunHub } from '../../pipeline/run-hub.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { listDir } from '../../platform/files.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { createSystemEvents } from '../../host/system-events.ts';
import { createExitNotices } from './exit-notices.ts';
import type { HandsParts } from './hands-parts.ts';
import { createHandsServices } from './hands-services.ts';
import { lazyShell } from './lazy-shell.ts';
import { handsPlace, processFolder, waitingFolder, type HandsPlace } from './place.ts';
import { createWaitingCommands } from './waiting-commands.ts';
import { elevationOf, type ElevationFacts, type Whose } from './whose.ts';

export interface HandsDeps {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly hub: RunHub;
  config(): {
    readonly agents: AgentsConfig;
    readonly tools: ToolsConfig;
    readonly access: AccessConfig;
    readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  keyRules(): KeyRules;
  readonly entryOf?: ElevationFacts['entryOf'];
  readonly inbox: Pick<MessageInbox, 'receive'>;
  /** Resolves when `sessionExists` knows every session. */
  sessionsKnown(): Promise<unknown>;
  sessionExists(key: string): boolean;
  /** Whoever wrote the message of this turn reads on in its conversation; a program waits for the one answer. */
  hearsLater(turnId: string): boolean;
  /** Tells a chat on a channel that something waits for approval. */
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
}

/** What the commands of a turn need besides. */
export interface HandsOf extends Whose {
  readonly readableRoots: readonly string[];
  readonly writesEverywhere: boolean;
  readonly deniedPaths: readonly string[];
  readonly sealedPaths: readonly string[];
  readonly mayBackground: boolean;
}

export type Hands = ReturnType<typeof createHands>;

export function createHands(deps: HandsDeps) {
  const { env, log, clock } = deps;
  const pending = createPending({ clock, log });
  const going = new AbortController();
  const watchers = new Set<Parameters<ProcessService['subscribe']>[0]>();

  const build = async (): Promise<HandsParts> => {
    const { createHandsParts } = await import('./hands-parts.ts');
    const built = createHandsParts({
      env,
      log,
      clock,
      pending,
      cleanupMs: () => deps.config().tools.exec.cleanupMs,
      ownerExists: ({ agentId, sessionKey }) =>
        agentIds(deps.config()).includes(agentId) && deps.sessionExists(sessionKey),
      onExit: (ended) => notices(ended, going.signal),
      announce: deps.announce,
      waiting,
    });
    built.registry.subscribe((view) => {
      for (const watcher of watchers) watcher(view);
    });
    return built;
  };
  const parts = loadOnce(build);
  const notices = createExitNotices({
    hub: deps.hub,
    inbox: deps.inbox,
    now: () => clock.now(),
    told: async (id) => (await parts.get()).registry.told(id),
    settings: () => deps.config().tools.exec,
  });
  const waiting = createWaitingCommands({
    dir: waitingFolder(env.stateDir),
    events: createSystemEvents({
      receive: (accepted, runId) => deps.inbox.receive(accepted, runId),
      now: () => clock.now(),
    }),
    log,
    closing: going.signal,
  });
  const places = { config: deps.config, keyRules: deps.keyRules, home: env.home, stateDir: env.stateDir };
  const place = (at: { readonly agentId: string; readonly sessionKey: string }): HandsPlace => handsPlace(at, places);

  function shellOf(whose: HandsOf, callId: string): Shell {
    const {
      turn,
      place: { workspace, sandbox },
      readableRoots,
      writesEverywhere,
      deniedPaths,
      sealedPaths,
      mayBackground,
    } = whose;
    const { agentId, sessionKey, replyTo } = turn.route;
    const config = deps.config();
    return lazyShell(async () =>
      (await parts.get()).shell({
        owner: { agentId, sessionKey, replyTo, turnId: turn.id, callId, authority: turn.authority },
        settings: execSettings(config.tools.exec, agentEntry(config, agentId)?.tools?.exec, {
          ...whose.entry?.exec,
          ...turn.options?.exec,
        }),
        workspace,
        sandbox,
        readableRoots,
        writesEverywhere,
        deniedPaths,
        sealedPaths,
        mayBackground,
        open: config.access.open,
        mayWait: !isSubagentKey(sessionKey) && deps.hearsLater(turn.id),
        elevation: (asked) => elevationOf(whose, asked, { config: deps.config(), entryOf: deps.entryOf }),
      }),
    );
  }

  const services = createHandsServices({
    pending,
    places,
    load: parts.get,
    isLoaded: () => parts.begun !== undefined,
    watchProcesses(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
  });

  return {
    services,
    place,
    shellOf,
    pending,

    /** What asking for `elevated` would come to. */
    elevationOf: (whose: Whose): Elevation =>
      elevationOf(whose, true, { config: deps.config(), entryOf: deps.entryOf }),

    /** Takes up the questions and processes an earlier life of the gateway left behind. */
    async start(): Promise<void> {
      if ((await listDir(waitingFolder(env.stateDir))).length > 0) await deps.sessionsKnown().then(waiting.resume);
      if ((await listDir(processFolder(env.stateDir))).length === 0) return;
      await deps.sessionsKnown();
      const { running, endedMeanwhile, killed } = await (await parts.get()).registry.attach();
      log.info('processes.attached', { running, endedMeanwhile, killed });
    },

    /** Background work goes on without us. */
    async close(): Promise<void> {
      going.abort();
      await (await parts.begun)?.registry.suspend();
    },
  };
}
