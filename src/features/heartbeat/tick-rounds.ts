/** Schedules the ticks of agents: planned ahead, kept across restarts, never two ticks of one agent at once. */
import type { Clock, Timer } from '../../platform/clock.ts';
import { afterTick, plannedTick } from './next-tick.ts';
import type { TickMemory } from './tick-memory.ts';
import type { HeartbeatPlan, Zones } from './heartbeat-plan.ts';

/**
 * `handled`: this moment is dealt with; `nextAtMs`: when quiet hours end, from which the grid goes on. `busy`: the
 * conversation
 * is in use, and the tick is made up for as soon as it is silent. `off`: nobody is to look any more; the moment stays
 * planned.
 */
export type TickResult =
  | { readonly kind: 'handled'; readonly nextAtMs?: number | undefined }
  | { readonly kind: 'busy' }
  | { readonly kind: 'off' };

export interface Due {
  /** The planned moment, milliseconds since the epoch: the same however often it is tried. */
  readonly at: number;
  /** It was tried before, and the conversation was in use. */
  readonly again: boolean;
}

export interface RoundsDeps {
  readonly plan: HeartbeatPlan;
  readonly memory: TickMemory;
  readonly zones: Zones;
  readonly clock: Clock;
  isOn(): boolean;
  /** Never rejects. */
  runTick(agentId: string, due: Due): Promise<TickResult>;
}

/** The timer is set anew at least so often: a clock that was set or a machine that slept is noticed. */
const MAX_WAIT_MS = 60_000;
/** After the turn that was in the way: another one may follow at once. */
const RETRY_MS = 1000;

export function createRounds({ plan, memory, zones, clock, isOn, runTick }: RoundsDeps) {
  const ticking = new Set<string>();
  /** Agents whose conversation is in use; the value: when to try again, once that is known. */
  const waiting = new Map<string, number | undefined>();
  const state: { timer: Timer | undefined; closed: boolean } = { timer: undefined, closed: true };
  const agents = (): readonly string[] => (isOn() ? plan.tickingAgents() : []);

  function planned(agentId: string): number {
    const settings = plan.settingsFor(agentId);
    const [everyMs, now, { nextAtMs }] = [settings.everyMs!, clock.now(), memory.get(agentId)];
    const isFar = nextAtMs !== undefined && nextAtMs > now + everyMs;
    const at = plannedTick(nextAtMs, { everyMs, now, opening: isFar ? zones.quietUntil(settings, now) : undefined });
    if (at !== nextAtMs) memory.put(agentId, { nextAtMs: at });
    return at;
  }

  function arm(): void {
    if (state.closed) return;
    const times = agents()
      .filter((id) => !ticking.has(id))
      .map((id) => (waiting.has(id) ? (waiting.get(id) ?? Infinity) : planned(id)));
    state.timer?.cancel();
    state.timer = clock
      .setTimeout(round, Math.max(0, Math.min(MAX_WAIT_MS, ...times.map((at) => at - clock.now()))))
      .unref();
  }

  function round(): void {
    for (const agentId of agents()) {
      const at = planned(agentId);
      if (at <= clock.now() && !ticking.has(agentId)) void runDue(agentId, { at, again: waiting.has(agentId) });
    }
    arm();
  }

  async function runDue(agentId: string, due: Due): Promise<void> {
    ticking.add(agentId);
    const result = await runTick(agentId, due);
    ticking.delete(agentId);
    waiting.delete(agentId);
    if (result.kind === 'busy') waiting.set(agentId, undefined);
    const { everyMs } = plan.settingsFor(agentId);
    if (result.kind === 'handled' && everyMs !== null)
      memory.put(agentId, { nextAtMs: result.nextAtMs ?? afterTick(due.at, { everyMs, now: clock.now() }) });
    arm();
  }

  return {
    start(): void {
      state.closed = false;
      arm();
    },
    close(): void {
      state.closed = true;
      state.timer?.cancel();
    },
    /** Settings changed: what is planned is looked at anew. */
    replan: arm,
    /** A conversation may have fallen silent: those that waited for it try again. */
    silent(isTheirs: (agentId: string) => boolean): void {
      const due = [...waiting.keys()].filter(isTheirs);
      for (const agentId of due) waiting.set(agentId, clock.now() + RETRY_MS);
      if (due.length > 0) arm();
    },
    /** Null: this agent does not look by itself, or nobody does for now. */
    nextAt: (agentId: string): number | null => (!state.closed && agents().includes(agentId) ? planned(agentId) : null),
  };
}
