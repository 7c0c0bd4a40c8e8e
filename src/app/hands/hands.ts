/** The agent's hands as the rest of the app knows them: commands for turns, approvals and processes for people. */
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import { agentEntry, agentIds, defaultAgentId } from '../../agent/resolve-agent.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../core/approval.ts';
import type { Log } from '../../core/log.ts';
import { mainSessionKey, parseSessionKey, type KeyRules } from '../../core/session-key.ts';
import type { Shell } from '../../core/shell.ts';
import type { Turn } from '../../core/turn.ts';
import { elevation, type Elevation } from '../../exec/elevated.ts';
import { execSettings } from '../../exec/exec-settings.ts';
import { createPending } from '../../exec/approvals/pending.ts';
import type { ProcessOwner } from '../../exec/processes/process-spec.ts';
import type { ElevatedLevel } from '../../config/exec-config.ts';
import type { GatewayServices, ProcessService } from '../../gateway/services.ts';
import type { Inbound } from '../../pipeline/inbound.ts';
import type { RunHub } from '../../pipeline/run-hub.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { listDir } from '../../platform/files.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { createExitNotices } from './exit-notices.ts';
import type { HandsParts } from './hands-parts.ts';
import { lazyShell } from './lazy-shell.ts';
import { handsPlace, processFolder, sandboxQuestion, type HandsPlace } from './place.ts';

export interface HandsDeps {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly hub: RunHub;
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig; readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  keyRules(): KeyRules;
  inbound(): Inbound;
  /** Resolves when `sessionExists` knows every session. */
  sessionsKnown(): Promise<unknown>;
  sessionExists(key: string): boolean;
  /** Tells a chat on a channel that something waits for approval. */
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
}

/** Whose hands: one turn, or a person's own call. */
export interface HandsOf {
  readonly turn: Pick<Turn, 'id' | 'route' | 'senders' | 'rights'> & { readonly options?: Pick<Turn['options'], 'elevated'> };
  readonly entry: Pick<SessionEntry, 'elevatedLevel'> | undefined;
  readonly place: HandsPlace;
  readonly readableRoots: readonly string[];
  readonly deniedPaths: readonly string[];
  readonly mayBackground: boolean;
}

export type Hands = ReturnType<typeof createHands>;

export function createHands(deps: HandsDeps) {
  const { env, log, clock } = deps;
  const pending = createPending({ clock, log });
  const going = new AbortController();
  const watchers = new Set<Parameters<ProcessService['subscribe']>[0]>();
  let parts: Promise<HandsParts> | undefined;

  const build = async (): Promise<HandsParts> => {
    const { createHandsParts } = await import('./hands-parts.ts');
    const built = createHandsParts({
      env, log, clock, pending,
      cleanupMs: () => deps.config().tools.exec.cleanupMs,
      ownerExists: ({ agentId, sessionKey }) => agentIds(deps.config()).includes(agentId) && deps.sessionExists(sessionKey),
      onExit: (ended) => notices(ended, going.signal),
      announce: deps.announce,
    });
    built.registry.subscribe((view) => { for (const watcher of watchers) watcher(view); });
    return built;
  };
  const load = (): Promise<HandsParts> => {
    if (parts) return parts;
    const loading = (parts = build());
    loading.catch(() => { parts = undefined; }); // the caller sees the error; the next command tries again
    return loading;
  };
  const notices = createExitNotices({
    hub: deps.hub, inbound: deps.inbound, now: () => clock.now(),
    told: async (id) => (await load()).registry.told(id), settings: () => deps.config().tools.exec,
  });
  const places = { config: deps.config, keyRules: deps.keyRules, home: env.home, stateDir: env.stateDir };
  const place = (at: { readonly agentId: string; readonly sessionKey: string }): HandsPlace => handsPlace(at, places);

  /** What `elevated` means for the people behind a turn: their own word, the message's, the session's, the configured default. */
  function elevationOf({ turn, entry, place: at }: HandsOf, asked: boolean | undefined): Elevation {
    const config = deps.config();
    const level: ElevatedLevel = turn.options?.elevated ?? entry?.elevatedLevel ?? config.agents.defaults.elevatedDefault;
    const own = agentEntry(config, turn.route.agentId)?.tools?.elevated;
    const { channel } = turn.route.replyTo;
    return elevation({
      config: config.tools.elevated, ...(own ? { agent: own } : {}), agentId: turn.route.agentId, level, asked, channel, senders: turn.senders ?? [], operator: turn.rights?.includes('elevate') === true,
      sandboxed: at.sandbox !== undefined, sessionKey: turn.route.sessionKey,
    });
  }

  function shellOf(whose: HandsOf, callId: string): Shell {
    const { turn, place: at } = whose;
    const { agentId, sessionKey, replyTo } = turn.route;
    const config = deps.config();
    return lazyShell(async () => (await load()).shell({
      owner: { agentId, sessionKey, replyTo, turnId: turn.id, callId },
      settings: execSettings(config.tools.exec, agentEntry(config, agentId)?.tools?.exec),
      workspace: at.workspace, readableRoots: whose.readableRoots, deniedPaths: whose.deniedPaths, sandbox: at.sandbox, mayBackground: whose.mayBackground,
      elevation: (asked) => elevationOf(whose, asked),
    }));
  }

  const services: Pick<GatewayServices, 'approvals' | 'processes' | 'explainSandbox'> = {
    approvals: {
      ask: (question, options) => pending.ask(question, options),
      find: (id) => pending.find(id),
      pending: () => pending.list(),
      resolve: async (id, decision, by) => pending.resolve(id, decision, by),
      subscribe: (listener) => pending.subscribe(listener),
      file: async () => (await load()).file.snapshot(),
      setFile: async (file, baseHash) => (await load()).file.replace(file, baseHash),
    },
    processes: {
      list: async (agentId) => (parts ? (await load()).registry.list(agentId) : []),
      async of(id) {
        if (!parts) return undefined;
        const { registry } = await load();
        return (await registry.list()).some((view) => view.sessionId === id) ? registry.of(undefined) : undefined;
      },
      subscribe(listener) {
        watchers.add(listener);
        return () => void watchers.delete(listener);
      },
    },
    async explainSandbox({ agentId, sessionKey }) {
      const id = agentId ?? (sessionKey === undefined ? undefined : parseSessionKey(sessionKey)?.agentId) ?? defaultAgentId(deps.config());
      return (await load()).sandboxes.explain(sandboxQuestion({ agentId: id, sessionKey: sessionKey ?? mainSessionKey(id, deps.keyRules()) }, places));
    },
  };

  return {
    services, place, shellOf, elevationOf, pending,

    mayElevate: (turn: Turn, entry: SessionEntry, at: HandsPlace): boolean => elevationOf({ turn, entry, place: at, readableRoots: [], deniedPaths: [], mayBackground: false }, true).allowed,

    resolve: (id: string, decision: ApprovalDecision, by: string) => pending.resolve(id, decision, by),

    /** Takes up the processes an earlier life of the gateway left behind. */
    async start(): Promise<void> {
      if ((await listDir(processFolder(env.stateDir))).length === 0) return;
      await deps.sessionsKnown();
      const { running, endedMeanwhile, killed } = await (await load()).registry.attach();
      log.info('processes.attached', { running, endedMeanwhile, killed });
    },

    /** Background work goes on without us. */
    async close(): Promise<void> {
      going.abort();
      if (parts) await (await parts).registry.suspend();
    },
  };
}

