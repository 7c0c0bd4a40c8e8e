/** Reports the results of heartbeats, once each when its turn has ended. */
import { createKeyedQueue } from '../../platform/keyed-queue.ts';
import type { Visibility } from './visibility.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import { isSuspended } from '../../host/wake-end.ts';
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { RunInfo } from '../../host/runs.ts';
import type { TickMemory } from './tick-memory.ts';
import type { TickDecision } from './tick-policy.ts';

export interface TickReportsDeps {
  readonly memory: TickMemory;
  readonly log: Log;
  now(): number;
  /** The row of a run, as it is in the journal. */
  find(runId: string): Promise<InboundRow | undefined>;
  visibility(address: ChatAddress): Visibility;
}

interface Evaluated {
  readonly report: TickDecision['report'];
  readonly replyTo: ChatAddress;
}

export type TickReports = ReturnType<typeof createTickReports>;

export function createTickReports({ memory, log, now, find, visibility }: TickReportsDeps) {
  const listeners = new Set<(report: HeartbeatReport) => void>();
  const evaluations = new Map<string, Evaluated>();
  const queue = createKeyedQueue();

  function notify(facts: Omit<HeartbeatReport, 'ts'>): void {
    const report: HeartbeatReport = { ts: now(), ...facts };
    memory.put(report.agentId, { last: report });
    log.info(
      'heartbeat',
      present({ agentId: report.agentId, status: report.status, reason: report.reason, durationMs: report.durationMs }),
    );
    for (const listener of listeners) listener(report);
  }

  async function report(
    { runId, agentId, sessionKey }: RunInfo,
    { outcome, evaluation }: { readonly outcome: TurnOutcome; readonly evaluation: Evaluated | undefined },
  ): Promise<void> {
    const row = await readable(runId, find, log);
    const head = present({ agentId, sessionKey, durationMs: row ? Math.max(0, now() - row.acceptedAt) : undefined });
    if (!evaluation) return notify({ ...head, ...unevaluated(row, outcome) });
    const { report: facts, replyTo } = evaluation;
    notify({
      ...head,
      ...facts,
      channel: replyTo.channel,
      to: replyTo.chat.id,
      indicator: visibility(replyTo).useIndicator,
    });
  }

  return {
    notify,
    evaluated: (runId: string, report: TickDecision['report'], replyTo: ChatAddress): void =>
      void evaluations.set(runId, { report, replyTo }),

    /** The turn of a heartbeat has ended. Reported once the journal told of its message, in the order of the ends. */
    ended(run: RunInfo, outcome: TurnOutcome): void {
      const evaluation = evaluations.get(run.runId);
      evaluations.delete(run.runId);
      if (isSuspended(outcome)) return;
      void queue
        .run('', () => report(run, { outcome, evaluation }))
        .catch((error: unknown) => log.error('heartbeat.report', { runId: run.runId, error }));
    },

    /** Every end that was told of is reported. */
    settled: (): Promise<void> => queue.idle(),

    subscribe(listener: (report: HeartbeatReport) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    last(agentId?: string): HeartbeatReport | undefined {
      return memory
        .reports()
        .filter((one) => agentId === undefined || one.agentId === agentId)
        .toSorted((a, b) => a.ts - b.ts)
        .at(-1);
    },
  };
}

/** A journal that cannot be read costs a report its details, and the others who listen to the run nothing. */
async function readable(runId: string, find: TickReportsDeps['find'], log: Log): Promise<InboundRow | undefined> {
  try {
    return await find(runId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn('heartbeat.unread', { runId, error });
    return undefined;
  }
}

/** A turn nobody evaluated was never begun, or could not be written down. */
function unevaluated(
  row: InboundRow | undefined,
  outcome: TurnOutcome,
): Pick<HeartbeatReport, 'status' | 'reason' | 'preview'> {
  if (outcome.kind === 'failed') return { status: 'failed', reason: outcome.code, preview: outcome.message };
  return { status: 'skipped', reason: row?.reason ?? 'declined' };
}
