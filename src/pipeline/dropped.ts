/** Messages that gave way to others: each sender is told, each row gets its end. */
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { TurnDeps } from '../agent/turn/run-turn.ts';
import type { Answers } from './answers.ts';
import { createFloods } from './floods.ts';
import type { LaneWork } from './turn-lanes.ts';
import { rowsOf } from './waiting.ts';

export function createDropped(
  { journal, log, clock }: Pick<TurnDeps, 'journal' | 'log' | 'clock'>,
  { answers, end }: { readonly answers: Pick<Answers, 'notify'>; end(runId: string, outcome: TurnOutcome): void },
): LaneWork['onDropped'] {
  const floods = createFloods({
    clock,
    notify: (rows, text) =>
      void answers
        .notify(rows, text, { state: 'declined', reason: 'overflow' })
        .catch((error: unknown) => log.error('inbound.dropped', { error })),
  });

  return (items, reason) => {
    const rows = rowsOf(items);
    if (reason === 'overflow' && rows.every(({ trigger }) => !trigger)) return floods.add(rows);
    const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
    journal.inbound
      .end(
        rows.map((row) => row.seq),
        { state: 'declined', reason },
      )
      .then(
        () => rows.forEach((row) => end(row.runId, outcome)),
        (error: unknown) => log.error('inbound.dropped', { reason, error }),
      );
  };
}
