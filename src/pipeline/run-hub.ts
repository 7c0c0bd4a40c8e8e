/** Who listens to runs: every event of every run, in order, and how each one ended. */
import { setNewest } from '../core/bounded-map.ts';
import type { AgentEvent, TurnOutcome } from '../core/turn.ts';
import type { ActiveRun, EndedRun, RunInfo } from '../host/runs.ts';
import type { InboundRow } from '../journal/rows.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type RunHub = ReturnType<typeof createRunHub>;

/** `remember`: how many ended runs are kept in memory; older ones are read from the journal. */
export function createRunHub({ now, remember = 1000 }: { now: () => number; remember?: number }) {
  const listeners = new Set<(run: RunInfo, event: AgentEvent) => void>();
  const welcomes = new Set<(run: RunInfo, row?: InboundRow) => void>();
  const active = new Map<string, Mutable<ActiveRun>>();
  const ended = new Map<string, EndedRun>();
  const waiters = new Map<string, Set<(run: EndedRun) => void>>();

  function finish(run: ActiveRun, outcome: TurnOutcome): void {
    active.delete(run.runId);
    const { runId, sessionKey, agentId, origin, startedAt } = run;
    const over: EndedRun = { runId, sessionKey, agentId, origin, startedAt, outcome, endedAt: now() };
    setNewest(ended, runId, over, remember);
    const waiting = waiters.get(runId);
    waiters.delete(runId);
    waiting?.forEach((resolve) => resolve(over));
  }

  return {
    /** `row`: its message, for those who show something of the run before it ends. */
    accepted(run: RunInfo, row?: InboundRow): void {
      if (active.has(run.runId)) return;
      active.set(run.runId, { ...run, text: '', queued: true, startedAt: now() });
      for (const welcome of welcomes) welcome(run, row);
    },

    emit(runId: string, event: AgentEvent): void {
      const run = active.get(runId);
      if (!run) return; // it has ended: `ended` comes once
      if (event.type === 'started' || event.type === 'understanding') run.queued = false;
      if (event.type === 'understanding') run.progress = event.text;
      if (event.type === 'started') delete run.progress;
      if (event.type === 'text') run.text += event.delta;
      if (event.type === 'message') run.text = '';
      if (event.type === 'ended') finish(run, event.outcome);
      for (const listener of listeners) listener(run, event);
    },

    subscribe(listener: (run: RunInfo, event: AgentEvent) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Reports every run once, when its message was admitted. */
    onAccepted(listener: (run: RunInfo, row?: InboundRow) => void): () => void {
      welcomes.add(listener);
      return () => void welcomes.delete(listener);
    },

    /** Resolves when the run ends; undefined when it is not known here. */
    whenEnded(runId: string): Promise<EndedRun> | undefined {
      const over = ended.get(runId);
      if (over) return Promise.resolve(over);
      if (!active.has(runId)) return undefined;
      return new Promise((resolve) => {
        const waiting = waiters.get(runId) ?? new Set();
        waiters.set(runId, waiting.add(resolve));
      });
    },

    isActive: (runId: string): boolean => active.has(runId),
    active: (): readonly ActiveRun[] => [...active.values()],
    get size(): number {
      return active.size;
    },
  };
}
