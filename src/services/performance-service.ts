/** Measures the last hour: turns and their slowest steps, commits and syncs, the event loop. */
import type { HourReading } from '../core/hour-histogram.ts';
import { present } from '../core/present.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow, Stage } from '../journal/rows.ts';
import type { Clock } from '../platform/clock.ts';
import type { EventLoopWatch, LoopHour } from '../platform/event-loop.ts';

const HOUR_MS = 3_600_000;
/** Of a busy hour the newest; their timelines are read one by one. */
const MAX_MESSAGES = 200;
const MAX_SLOWEST = 10;

export interface PerformanceDeps {
  readonly journal: Pick<Journal, 'inbound' | 'timeline' | 'pace'>;
  readonly eventLoop: EventLoopWatch;
  readonly clock: Pick<Clock, 'now'>;
}

/** What is known of the last hour; times in milliseconds. The wire's `performance` says what each means. */
export interface PerformanceReport {
  /** The time of the oldest message that was examined. */
  readonly sinceMs: number;
  readonly messages: number;
  /** From the acceptance of a message to its end. */
  readonly answers: { readonly count: number; readonly p50Ms: number; readonly p95Ms: number };
  readonly eventLoop: LoopHour;
  readonly commits: HourReading;
  readonly syncs: HourReading;
  /** Slowest first. */
  readonly slowest: readonly SlowStep[];
}

/** A step of a message that took time by itself. */
export interface SlowStep {
  readonly stage: string;
  readonly at: number;
  readonly ms: number;
  readonly detail?: string;
  readonly runId: string;
  readonly sessionKey: string;
}

/** Answers `performance`. */
export function createPerformanceReport({ journal, eventLoop, clock }: PerformanceDeps) {
  return async (): Promise<PerformanceReport> => {
    const now = clock.now();
    const messages = (await journal.inbound.recent({ limit: MAX_MESSAGES })).filter(
      ({ acceptedAt }) => acceptedAt >= now - HOUR_MS,
    );
    const steps: SlowStep[] = [];
    for (const message of messages) steps.push(...stepsOf(message, (await journal.timeline(message.runId)) ?? []));
    const took = messages.flatMap(({ endedAt, acceptedAt }) => (endedAt === undefined ? [] : [endedAt - acceptedAt]));
    return {
      sinceMs: messages.length < MAX_MESSAGES ? now - HOUR_MS : messages.at(-1)!.acceptedAt,
      messages: messages.length,
      answers: { count: took.length, p50Ms: percentile(took, 0.5), p95Ms: percentile(took, 0.95) },
      eventLoop: eventLoop.lastHour(),
      ...journal.pace(),
      slowest: steps.toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SLOWEST),
    };
  };
}

/** What took time by itself; the stage that ends a message spans all the others. */
const stepsOf = (message: InboundRow, stages: readonly Stage[]): readonly SlowStep[] =>
  stages.flatMap(({ stage, at, ms, detail }) => {
    if (ms === undefined || stage === message.state) return [];
    // Until a turn started, its message waited.
    const named = stage === 'started' ? { stage: 'queued' } : { stage, detail };
    return [present({ ...named, at, ms, runId: message.runId, sessionKey: message.route.sessionKey })];
  });

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
