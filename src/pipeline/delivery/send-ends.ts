/** The final states of an outbox row: delivered, failed or withdrawn. */
import type { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { OutboxRows, OutgoingRow, SendOutcome } from './outbox-rows.ts';
import type { SendTally } from './send-counts.ts';

export interface SendEndsDeps {
  readonly outbox: Pick<OutboxRows, 'sent' | 'failed'>;
  readonly log: Log;
  checkpoint(point: 'send.acknowledged', runId: string): void;
  /** A message was given up; the person does not see it. */
  onFailed?(row: OutgoingRow, error: AppError): void;
}

/** Each writes the end down and tells it; rejects only when the journal cannot be written. */
export interface SendEnds {
  taken(row: OutgoingRow, messageIds: readonly string[]): Promise<SendOutcome>;
  giveUp(row: OutgoingRow, error: AppError): Promise<SendOutcome>;
  withdraw(row: OutgoingRow): Promise<SendOutcome>;
}

export function createSendEnds(deps: SendEndsDeps, tally: SendTally): SendEnds {
  return {
    async taken(row, messageIds) {
      await deps.outbox.sent(row.id, messageIds);
      tally.add(row.address, 'sent');
      deps.checkpoint('send.acknowledged', row.runId);
      return { status: 'sent', messageIds };
    },
    async giveUp(row, error) {
      await deps.outbox.failed(row.id, error.message);
      tally.add(row.address, 'failed');
      deps.log.error('outbox.failed', { id: row.id, runId: row.runId, channel: row.address.channel, error });
      if (row.payload.kind !== 'interim') deps.onFailed?.(row, error);
      return { status: 'failed', error: error.message };
    },
    async withdraw(row) {
      const error = 'It was replaced by the finished answer.';
      await deps.outbox.failed(row.id, error);
      return { status: 'failed', error };
    },
  };
}
