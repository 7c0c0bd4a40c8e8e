/** Gives messages their end that were removed from a queue by a stop. */
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { Journal } from '../journal/journal.ts';
import type { RunHub } from './run-hub.ts';
import type { Waiting } from './turn-lanes.ts';

export interface EndStoppedDeps {
  readonly journal: Pick<Journal, 'endInbound' | 'inbound' | 'turns'>;
  readonly hub: Pick<RunHub, 'emit'>;
}

/** Resolves when each has its end on disk. */
export type EndStopped = (items: readonly Waiting[]) => Promise<void>;

export function createEndStopped({ journal, hub }: EndStoppedDeps): EndStopped {
  return async (items) => {
    if (items.length === 0) return;
    const rows = items.map(({ row }) => row);
    // A turn of an earlier run that was to go on ends with all its messages.
    const begun = [...new Set(rows.flatMap((row) => row.turnId ?? []))]
      .map((turnId) => ({ turnId, members: journal.inbound.ofTurn(turnId) }))
      .filter(({ members }) => members.every((row) => row.steered || rows.some(({ seq }) => seq === row.seq)));
    const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
    const stopped = { state: 'declined', reason: 'stopped' } as const;
    await Promise.all([
      journal.endInbound(
        rows.map((row) => row.seq),
        stopped,
      ),
      ...begun.map(({ turnId, members }) =>
        journal.turns.end(
          { turnId, outcome, inbound: stopped, replies: [] },
          members.map((row) => row.seq),
        ),
      ),
    ]);
    for (const row of [...rows, ...begun.flatMap(({ members }) => members)])
      hub.emit(row.runId, { type: 'ended', outcome });
  };
}
