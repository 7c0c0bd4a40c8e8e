/** Heartbeats: regular checks of agents whether anything needs a person, and wakes after events. */
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Host } from '../../host/host.ts';
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import type { Waker } from '../../host/wake.ts';
import { isAck } from '../../core/ack.ts';
import { createRunTick } from './run-tick.ts';
import { createTicks, type TickDeps, type Ticks } from './tick.ts';
import { createTickMemory } from './tick-memory.ts';
import { createTickReports, type TickReports } from './tick-reports.ts';
import { createRounds } from './tick-rounds.ts';
import type { LocalTime } from '../../core/time-line.ts';
import { createHeartbeatPlan, createZones, type HeartbeatPlan } from './heartbeat-plan.ts';
import { tickPolicy } from './tick-policy.ts';
import { createWakeAgent } from './wake-agent.ts';
import type { HeartbeatEvent } from './answers.ts';

/** What heartbeats act on. */
export interface HeartbeatDeps extends Pick<Host, 'runs' | 'inbox' | 'config'> {
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId' | 'entry' | 'resolve' | 'place' | 'prepareWorkspace'>;
  readonly sessions: Pick<Host['sessions'], 'mainKey' | 'canonicalKey' | 'get'>;
  readonly channels: Pick<Host['channels'], 'resolve' | 'channelId'>;
  /** Absolute path of what is remembered over restarts. */
  readonly path: string;
  /** IANA zone of this machine. */
  hostZone(): string;
  readonly clock: Clock;
  readonly log: Log;
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
  const ticks = ticksOf(deps, { plan, zones, now, isOn });
  const { sessionFor } = ticks;
  const reports = createTickReports({ memory, log, now, find: inbox.find, visibility: ticks.visibility });
  const localTime = (): LocalTime => ({ now: now(), zone: zones.userZone() });
  const isGoing = (): boolean => state.running && state.enabled;
  const runTick = createRunTick({ agents, inbox, runs, ticks, reports, log, localTime, isGoing });
  const rounds = createRounds({ plan, memory, zones, clock, isOn, runTick });
  const nudge = createWakeAgent({
    events: inbox.events,
    runs,
    find: inbox.find,
    isAgent: (id) => agents.ids().includes(id),
    sessionFor,
    tickIn: ticks.tickIn,
    skipped: ({ agentId, sessionKey }, reason) => reports.notify({ agentId, sessionKey, status: 'skipped', reason }),
    localTime,
  });
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
    policy: policyOf({ plan, ticks, reports }),

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
      await memory.close();
    },

    agents: () => agents.ids().map((agentId) => standingOf(agentId, { plan, rounds, sessionFor })),

    setEnabled(enabled) {
      state.enabled = enabled;
      rounds.replan();
    },
  };
}

function ticksOf(
  { config, log, sessions, channels }: HeartbeatDeps,
  rules: Pick<TickDeps, 'plan' | 'zones' | 'now' | 'isOn'>,
): Ticks {
  return createTicks({
    ...rules,
    config,
    log,
    mainSessionKey: sessions.mainKey,
    canonicalKey: sessions.canonicalKey,
    session: sessions.get,
    resolve: channels.resolve,
    channelId: channels.channelId,
  });
}

interface PolicyParts {
  readonly plan: HeartbeatPlan;
  readonly ticks: Ticks;
  readonly reports: TickReports;
}

const policyOf =
  ({ plan, ticks, reports }: PolicyParts): ReplyPolicy =>
  (turn, outcome, answer) => {
    const { replyTo, agentId, sessionKey } = turn.route;
    const rules = {
      ackMaxChars: plan.settingsFor(agentId).ackMaxChars,
      target: ticks.targetIn(agentId, sessionKey),
      visibility: ticks.visibility(replyTo),
    };
    const { decision, report: facts } = tickPolicy({ turn, outcome, answer, rules });
    reports.evaluated(turn.id, facts, replyTo);
    return decision;
  };

interface StandingParts {
  readonly plan: HeartbeatPlan;
  readonly rounds: Pick<ReturnType<typeof createRounds>, 'nextAt'>;
  sessionFor(agentId: string): string;
}

function standingOf(agentId: string, { plan, rounds, sessionFor }: StandingParts) {
  const { everyMs, target } = plan.settingsFor(agentId);
  return {
    agentId,
    everyMs: plan.tickingAgents().includes(agentId) ? everyMs : null,
    nextAtMs: rounds.nextAt(agentId),
    session: sessionFor(agentId),
    target,
  };
}
