/** The runs of turns as seen outside the pipeline: the list, events, and outcomes. */
import type { TurnOrigin } from '../core/trigger.ts';
import type { AgentEvent, TurnOutcome } from '../core/turn.ts';

/** Which run an event is of. */
export interface RunInfo {
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly origin: TurnOrigin;
}

/** A running run, as clients that connect now get it. */
export interface ActiveRun extends RunInfo {
  /** What was said so far. */
  readonly text: string;
  readonly queued: boolean;
  /** What understanding is at, until the agent begins. */
  readonly progress?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** A run that is over; times are milliseconds since the epoch. */
export interface EndedRun extends RunInfo {
  readonly outcome: TurnOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The runs of all sessions while they go on, and for a while after. */
export interface Runs {
  /** Every event of every run, in order. Returns how to stop. */
  subscribe(listener: (run: RunInfo, event: AgentEvent) => void): () => void;
  /** Reports every run once, when its message was admitted. Returns a function that stops it. */
  onAccepted(listener: (run: RunInfo) => void): () => void;
  /** Resolves when the run ends; undefined when it is not known in this run of the gateway. */
  whenEnded(runId: string): Promise<EndedRun> | undefined;
  isActive(runId: string): boolean;
  /** Those that have not ended, oldest first. */
  active(): readonly ActiveRun[];
}
