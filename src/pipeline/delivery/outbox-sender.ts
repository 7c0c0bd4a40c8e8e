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
import { pause } from '../../platform/pause.ts';

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

/** The outbox's rows as the sender needs them; the journal has this shape. */
export interface OutboxRows {
  get(id: number): OutgoingRow | undefined;
  byToken(token: string): OutgoingRow | undefined;
  open(): readonly OutgoingRow[];
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

export function createOutboxSender(deps: OutboxSenderDeps): OutboxSender {
  return new OutboxSender(deps);
}

export class OutboxSender {
  readonly #deps: OutboxSenderDeps;
  readonly #queue;
  readonly #fresh;
  readonly #stopping;
  readonly #connectionOf;
  /** Rows that stand in a line; asking for one again joins the send under way. */
  readonly #standing = new Map<number, Standing>();
  readonly #counts = new Map<string, { sent: number; failed: number; repeated: number }>();

  constructor(deps: OutboxSenderDeps) {
    this.#deps = deps;
    this.#queue = deps.lines.queue;
    this.#fresh = deps.lines.fresh;
    this.#stopping = deps.lines.stopping;
    this.#connectionOf = deps.lines.connection;
  }

  send(id: number): Promise<SendOutcome | undefined> {
    return this.#send(id);
  }

  get begins() {
    return this.#deps.lines.begins;
  }

  /** Not worth sending any more: a row that waits gets its end, one on its way goes on. */
  withdraw(id: number): void {
    const known = this.#standing.get(id);
    if (known) return known.withdrawn.abort();
    const row = this.#deps.outbox.get(id);
    if (row && (row.state === 'pending' || this.#fresh.delete(row.token)))
      this.#withdraw(row).catch((error: unknown) => this.#deps.log.error('outbox.write', { id, error }));
  }

  /** Since the start. */
  counts(account: Pick<ChatAddress, 'channel' | 'accountId'>): SendCounts {
    return { ...this.#countOf(account) };
  }

  /**
   * Sends what is left in the outbox: after a start, and when a channel is back. What is read there may not be on the
   * platter yet.
   */
  resume(): void {
    const rows = this.#deps.outbox.open();
    if (rows.length === 0) return;
    const onDisk = this.#deps.outbox.synced();
    for (const { id } of rows) {
      const known = this.#standing.get(id);
      // It may just have found that nobody is there, who is there now.
      if (known) known.again = true;
      else void this.#send(id, onDisk);
    }
  }

  /**
   * Waits for what is on its way, at most `timeoutMs`; what is then still unanswered is uncertain after the next
   * start.
   */
  async close(timeoutMs = 5000): Promise<void> {
    this.#stopping.abort();
    await settlesWithin(this.#queue.idle(), timeoutMs, this.#deps.clock);
  }

  /**
   * Never rejects. Undefined: it had its end already, or it stays in the outbox for the next `resume`. `onDisk`: until
   * then it stands in its line, unsent.
   */
  #send(id: number, onDisk?: Promise<void>): Promise<SendOutcome | undefined> {
    const row = this.#deps.outbox.get(id);
    if (!row || isOver(row)) return Promise.resolve(undefined);
    const known = this.#standing.get(id);
    if (known) return known.sending;
    const withdrawn = new AbortController();
    const sending = this.#queue
      .run(lineOf(row.address), async () => {
        await onDisk;
        return this.#deliver(row, withdrawn.signal);
      })
      .catch((error: unknown) => {
        // the journal refused: what it does not know is looked up at the next attempt
        this.#deps.log.error('outbox.write', { id, error });
        return undefined;
      })
      .finally(() => {
        this.#standing.delete(id);
        if (one.again) void this.#send(id);
      });
    const one: Standing = { sending, withdrawn, again: false };
    this.#standing.set(id, one);
    return sending;
  }

  async #deliver(first: OutgoingRow, withdrawn: AbortSignal): Promise<SendOutcome | undefined> {
    let begun = this.#fresh.delete(first.token) && first.state === 'sending'; // a commit that failed left it unmarked
    let row: OutgoingRow = begun ? { ...first, state: 'pending', attempts: first.attempts - 1 } : first;
    let repeats = 0;
    for (let attempt = row.attempts + 1; ; attempt++) {
      if (withdrawn.aborted && row.state === 'pending') return this.#withdraw(row);
      const live = this.#connectionOf(row.address);
      if (this.#stopping.signal.aborted || !live) return this.#later(row, begun);
      const known = await this.#resolveUncertain(row, live);
      if (known === 'unknowable' && row.token === previewToken(row.runId)) return this.#withdraw(row);
      if (known === 'unknowable' && ++repeats > MAX_REPEATS)
        return this.#giveUp(
          row,
          new AppError(
            'timeout',
            `It is unknown whether ${row.address.channel} took this message; after ${MAX_REPEATS} repetitions it was not sent again.`,
          ),
        );
      if (known === 'unknowable') this.#noteRepeat(row);
      const tried = known === undefined || known === 'unknowable' ? await this.#attemptOnce(row, live, begun) : known;
      begun = false;
      if (!(tried instanceof AppError)) return tried;
      if (attempt >= (this.#deps.maxAttempts ?? MAX_ATTEMPTS) || !tried.retryable) return this.#giveUp(row, tried);
      const wait =
        tried.retryAfterMs === undefined
          ? backoff({ first: 500, most: LONGEST_WAIT_MS }, attempt - 1)
          : Math.ceil(tried.retryAfterMs);
      const state = leftUs(tried) ? 'uncertain' : 'pending';
      await this.#deps.outbox.retryAt(row.id, state, this.#deps.clock.now() + wait, tried.message);
      row = { ...row, state };
      await pause(wait, AbortSignal.any([this.#stopping.signal, withdrawn]), this.#deps.clock);
    }
  }

  /**
   * It stays in the outbox until the channel or the gateway is back; marked as begun, it would seem to be uncertain
   * then.
   */
  async #later(row: OutgoingRow, begun: boolean): Promise<undefined> {
    if (begun)
      await this.#deps.outbox.retryAt(row.id, 'pending', this.#deps.clock.now(), 'The channel is not connected.');
  }

  #noteRepeat(row: OutgoingRow): void {
    this.#countOf(row.address).repeated++;
    this.#deps.log.warn('outbox.repeated', { id: row.id, runId: row.runId, channel: row.address.channel });
  }

  /** What the platform did, or the error it gave; rejects only when the journal cannot be written. */
  async #attemptOnce(row: OutgoingRow, live: LiveConnection, begun: boolean): Promise<SendOutcome | AppError> {
    const edited = await this.#editPreview(row, live);
    if (edited !== undefined) return edited;
    if (!begun && !live.capabilities.idempotentSend) await this.#deps.outbox.sending(row.id);
    this.#deps.reached('send.before', row.runId);
    const sent = await answerOf(() => live.connection.send(row.address, outbound(row)));
    if (sent instanceof AppError) return sent;
    this.#deps.reached('send.after', row.runId);
    return this.#taken(row, sent.messageIds);
  }

  /**
   * The preview becomes the answer. The same edit twice is one: nothing about it is uncertain. Undefined: it has to be
   * sent.
   */
  async #editPreview(row: OutgoingRow, { connection }: LiveConnection): Promise<SendOutcome | AppError | undefined> {
    const { replaces } = row.payload;
    if (replaces === undefined || row.state !== 'pending') return undefined; // an earlier life sent it
    const messageId = this.#deps.outbox.byToken(replaces)?.messageIds?.[0];
    if (messageId === undefined || !connection.edit) return undefined;
    await this.#deps.previews?.settled(replaces);
    this.#deps.reached('send.before', row.runId);
    const done = await answerOf(async () => connection.edit!(row.address, messageId, outbound(row)));
    if (done instanceof AppError)
      return done.retryable
        ? new AppError('unavailable', done.message, { cause: done, retryAfterMs: done.retryAfterMs })
        : undefined;
    this.#deps.reached('send.after', row.runId);
    return this.#taken(row, [messageId]);
  }

  /**
   * A send whose answer never came is read back where the platform lets us. Where it cannot be known it is said once
   * more: rather twice than never. Undefined: it is to be sent.
   */
  async #resolveUncertain(
    row: OutgoingRow,
    { connection, capabilities }: LiveConnection,
  ): Promise<SendOutcome | AppError | 'unknowable' | undefined> {
    if (row.state === 'pending' || capabilities.idempotentSend) return undefined;
    if (!connection.readBack) return this.#unknown(row, connection);
    const found = await answerOf(async () =>
      connection.readBack!(row.address, row.token, { payload: row.payload, since: row.createdAt }),
    );
    if (found instanceof AppError)
      return new AppError('network', `It could not be looked up whether the message arrived: ${found.message}`, {
        cause: found,
        retryAfterMs: found.retryAfterMs,
      });
    if (found === undefined) return this.#unknown(row, connection);
    return found.length > 0 ? this.#taken(row, found) : undefined; // it is not there: send it
  }

  /**
   * Only a platform that answers is told again: while the network fails, every repetition could be the one too many.
   */
  async #unknown(row: OutgoingRow, connection: ChannelConnection): Promise<'unknowable' | AppError> {
    const reached = await answerOf(() =>
      connection.probe(AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PROBE_MS)])),
    );
    if (!(reached instanceof AppError) && reached.ok) return 'unknowable';
    return new AppError(
      'network',
      `It is unknown whether ${row.address.channel} took this message, and it cannot be reached to send it again: ${reached instanceof AppError ? reached.message : (reached.detail ?? 'the probe failed')}`,
    );
  }

  async #taken(row: OutgoingRow, messageIds: readonly string[]): Promise<SendOutcome> {
    await this.#deps.outbox.sent(row.id, messageIds);
    this.#countOf(row.address).sent++;
    this.#deps.reached('send.acknowledged', row.runId);
    return { status: 'sent', messageIds };
  }

  async #giveUp(row: OutgoingRow, error: AppError): Promise<SendOutcome> {
    await this.#deps.outbox.failed(row.id, error.message);
    this.#countOf(row.address).failed++;
    this.#deps.log.error('outbox.failed', { id: row.id, runId: row.runId, channel: row.address.channel, error });
    if (row.payload.kind !== 'interim') this.#deps.onFailed?.(row, error);
    return { status: 'failed', error: error.message };
  }

  async #withdraw(row: OutgoingRow): Promise<SendOutcome> {
    const error = 'The finished answer took its place.';
    await this.#deps.outbox.failed(row.id, error);
    return { status: 'failed', error };
  }

  #countOf({ channel, accountId }: Pick<ChatAddress, 'channel' | 'accountId'>): {
    sent: number;
    failed: number;
    repeated: number;
  } {
    const key = JSON.stringify([channel, accountId]);
    const known = this.#counts.get(key) ?? { sent: 0, failed: 0, repeated: 0 };
    this.#counts.set(key, known);
    return known;
  }
}

interface Standing {
  readonly sending: Promise<SendOutcome | undefined>;
  readonly withdrawn: AbortController;
  /** Asked for while it stands there: when it goes without an end, it comes again. */
  again: boolean;
}

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
