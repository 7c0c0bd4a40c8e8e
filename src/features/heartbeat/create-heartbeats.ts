/**
 * Heartbeats: agents that look by themselves whether anything needs a person, and agents that are woken because
 * something happened.
 */
import { gatewayAuthority } from '../../core/authority.ts';
import { asAppError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Host } from '../../host/host.ts';
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import { systemMessage } from '../../host/system-events.ts';
import type { Waker } from '../../host/wake.ts';
import { isAck } from '../../core/ack.ts';
import { createTicks, type Tick, type TickDeps } from './tick.ts';
import { createTickMemory } from './tick-memory.ts';
import { createTickReports } from './tick-reports.ts';
import { createRounds, type Due, type TickResult } from './tick-rounds.ts';
import type { LocalTime } from '../../core/time-line.ts';
import { tickText } from './tick-text.ts';
import { createHeartbeatFile, type HeartbeatFile } from './heartbeat-file.ts';
import { createHeartbeatPlan, createZones } from './heartbeat-plan.ts';
import { tickPolicy } from './tick-policy.ts';
import { createWakeAgent } from './wake-agent.ts';
import type { HeartbeatEvent } from './answers.ts';

export interface HeartbeatDeps
  extends Pick<Host, 'runs' | 'inbox' | 'config'>,
    Pick<TickDeps, 'mainSessionKey' | 'canonicalKey' | 'resolve' | 'channelId' | 'session' | 'log'> {
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId' | 'entry' | 'resolve' | 'place' | 'prepareWorkspace'>;
  /** Absolute path of what is remembered over restarts. */
  readonly path: string;
  /** IANA zone of this machine. */
  hostZone(): string;
  readonly clock: Clock;
}

export interface Heartbeats extends Waker {
  /** Takes up what was planned; what was missed meanwhile is made up for once. */
  start(): Promise<void>;
  close(): Promise<void>;
  configChanged(): void;
  /** For turns whose trigger is a heartbeat. */
  readonly policy: ReplyPolicy;
  /** Those that look by themselves. */
  ticks(agentId: string): boolean;
  /** How the last tick went, of one agent or of whichever looked last. */
  last(agentId?: string): HeartbeatEvent | undefined;
  /** Per agent: its period and when it looks next, milliseconds since the epoch. */
  agents(): readonly {
    readonly agentId: string;
    readonly everyMs: number | null;
    readonly nextAtMs: number | null;
    readonly session: string;
    readonly target: string;
  }[];
  readonly enabled: boolean;
  /** Until the next start. */
  setEnabled(enabled: boolean): void;
  subscribe(listener: (report: HeartbeatEvent) => void): () => void;
}

export function createHeartbeats(deps: HeartbeatDeps): Heartbeats {
  const { clock, log, runs, agents, inbox } = deps;
  const plan = createHeartbeatPlan(deps);
  const state = { enabled: true, running: false };
  const now = (): number => clock.now();
  const isOn = (): boolean => state.enabled;
  const memory = createTickMemory({ path: deps.path, log });
  const zones = createZones(deps);
  const { tickIn, sessionFor, targetIn, visibility } = createTicks({ ...deps, plan, zones, now, isOn });
  const reports = createTickReports({ memory, log, now, find: inbox.find, visibility });
  const rounds = createRounds({
    plan,
    memory,
    zones,
    clock,
    isOn,
    runTick: (agentId, due) => runTick(agentId, due).catch((error: unknown) => failedTick(agentId, error)),
  });
  const localTime = (): LocalTime => ({ now: now(), zone: zones.userZone() });
  const skipped = ({ agentId, sessionKey }: Pick<Tick, 'agentId' | 'sessionKey'>, reason: string): void =>
    reports.notify({ agentId, sessionKey, status: 'skipped', reason });
  const nudge = createWakeAgent({
    events: inbox.events,
    runs,
    find: inbox.find,
    isAgent: (id) => agents.ids().includes(id),
    sessionFor,
    tickIn,
    skipped,
    localTime,
  });
  const isBusy = (sessionKey: string): boolean => runs.active().some((run) => run.sessionKey === sessionKey);
  const readFile = createHeartbeatFile(agents.prepareWorkspace);

  /** The gates in their order; whatever has to be looked up comes last. */
  async function runTick(agentId: string, due: Due): Promise<TickResult> {
    const tick = await tickIn(agentId, sessionFor(agentId));
    const { sessionKey, skip } = tick;
    if (skip) return passed(tick, skip);
    if (isBusy(sessionKey)) return busy(tick, due);
    const [file, events] = await Promise.all([fileOf(tick), inbox.events.pending(sessionKey)]);
    if (file.empty && !events) return passed(tick, { reason: 'empty-heartbeat-file' });
    if (!state.running || !state.enabled) return { kind: 'off' };
    if (isBusy(sessionKey)) return busy(tick, due);
    await begin(tick, { due, file, events });
    return { kind: 'handled' };
  }

  function passed(
    tick: Tick,
    { reason, retryAtMs }: { readonly reason: string; readonly retryAtMs?: number },
  ): TickResult {
    skipped(tick, reason);
    return { kind: 'handled', nextAtMs: retryAtMs };
  }

  /** Said once for each planned moment, however long the conversation goes on. */
  function busy(tick: Tick, { again }: Due): TickResult {
    if (!again) skipped(tick, 'requests-in-flight');
    return { kind: 'busy' };
  }

  /** A fault in one tick is reported; the next one comes at its time. */
  function failedTick(agentId: string, error: unknown): TickResult {
    log.error('heartbeat.look', { agentId, error });
    reports.notify({
      agentId,
      sessionKey: sessionFor(agentId),
      status: 'failed',
      reason: 'interval',
      preview: asAppError(error).message,
    });
    return { kind: 'handled' };
  }

  function fileOf({ agentId, sessionKey }: Tick): Promise<HeartbeatFile> {
    const { skipBootstrap, bootstrapMaxChars } = agents.resolve(agentId);
    const { agentWorkspace: dir, sandbox } = agents.place({ agentId, sessionKey });
    return readFile({
      dir,
      starterFiles: !skipBootstrap,
      confined: sandbox !== undefined,
      maxChars: bootstrapMaxChars,
    });
  }

  /** The planned moment is its id: after a crash it is not begun a second time. */
  async function begin(
    { agentId, sessionKey, replyTo, options, settings }: Tick,
    { due, file, events }: { readonly due: Due; readonly file: HeartbeatFile; readonly events: boolean },
  ): Promise<void> {
    const id = `heartbeat:${agentId}:${due.at}`;
    const text = tickText({ prompt: settings.prompt, file: file.text, events, ...localTime() });
    await inbox.receive(
      systemMessage({
        id,
        agentId,
        sessionKey,
        replyTo,
        text,
        now: now(),
        options,
        authority: gatewayAuthority({ agentId, sessionKey, address: replyTo }),
        trigger: { origin: 'heartbeat', reason: events ? 'event' : 'interval' },
      }),
      id,
    );
  }

  // From the beginning: turns of an earlier run end before the first tick of this one.
  const leave = runs.subscribe((run, event) => {
    if (event.type !== 'ended') return;
    if (run.origin === 'heartbeat') reports.ended(run, event.outcome);
    rounds.silent((agentId) => sessionFor(agentId) === run.sessionKey);
  });

  return {
    nudge,
    wake: async (request) => (await nudge(request)).ended,
    last: reports.last,
    subscribe: reports.subscribe,
    configChanged: rounds.replan,
    ticks: (agentId) => plan.tickingAgents().includes(agentId),
    isAck: (text, agentId) => isAck(text, plan.settingsFor(agentId).ackMaxChars),
    get enabled() {
      return state.enabled;
    },

    policy(turn, outcome, answer) {
      const { replyTo, agentId, sessionKey } = turn.route;
      const rules = {
        ackMaxChars: plan.settingsFor(agentId).ackMaxChars,
        target: targetIn(agentId, sessionKey),
        visibility: visibility(replyTo),
      };
      const { decision, report: told } = tickPolicy({ turn, outcome, answer, rules });
      reports.evaluated(turn.id, told, replyTo);
      return decision;
    },

    async start() {
      await memory.load();
      state.running = true;
      rounds.start();
    },

    async close() {
      state.running = false;
      rounds.close();
      leave();
      await reports.settled();
      await memory.settled();
    },

    agents: () =>
      agents.ids().map((agentId) => {
        const { everyMs, target } = plan.settingsFor(agentId);
        return {
          agentId,
          everyMs: plan.tickingAgents().includes(agentId) ? everyMs : null,
          nextAtMs: rounds.nextAt(agentId),
          session: sessionFor(agentId),
          target,
        };
      }),

    setEnabled(enabled) {
      state.enabled = enabled;
      rounds.replan();
    },
  };
}
