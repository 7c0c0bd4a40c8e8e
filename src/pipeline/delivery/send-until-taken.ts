/** Sends the first row of a chat's queue until it is delivered, fails for good or the channel is gone. */
import { backoff } from '../../core/backoff.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import { asUnsent, type OutboxRows, type OutgoingRow, type SendOutcome } from './outbox-rows.ts';
import { previewToken } from './preview-token.ts';
import type { SendTally } from './send-counts.ts';
import type { SendEnds } from './send-ends.ts';
import type { SendLines } from './send-lines.ts';
import type { SendOnce } from './send-once.ts';
import { resolveUncertain } from './send-uncertain.ts';

export interface SendUntilTakenDeps {
  readonly outbox: Pick<OutboxRows, 'retryAt'>;
  readonly lines: Pick<SendLines, 'stopping' | 'connection'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly maxAttempts?: number;
}

interface SendParts {
  readonly once: SendOnce;
  readonly ends: SendEnds;
  readonly tally: SendTally;
}

/** About a day at one attempt a minute: an outage of the platform must not cost a reply. */
const MAX_ATTEMPTS = 1500;
const LONGEST_WAIT_MS = 60_000;
/** A message of unknown outcome is said again so often, where nobody can look. */
const MAX_REPEATS = 2;

/** Undefined: it stays in the outbox. Rejects only when the journal cannot be written. */
export type SendUntilTaken = (
  row: OutgoingRow,
  state: {
    readonly begun: boolean;
    readonly withdrawn: AbortSignal;
    /** The row before it stayed in the outbox, so this one does: it must not overtake. */
    readonly stays: boolean;
  },
) => Promise<SendOutcome | undefined>;

export function createSendUntilTaken(deps: SendUntilTakenDeps, { once, ends, tally }: SendParts): SendUntilTaken {
  const stopping = deps.lines.stopping.signal;

  /**
   * It stays in the outbox until the channel or the gateway is back; marked as begun, it would seem to be uncertain
   * then.
   */
  async function later(row: OutgoingRow, begun: boolean): Promise<undefined> {
    if (begun) await deps.outbox.retryAt(row.id, 'pending', deps.clock.now(), 'The channel is not connected.');
  }

  function noteRepeat(row: OutgoingRow): void {
    tally.add(row.address, 'repeated');
    deps.log.warn('outbox.repeated', { id: row.id, runId: row.runId, channel: row.address.channel });
  }

  /** Waits for the next attempt; the row as it stands in the journal meanwhile. */
  async function waitAfter(
    row: OutgoingRow,
    error: AppError,
    { attempt, withdrawn }: { readonly attempt: number; readonly withdrawn: AbortSignal },
  ): Promise<OutgoingRow> {
    const wait =
      error.retryAfterMs === undefined
        ? backoff({ first: 500, max: LONGEST_WAIT_MS }, attempt - 1)
        : Math.ceil(error.retryAfterMs);
    const state = leftUs(error) ? 'uncertain' : 'pending';
    await deps.outbox.retryAt(row.id, state, deps.clock.now() + wait, error.message);
    const cut = AbortSignal.any([stopping, withdrawn]);
    await deps.clock.sleep(wait, cut).catch((stopped: unknown) => {
      if (!cut.aborted) throw stopped;
    });
    return { ...row, state };
  }

  return async (first, { begun: marked, withdrawn, stays }) => {
    let begun = marked;
    let row: OutgoingRow = begun ? asUnsent(first) : first;
    let repeats = 0;
    for (let attempt = row.attempts + 1; ; attempt++) {
      if (withdrawn.aborted && row.state === 'pending') return ends.withdraw(row);
      const live = deps.lines.connection(row.address);
      if (stopping.aborted || !live || stays) return later(row, begun);
      const known = await resolveUncertain(row, live, { ends, stopping });
      if (known === 'unknowable' && row.token === previewToken(row.runId)) return ends.withdraw(row);
      if (known === 'unknowable' && ++repeats > MAX_REPEATS) return ends.giveUp(row, repeatedTooOften(row));
      if (known === 'unknowable') noteRepeat(row);
      const tried = known === undefined || known === 'unknowable' ? await once(row, live, begun) : known;
      begun = false;
      if (!(tried instanceof AppError)) return tried;
      if (attempt >= (deps.maxAttempts ?? MAX_ATTEMPTS) || !tried.retryable) return ends.giveUp(row, tried);
      row = await waitAfter(row, tried, { attempt, withdrawn });
    }
  };
}

const repeatedTooOften = ({ address }: OutgoingRow): AppError =>
  new AppError(
    'timeout',
    `It is unknown whether ${address.channel} received this message; after ${MAX_REPEATS} retries it was not ` +
      'sent again.',
  );

const leftUs = (error: AppError): boolean =>
  error.code === 'timeout' || error.code === 'network' || error.code === 'bad_response';
