/**
 * How a run ended and whether its messages were delivered: from memory, or from the journal for runs of an earlier
 * start of the gateway.
 */
import type { CronDelivery } from '../ledger-rows.ts';
import { AppError } from '../../../core/errors.ts';
import type { ChatService, RunSnapshot } from '../../../host/chat.ts';
import type { Journal } from '../../../journal/journal.ts';
import type { HostChannels } from '../../../host/host.ts';
import type { Clock } from '../../../platform/clock.ts';
import { within } from '../../../platform/timeout.ts';

export interface RunEndsDeps {
  readonly chat: Pick<ChatService, 'wait'>;
  readonly journal: Pick<Journal, 'outbox'>;
  readonly channels: Pick<HostChannels, 'sent'>;
  readonly clock: Clock;
}

/** The longest a timer can be set for; a turn has its own limit. */
const FOREVER_MS = 2 ** 31 - 1;
/** A message that waits longer for its channel goes out when that is back; the run does not wait for it. */
const DELIVERY_TIMEOUT_MS = 30_000;

export function createRunEnds({ chat, journal, channels, clock }: RunEndsDeps) {
  const stateNow = async (runId: string): Promise<CronDelivery['status'] | { readonly error: string }> => {
    const rows = await journal.outbox.ofRun(runId);
    const failed = rows.find(({ state }) => state === 'failed');
    if (failed) return { error: failed.error ?? 'it was refused' };
    return rows.every(({ state }) => state === 'sent') ? 'delivered' : 'pending';
  };
  return {
    /** Rejects with `aborted` when the gateway stops first. */
    async ended(runId: string, signal: AbortSignal): Promise<RunSnapshot> {
      const run = await chat.wait(runId, FOREVER_MS, signal);
      if (!run) throw new AppError('aborted', `Run ${runId} has not ended.`);
      return run;
    },

    async delivered(runId: string, signal: AbortSignal): Promise<CronDelivery['status'] | { readonly error: string }> {
      const rows = await journal.outbox.ofRun(runId);
      if (rows.length === 0) return 'not-delivered';
      const sent = Promise.all(rows.map(({ id }) => channels.sent(id)));
      await within(sent, { ms: DELIVERY_TIMEOUT_MS, otherwise: undefined, signal, clock });
      return stateNow(runId);
    },
  };
}
