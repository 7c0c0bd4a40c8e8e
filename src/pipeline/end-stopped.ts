/** Records an end state for messages that `/stop` removed from a queue. */
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { Journal } from '../journal/journal.ts';
import type { RunHub } from './run-hub.ts';
import type { Waiting } from './turn-lanes.ts';

export interface EndStoppedDeps {
  readonly journal: Pick<Journal, 'turns'>;
  readonly hub: Pick<RunHub, 'emit'>;
}

/** Resolves when each has its end on disk. */
export type EndStopped = (items: readonly Waiting[]) => Promise<void>;

export function createEndStopped({ journal, hub }: EndStoppedDeps): EndStopped {
  return async (items) => {
    if (items.length === 0) return;
    const seqs = items.map(({ row }) => row.seq);
    const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
    const ended = await journal.turns.stop(seqs, { reason: 'stopped', outcome });
    for (const { runId } of ended) hub.emit(runId, { type: 'ended', outcome });
  };
}
