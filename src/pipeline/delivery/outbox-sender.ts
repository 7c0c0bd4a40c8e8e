/** Sends the outbox: in order per chat, until the platform took it, never twice where that can be known (P6). */
import { backoff } from '../../core/backoff.ts';
import type { ChannelConnection } from '../../core/channel.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { OutboundMessage, ReplyPayload } from '../../core/reply.ts';
import type { Clock } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { LeavingPreviews } from './leaving-previews.ts';
import { previewToken } from './preview-token.ts';
import { lineOf, type LiveConnection, type SendLines } from './send-lines.ts';

export interface OutgoingRow {
  readonly id: number;
  readonly token: string;
  readonly runId: string;
  readonly sessionKey: string;
  readonly address: ChatAddress;
  readonly payload: ReplyPayload;
  readonly state: 'pending' | 'sending' | 'uncertain' | 'sent' | 'failed';
  readonly attempts: number;
  readonly createdAt: number;
  readonly messageIds?: readonly string[];
}

export interface TakenRow {
  readonly row: OutgoingRow;
  readonly begun: boolean;
}

/** The outbox's rows as the sender needs them; the journal has this shape. */
export interface OutboxRows {
  /** `begun`, to the first who asks: it was written as `sending` by this run of the gateway, and nothing was sent. */
  take(id: number): Promise<TakenRow | undefined>;
  byToken(token: string): Promise<OutgoingRow | undefined>;
  open(): Promise<readonly OutgoingRow[]>;
  sending(id: number): Promise<void>;
  sent(id: number, messageIds: readonly string[]): Promise<void>;
  retryAt(id: number, state: 'pending' | 'uncertain', nextAt: number, error: string): Promise<void>;
  failed(id: number, error: string): Promise<void>;
  /** What could be read before would outlast a power cut. */
  synced(): Promise<void>;
}

export interface OutboxSenderDeps {
  readonly outbox: OutboxRows;
  readonly lines: SendLines;
  readonly log: Log;
  readonly clock: Clock;
  reached(point: 'send.before' | 'send.after' | 'send.acknowledged', runId: string): void;
  readonly maxAttempts?: number;
  /** Previews that somebody else may still change. Absent: there are none. */
  readonly previews?: Pick<LeavingPreviews, 'settled'>;
  /** A message was given up; the person does not see it. */
  onFailed?(row: OutgoingRow, error: AppError): void;
}

export type SendOutcome =
  | { readonly status: 'sent'; readonly messageIds: readonly string[] }
  | { readonly status: 'failed'; readonly error: string };
export type OutboxSender = ReturnType<typeof createOutboxSender>;
export interface SendCounts {
  readonly sent: number;
  readonly failed: number /** Said once more, because nobody could tell whether it had arrived. */;
  readonly repeated: number;
}

/** About a day at one attempt a minute: an outage of the platform must not cost a reply. */
const MAX_ATTEMPTS = 1500;
const LONGEST_WAIT_MS = 60_000;
/** A message of unknown outcome is said again so often, where nobody can look. */
const MAX_REPEATS = 2;
const PROBE_MS = 10_000;

export function createOutboxSender(deps: OutboxSenderDeps) {
  const { queue, lookUps, stopping, connection: connectionOf } = deps.lines;
  /** Rows somebody asked for, until they have gone; asking for one again joins the send under way. */
  const standing = new Map<number, Standing>();
  const counts = new Map<string, { sent: number; failed: number; repeated: number }>();
  /** One after the other, so that rows stand in their lines in the order they were asked for. */
  const inOrder = <T>(look: () => Promise<T>): Promise<T> => lookUps.run('', look);

  /**
   * Never rejects. Undefined: it had its end already, or it stays in the outbox for the next `resume`.
   */
  const send = (id: number): Promise<SendOutcome | undefined> =>
    stand(id, { work: (taken, withdrawn) => queued(taken, { withdrawn }), look: inOrder }).sending;

  /**
   * It stands there from now on, and is looked up only then: a row that was read before could be sent by somebody else
   * until it stands.
   */
  function stand(id: number, { work, look }: Asked): Standing {
    const known = standing.get(id);
    if (known) return known;
    const withdrawn = new AbortController();
    const begun = look(async () => {
      const taken = await deps.outbox.take(id);
      return { sending: taken && !isOver(taken.row) ? work(taken, withdrawn.signal) : undefined };
    });
    const sending = begun
      .then(({ sending: going }) => going)
      .catch((error: unknown) => {
        // the journal refused: what it does not know is looked up at the next attempt
        deps.log.error('outbox.write', { id, error });
        return undefined;
      })
      .finally(() => {
        standing.delete(id);
        if (one.again) void send(id);
      });
    const looked = begun.then(
      () => undefined,
      () => undefined /* told with the send */,
    );
    const one: Standing = { sending, looked, withdrawn, again: false };
    standing.set(id, one);
    return one;
  }

  /** All of it takes its place before anybody who comes later is looked up. */
  async function standAgain(): Promise<void> {
    const rows = await deps.outbox.open();
    if (rows.length === 0) return;
    const onDisk = deps.outbox.synced();
    for (const { id } of rows) {
      const known = standing.get(id);
      // It may just have found that nobody is there, who is there now.
      if (known) known.again = true;
      else
        await stand(id, { work: (taken, withdrawn) => queued(taken, { withdrawn, onDisk }), look: (read) => read() })
          .looked;
    }
  }

  /** `onDisk`: until then it stands in its line, unsent. */
  const queued = (
    { row, begun }: TakenRow,
    { withdrawn, onDisk }: { readonly withdrawn: AbortSignal; readonly onDisk?: Promise<void> },
  ): Promise<SendOutcome | undefined> =>
    queue.run(lineOf(row.address), async () => {
      await onDisk;
      return deliver(row, { begun, withdrawn });
    });

  async function deliver(
    first: OutgoingRow,
    { begun: marked, withdrawn }: { readonly begun: boolean; readonly withdrawn: AbortSignal },
  ): Promise<SendOutcome | undefined> {
    let begun = marked;
    let row: OutgoingRow = begun ? asUnsent(first) : first;
    let repeats = 0;
    for (let attempt = row.attempts + 1; ; attempt++) {
      if (withdrawn.aborted && row.state === 'pending') return withdraw(row);
      const live = connectionOf(row.address);
      if (stopping.signal.aborted || !live) return later(row, begun);
      const known = await resolveUncertain(row, live);
      if (known === 'unknowable' && row.token === previewToken(row.runId)) return withdraw(row);
      if (known === 'unknowable' && ++repeats > MAX_REPEATS)
        return giveUp(
          row,
          new AppError(
            'timeout',
            `It is unknown whether ${row.address.channel} took this message; after ${MAX_REPEATS} repetitions it was not sent again.`,
          ),
        );
      if (known === 'unknowable') noteRepeat(row);
      const tried = known === undefined || known === 'unknowable' ? await attemptOnce(row, live, begun) : known;
      begun = false;
      if (!(tried instanceof AppError)) return tried;
      if (attempt >= (deps.maxAttempts ?? MAX_ATTEMPTS) || !tried.retryable) return giveUp(row, tried);
      const wait =
        tried.retryAfterMs === undefined
          ? backoff({ first: 500, most: LONGEST_WAIT_MS }, attempt - 1)
          : Math.ceil(tried.retryAfterMs);
      const state = leftUs(tried) ? 'uncertain' : 'pending';
      await deps.outbox.retryAt(row.id, state, deps.clock.now() + wait, tried.message);
      row = { ...row, state };
      await deps.clock
        .sleep(wait, AbortSignal.any([stopping.signal, withdrawn]))
        .catch(() => undefined /* stopping or withdrawn: the loop looks */);
    }
  }

  /**
   * It stays in the outbox until the channel or the gateway is back; marked as begun, it would seem to be uncertain
   * then.
   */
  async function later(row: OutgoingRow, begun: boolean): Promise<undefined> {
    if (begun) await deps.outbox.retryAt(row.id, 'pending', deps.clock.now(), 'The channel is not connected.');
  }

  function noteRepeat(row: OutgoingRow): void {
    countOf(row.address).repeated++;
    deps.log.warn('outbox.repeated', { id: row.id, runId: row.runId, channel: row.address.channel });
  }

  /** What the platform did, or the error it gave; rejects only when the journal cannot be written. */
  async function attemptOnce(row: OutgoingRow, live: LiveConnection, begun: boolean): Promise<SendOutcome | AppError> {
    const edited = await editPreview(row, live);
    if (edited !== undefined) return edited;
    if (!begun && !live.capabilities.idempotentSend) await deps.outbox.sending(row.id);
    deps.reached('send.before', row.runId);
    const sent = await answerOf(() => live.connection.send(row.address, outbound(row)));
    if (sent instanceof AppError) return sent;
    deps.reached('send.after', row.runId);
    return taken(row, sent.messageIds);
  }

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
    deps.reached('send.before', row.runId);
    const done = await answerOf(async () => connection.edit!(row.address, messageId, outbound(row)));
    if (done instanceof AppError)
      return done.retryable
        ? new AppError('unavailable', done.message, { cause: done, retryAfterMs: done.retryAfterMs })
        : undefined;
    deps.reached('send.after', row.runId);
    return taken(row, [messageId]);
  }

  /**
   * A send whose answer never came is read back where the platform lets us. Where it cannot be known it is said once
   * more: rather twice than never. Undefined: it is to be sent.
   */
  async function resolveUncertain(
    row: OutgoingRow,
    { connection, capabilities }: LiveConnection,
  ): Promise<SendOutcome | AppError | 'unknowable' | undefined> {
    if (row.state === 'pending' || capabilities.idempotentSend) return undefined;
    if (!connection.readBack) return unknown(row, connection);
    const found = await answerOf(async () =>
      connection.readBack!(row.address, row.token, { payload: row.payload, since: row.createdAt }),
    );
    if (found instanceof AppError)
      return new AppError('network', `It could not be looked up whether the message arrived: ${found.message}`, {
        cause: found,
        retryAfterMs: found.retryAfterMs,
      });
    if (found === undefined) return unknown(row, connection);
    return found.length > 0 ? taken(row, found) : undefined; // it is not there: send it
  }

  /**
   * Only a platform that answers is told again: while the network fails, every repetition could be the one too many.
   */
  async function unknown(row: OutgoingRow, connection: ChannelConnection): Promise<'unknowable' | AppError> {
    const reached = await answerOf(() =>
      connection.probe(AbortSignal.any([stopping.signal, AbortSignal.timeout(PROBE_MS)])),
    );
    if (!(reached instanceof AppError) && reached.ok) return 'unknowable';
    return new AppError(
      'network',
      `It is unknown whether ${row.address.channel} took this message, and it cannot be reached to send it again: ${reached instanceof AppError ? reached.message : (reached.detail ?? 'the probe failed')}`,
    );
  }

  async function taken(row: OutgoingRow, messageIds: readonly string[]): Promise<SendOutcome> {
    await deps.outbox.sent(row.id, messageIds);
    countOf(row.address).sent++;
    deps.reached('send.acknowledged', row.runId);
    return { status: 'sent', messageIds };
  }

  async function giveUp(row: OutgoingRow, error: AppError): Promise<SendOutcome> {
    await deps.outbox.failed(row.id, error.message);
    countOf(row.address).failed++;
    deps.log.error('outbox.failed', { id: row.id, runId: row.runId, channel: row.address.channel, error });
    if (row.payload.kind !== 'interim') deps.onFailed?.(row, error);
    return { status: 'failed', error: error.message };
  }

  async function withdraw(row: OutgoingRow): Promise<SendOutcome> {
    const error = 'The finished answer took its place.';
    await deps.outbox.failed(row.id, error);
    return { status: 'failed', error };
  }

  function countOf({ channel, accountId }: Pick<ChatAddress, 'channel' | 'accountId'>): {
    sent: number;
    failed: number;
    repeated: number;
  } {
    const key = JSON.stringify([channel, accountId]);
    const known = counts.get(key) ?? { sent: 0, failed: 0, repeated: 0 };
    counts.set(key, known);
    return known;
  }

  return {
    send,
    begins: deps.lines.begins,
    /** Not worth sending any more: a row that waits gets its end, one on its way goes on. */
    withdraw(id: number): void {
      const known = standing.get(id);
      if (known) return known.withdrawn.abort();
      stand(id, {
        work: async ({ row, begun }) => (begun || row.state === 'pending' ? withdraw(row) : undefined),
        look: inOrder,
      });
    },
    /** Since the start. */
    counts: (account: Pick<ChatAddress, 'channel' | 'accountId'>): SendCounts => ({ ...countOf(account) }),
    /**
     * Sends what is left in the outbox: after a start, and when a channel is back. What is read there may not be on the
     * platter yet.
     */
    resume: (): Promise<void> =>
      inOrder(standAgain).catch(
        (error: unknown) => deps.log.error('outbox.read', { error }), // the next one who comes back looks again
      ),
    /**
     * Waits for what is on its way, at most `timeoutMs`; what is then still unanswered is uncertain after the next
     * start.
     */
    async close(timeoutMs = 5000): Promise<void> {
      stopping.abort();
      await settlesWithin(Promise.all([...standing.values()].map(({ sending }) => sending)), timeoutMs, deps.clock);
    },
  };
}

interface Asked {
  /** What is done with the row, unless it is over. */
  work(taken: TakenRow, withdrawn: AbortSignal): Promise<SendOutcome | undefined>;
  /** When it is looked up. */
  look<T>(read: () => Promise<T>): Promise<T>;
}

interface Standing {
  /** Never rejects. */
  readonly sending: Promise<SendOutcome | undefined>;
  /** It has its place in its line, or needs none. */
  readonly looked: Promise<void>;
  readonly withdrawn: AbortController;
  /** Asked for while it stands there: when it goes without an end, it comes again. */
  again: boolean;
}

/** Marked as begun, and nothing of it has left us. */
const asUnsent = (row: OutgoingRow): OutgoingRow => ({ ...row, state: 'pending', attempts: row.attempts - 1 });

const isOver = ({ state }: OutgoingRow): boolean => state === 'sent' || state === 'failed';

/** What a platform answered, be it an error. */
async function answerOf<T>(ask: () => Promise<T>): Promise<T | AppError> {
  try {
    return await ask();
  } catch (error) {
    return asAppError(error);
  }
}

const leftUs = (error: AppError): boolean =>
  error.code === 'timeout' || error.code === 'network' || error.code === 'bad_response';

const outbound = ({ token, runId, sessionKey, payload }: OutgoingRow): OutboundMessage => ({
  token,
  runId,
  sessionKey,
  payload,
});
