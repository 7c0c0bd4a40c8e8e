/** Notes a failed delivery in the conversation, where its readers and the agent's owner can see why. */
import { excerpt } from '../../core/cut.ts';
import type { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { OutgoingRow } from '../delivery/outbox-rows.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { injected } from '../../sessions/injected.ts';

const MAX_CHARS = 80;

/** For people only: the agent does not get advice for its owner. */
export function createFailedNote({
  sessions,
  log,
  now,
}: {
  readonly sessions: Pick<Sessions, 'existing'>;
  readonly log: Log;
  now(): number;
}) {
  async function note({ token, runId, sessionKey, address, payload }: OutgoingRow, error: AppError): Promise<void> {
    const session = await sessions.existing(sessionKey);
    if (!session) return;
    const text = `⚠️ Not delivered to ${address.channel} (${address.chat.id}): ${error.message}${begins(payload.text)}`;
    await session.transcript.append([
      {
        type: 'message',
        id: turnLineId(token, 'undelivered'),
        turnId: runId,
        message: injected(text, now()),
        audience: 'person',
      },
    ]);
  }
  return (row: OutgoingRow, error: AppError): void =>
    void note(row, error).catch((cause: unknown) => log.error('outbox.note', { id: row.id, error: cause }));
}

const begins = (text: string | undefined): string => (text ? `\nIt began: ${excerpt(text, MAX_CHARS)}` : '');
