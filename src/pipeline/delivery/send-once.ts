/** One attempt at an outbox row: edits the preview into the answer, or sends the message. */
import { AppError, asAppError } from '../../core/errors.ts';
import type { OutboundMessage } from '../../core/reply.ts';
import type { LeavingPreviews } from './leaving-previews.ts';
import type { OutboxRows, OutgoingRow, SendOutcome } from './outbox-rows.ts';
import type { SendEnds } from './send-ends.ts';
import type { LiveConnection } from './send-lines.ts';

export interface SendOnceDeps {
  readonly outbox: Pick<OutboxRows, 'byToken' | 'sending'>;
  checkpoint(point: 'send.before' | 'send.after', runId: string): void;
  /** Previews that somebody else may still change. Absent: there are none. */
  readonly previews?: Pick<LeavingPreviews, 'settled'>;
}

/** What the platform did, or the error it gave; rejects only when the journal cannot be written. */
export type SendOnce = (row: OutgoingRow, live: LiveConnection, begun: boolean) => Promise<SendOutcome | AppError>;

export function createSendOnce(deps: SendOnceDeps, ends: SendEnds): SendOnce {
  /**
   * The preview becomes the answer. The same edit twice is one: nothing about it is uncertain. Undefined: it has to be
   * sent.
   */
  async function editPreview(
    row: OutgoingRow,
    { connection }: LiveConnection,
  ): Promise<SendOutcome | AppError | undefined> {
    const { replaces } = row.payload;
    if (replaces === undefined || row.state !== 'pending') return undefined; // an earlier run sent it
    const messageId = (await deps.outbox.byToken(replaces))?.messageIds?.[0];
    if (messageId === undefined || !connection.edit) return undefined;
    await deps.previews?.settled(replaces);
    deps.checkpoint('send.before', row.runId);
    const done = await answerOf(async () => connection.edit!(row.address, messageId, outbound(row)));
    if (done instanceof AppError)
      return done.retryable
        ? new AppError('unavailable', done.message, { cause: done, retryAfterMs: done.retryAfterMs })
        : undefined;
    deps.checkpoint('send.after', row.runId);
    return ends.taken(row, [messageId]);
  }

  return async (row, live, begun) => {
    const edited = await editPreview(row, live);
    if (edited !== undefined) return edited;
    if (!begun && !live.capabilities.idempotentSend) await deps.outbox.sending(row.id);
    deps.checkpoint('send.before', row.runId);
    const sent = await answerOf(() => live.connection.send(row.address, outbound(row)));
    if (sent instanceof AppError) return sent;
    deps.checkpoint('send.after', row.runId);
    return ends.taken(row, sent.messageIds);
  };
}

/** What a platform answered, be it an error. */
export async function answerOf<T>(ask: () => Promise<T>): Promise<T | AppError> {
  try {
    return await ask();
  } catch (error) {
    return asAppError(error);
  }
}

const outbound = ({ token, runId, sessionKey, payload }: OutgoingRow): OutboundMessage => ({
  token,
  runId,
  sessionKey,
  payload,
});
