/**
 * Messages that get no turn: dropped in favour of others, or sending is off in their session. Each gets an end state.
 */
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { TurnDeps } from '../agent/turn/run-turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { Answers } from './answers.ts';
import { createFloods } from './floods.ts';
import type { LaneWork } from './turn-lanes.ts';
import { rowsOf } from './waiting.ts';

export interface Unanswered {
  /** They were displaced by others: each sender is notified. */
  readonly dropped: LaneWork['onDropped'];
  blocked(row: InboundRow): void;
}

export function createUnanswered(
  { journal, log, clock }: Pick<TurnDeps, 'journal' | 'log' | 'clock'>,
  { answers, end }: { readonly answers: Pick<Answers, 'notify'>; end(runId: string, outcome: TurnOutcome): void },
): Unanswered {
  const floods = createFloods({
    clock,
    notify: (rows, text) =>
      void answers
        .notify(rows, { text }, { state: 'declined', reason: 'overflow' })
        .catch((error: unknown) => log.error('inbound.dropped', { error })),
  });

  return {
    dropped(items, reason) {
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
    },
    blocked(row) {
      const message = 'Nothing is sent in this session: its send policy is deny.';
      void journal.inbound.end([row.seq], { state: 'declined', reason: 'send blocked by session policy' }).then(
        () => end(row.runId, { kind: 'failed', code: 'denied', message, usage: noUsage }),
        (error: unknown) => log.error('inbound.blocked', { runId: row.runId, error }),
      );
    },
  };
}
