/** Resolves a send of unknown outcome: reads the message back where possible, else probes the platform. */
import type { ChannelConnection } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { OutgoingRow, SendOutcome } from './outbox-rows.ts';
import { answerOf } from './send-once.ts';
import type { SendEnds } from './send-ends.ts';
import type { LiveConnection } from './send-lines.ts';

const PROBE_MS = 10_000;

/**
 * A send whose answer never came is read back where the platform lets us. Where it cannot be known it is said once
 * more: rather twice than never. Undefined: it is to be sent.
 */
export async function resolveUncertain(
  row: OutgoingRow,
  { connection, capabilities }: LiveConnection,
  { ends, stopping }: { readonly ends: SendEnds; readonly stopping: AbortSignal },
): Promise<SendOutcome | AppError | 'unknowable' | undefined> {
  if (row.state === 'pending' || capabilities.idempotentSend) return undefined;
  if (!connection.readBack) return unknown(row, connection, stopping);
  const found = await answerOf(async () =>
    connection.readBack!(row.address, row.token, { payload: row.payload, since: row.createdAt }),
  );
  if (found instanceof AppError)
    return new AppError('network', `Could not check whether the message arrived: ${found.message}`, {
      cause: found,
      retryAfterMs: found.retryAfterMs,
    });
  if (found === undefined) return unknown(row, connection, stopping);
  return found.length > 0 ? ends.taken(row, found) : undefined; // it is not there: send it
}

/** Repeated only once the platform responds: while the network fails, each repetition could be a duplicate. */
async function unknown(
  row: OutgoingRow,
  connection: ChannelConnection,
  stopping: AbortSignal,
): Promise<'unknowable' | AppError> {
  const probed = await answerOf(() => connection.probe(AbortSignal.any([stopping, AbortSignal.timeout(PROBE_MS)])));
  if (!(probed instanceof AppError) && probed.ok) return 'unknowable';
  return new AppError(
    'network',
    `It is unknown whether ${row.address.channel} received this message, and it cannot be reached to send it ` +
      `again: ${probed instanceof AppError ? probed.message : (probed.detail ?? 'the probe failed')}`,
  );
}
