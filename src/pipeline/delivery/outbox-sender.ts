/** Sends the outbox in order per chat, and never twice where the platform lets us check (P6). */
import type { ChatAddress } from '../../core/message.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { OutboxRows, SendOutcome } from './outbox-rows.ts';
import { createInLine } from './in-line.ts';
import { createSendTally, type SendCounts } from './send-counts.ts';
import { createSendEnds, type SendEndsDeps } from './send-ends.ts';
import type { SendLines } from './send-lines.ts';
import { createSendOnce, type SendOnceDeps } from './send-once.ts';
import { createSendUntilTaken, type SendUntilTakenDeps } from './send-until-taken.ts';
import { createStandingRows } from './standing-rows.ts';

export type OutboxSenderDeps = Omit<
  SendEndsDeps & SendOnceDeps & SendUntilTakenDeps,
  'outbox' | 'lines' | 'checkpoint'
> & {
  readonly outbox: OutboxRows;
  readonly lines: SendLines;
  checkpoint(point: 'send.before' | 'send.after' | 'send.acknowledged', runId: string): void;
};

export type OutboxSender = ReturnType<typeof createOutboxSender>;

export function createOutboxSender(deps: OutboxSenderDeps) {
  const { lookups, stopping } = deps.lines;
  const tally = createSendTally();
  const ends = createSendEnds(deps, tally);
  const deliver = createSendUntilTaken(deps, { once: createSendOnce(deps, ends), ends, tally });
  /** One after the other, so that rows stand in their lines in the order they were asked for. */
  const inOrder = <T>(read: () => Promise<T>): Promise<T> => lookups.run('', read);

  const inLine = createInLine({ lines: deps.lines, deliver });
  const standing = createStandingRows({ outbox: deps.outbox, log: deps.log, comeAgain: (id) => void send(id) });

  /**
   * Never rejects. Undefined: it had its end already, or it stays in the outbox for the next `resume`.
   */
  function send(id: number): Promise<SendOutcome | undefined> {
    return standing.stand(id, {
      work: (taken, withdrawn) => inLine.send(taken, { withdrawn, resume }),
      lookup: inOrder,
    }).sending;
  }

  /** All of it is registered before later requests are read. */
  async function standAgain(): Promise<void> {
    const rows = await deps.outbox.open();
    inLine.stillOpen(new Set(rows.map(({ id }) => id)));
    if (rows.length === 0) return;
    const onDisk = deps.outbox.synced();
    for (const { id } of rows) {
      const known = standing.find(id);
      // It may just have found that nobody is there, who is there now.
      if (known) known.again = true;
      else
        await standing.stand(id, {
          work: (taken, withdrawn) => inLine.send(taken, { withdrawn, onDisk, resume }),
          lookup: (read) => read(),
        }).queued;
    }
  }

  function resume(): Promise<void> {
    return inOrder(standAgain).catch(
      (error: unknown) => deps.log.error('outbox.read', { error }), // the next one who comes back looks again
    );
  }

  return {
    send,
    begins: deps.lines.begins,
    /** Not worth sending any more: a row that waits gets its end, one on its way goes on. */
    withdraw(id: number): void {
      const known = standing.find(id);
      if (known) return known.withdrawn.abort();
      standing.stand(id, {
        work: async ({ row, begun }) => (begun || row.state === 'pending' ? ends.withdraw(row) : undefined),
        lookup: inOrder,
      });
    },
    /** Since the start. */
    counts: (account: Pick<ChatAddress, 'channel' | 'accountId'>): SendCounts => tally.of(account),
    /**
     * Sends what is left in the outbox: after a start, and when a channel is back. What is read there may not be on the
     * platter yet.
     */
    resume,
    /**
     * Waits for what is on its way, at most `timeoutMs`; what is then still unanswered is uncertain after the next
     * start.
     */
    async close(timeoutMs = 5000): Promise<void> {
      stopping.abort();
      await settlesWithin(Promise.all(standing.sending()), timeoutMs, deps.clock);
    },
  };
}
