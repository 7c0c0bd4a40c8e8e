/**
 * Collects the facts for `health`, `status` and the ready probe: from memory, and the storage state from the journal.
 */
import type { Models } from '../agent/models/create-models.ts';
import type { ConfigStore } from '../config/store.ts';
import { asAppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { OVERDUE_MS } from '../journal/housekeeping.ts';
import type { Journal } from '../journal/journal.ts';
import type { TurnLanes } from '../pipeline/turn-lanes.ts';
import type { Clock } from '../platform/clock.ts';
import type { EventLoopWatch } from '../platform/event-loop.ts';
import { createPerformanceReport } from './performance-service.ts';

/** Where in its run the gateway is. */
export interface Progress {
  readonly startedAt: number;
  accepting(): boolean;
  phase(): 'starting' | 'ready' | 'draining';
}

export interface GatewayStatusDeps {
  readonly progress: Progress;
  readonly config: Pick<ConfigStore<unknown>, 'snapshot'>;
  readonly lanes: Pick<TurnLanes, 'snapshot' | 'running'>;
  readonly models: Pick<Models, 'describe'>;
  readonly sessions: { readonly loaded: number };
  readonly eventLoop: EventLoopWatch;
  readonly journal: Pick<Journal, 'inbound' | 'outbox' | 'health' | 'timeline' | 'pace'>;
  readonly clock: Pick<Clock, 'now'>;
}

export function createGatewayStatus(deps: GatewayStatusDeps) {
  const { progress, lanes, journal } = deps;
  return {
    status() {
      const { valid, source, safeMode, issues } = deps.config.snapshot();
      const { provider, model, source: chosenBy } = deps.models.describe();
      return {
        accepting: progress.accepting(),
        phase: progress.phase(),
        startedAt: progress.startedAt,
        sessions: deps.sessions.loaded,
        activeTurns: lanes.running,
        queuedMessages: lanes.snapshot().reduce((sum, lane) => sum + lane.waiting.length, 0),
        config: { valid, source, safeMode, issues },
        eventLoop: deps.eventLoop.read(),
        rssBytes: process.memoryUsage.rss(),
        model: { provider, model, source: chosenBy },
      };
    },
    performance: createPerformanceReport(deps),
    async storage() {
      const { failure, loss } = await journal.health();
      const counts = await countOpen(journal, deps.clock.now());
      const failed = failure ?? counts.failure;
      return {
        outboxPending: counts.outboxPending,
        overdue: counts.overdue,
        storage: failed ? { ok: false, error: failed.message } : present({ ok: true, loss }),
      };
    },
  };
}

/** A journal that cannot be read, as while it is begun anew, is a state that is told and no failure of who asks. */
async function countOpen(
  { inbound, outbox }: Pick<Journal, 'inbound' | 'outbox'>,
  now: number,
): Promise<{ readonly outboxPending: number; readonly overdue: number; readonly failure?: Error }> {
  try {
    return { outboxPending: await outbox.pending(), overdue: await inbound.overdue(now - OVERDUE_MS) };
  } catch (error) {
    return { outboxPending: 0, overdue: 0, failure: asAppError(error) };
  }
}
