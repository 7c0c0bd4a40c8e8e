/** Sends the outbox: in order per chat, until the platform took it, never twice where that can be known (P6). */
import type { ChannelCapabilities, ChannelConnection } from '../../core/channel.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { OutboundMessage, ReplyPayload } from '../../core/reply.ts';
import type { Clock } from '../../platform/clock.ts';

export interface OutgoingRow { readonly id: number; readonly token: string; readonly runId: string; readonly sessionKey: string; readonly address: ChatAddress; readonly payload: ReplyPayload; readonly state: 'pending' | 'sending' | 'uncertain' | 'sent' | 'failed'; readonly attempts: number }

/** The outbox's rows as the sender needs them; the journal has this shape. */
export interface OutboxRows {
  get(id: number): OutgoingRow | undefined;
  open(): readonly OutgoingRow[];
  sending(id: number): Promise<void>;
  sent(id: number, messageIds: readonly string[]): Promise<void>;
  retryAt(id: number, state: 'pending' | 'uncertain', nextAt: number, error: string): Promise<void>;
  failed(id: number, error: string): Promise<void>;
}

export interface OutboxSenderDeps {
  readonly outbox: OutboxRows;
  /** The live connection of an account; undefined while it is down. */
  connection(address: ChatAddress): { readonly connection: ChannelConnection; readonly capabilities: ChannelCapabilities } | undefined;
  readonly log: Log;
  readonly clock: Clock;
  reached(point: 'send.before' | 'send.after' | 'send.acknowledged', runId: string): void;
  readonly maxAttempts?: number;
}

export type SendOutcome = { readonly status: 'sent'; readonly messageIds: readonly string[] } | { readonly status: 'failed'; readonly error: string };
export type OutboxSender = ReturnType<typeof createOutboxSender>;

const MAX_ATTEMPTS = 8;
const LONGEST_WAIT_MS = 60_000;

export function createOutboxSender(deps: OutboxSenderDeps) {
  /** The end of the line for each chat: one message at a time, in order. */
  const lines = new Map<string, Promise<unknown>>();
  const stopping = new AbortController();

  /** Undefined when the row has its end already. */
  function send(id: number): Promise<SendOutcome | undefined> {
    const found = deps.outbox.get(id);
    if (!found) return Promise.resolve(undefined);
    const { channel, accountId, chat, threadId } = found.address;
    const line = JSON.stringify([channel, accountId, chat.kind, chat.id, threadId]);
    const turn = (lines.get(line) ?? Promise.resolve()).then(() => {
      const row = deps.outbox.get(id); // as it is now: whoever stood before us in the line may have sent it
      return row && row.state !== 'sent' && row.state !== 'failed' ? deliver(row) : undefined;
    });
    const settled = turn.catch((error: unknown) => deps.log.error('outbox.write', { id, error })).finally(() => {
      if (lines.get(line) === settled) lines.delete(line);
    });
    lines.set(line, settled);
    return turn;
  }

  async function deliver(first: OutgoingRow): Promise<SendOutcome | undefined> {
    let row = first;
    for (let attempt = row.attempts + 1; ; attempt++) {
      if (stopping.signal.aborted) return undefined; // stays in the outbox for the next start
      const tried = await attemptOnce(row);
      if (!(tried instanceof AppError)) return tried;
      if (attempt >= (deps.maxAttempts ?? MAX_ATTEMPTS) || !tried.retryable) return giveUp(row, tried);
      const wait = Math.min(LONGEST_WAIT_MS, tried.retryAfterMs ?? 500 * 2 ** (attempt - 1));
      const uncertain = leftUs(tried);
      await deps.outbox.retryAt(row.id, uncertain ? 'uncertain' : 'pending', deps.clock.now() + wait, tried.message);
      row = { ...row, state: uncertain ? 'uncertain' : 'pending' };
      await deps.clock.sleep(wait, stopping.signal).catch(() => undefined /* looked at above */);
    }
  }

  async function attemptOnce(row: OutgoingRow): Promise<SendOutcome | AppError> {
    const live = deps.connection(row.address);
    if (!live) return new AppError('unavailable', `The channel ${row.address.channel} is not connected.`);
    try {
      const found = await resolveUncertain(row, live);
      if (found !== undefined) return found;
      if (!live.capabilities.idempotentSend) await deps.outbox.sending(row.id);
      deps.reached('send.before', row.runId);
      const { messageIds } = await live.connection.send(row.address, outbound(row));
      deps.reached('send.after', row.runId);
      await deps.outbox.sent(row.id, messageIds);
      deps.reached('send.acknowledged', row.runId);
      return { status: 'sent', messageIds };
    } catch (error) {
      return asAppError(error, 'internal');
    }
  }

  /** A send whose answer never came: read back where the platform lets us; else it is not repeated, and that is told. */
  async function resolveUncertain(row: OutgoingRow, { connection, capabilities }: { connection: ChannelConnection; capabilities: ChannelCapabilities }): Promise<SendOutcome | undefined> {
    if (row.state === 'pending' || capabilities.idempotentSend) return undefined;
    const found = await connection.readBack?.(row.address, row.token);
    if (found && found.length > 0) {
      await deps.outbox.sent(row.id, found);
      return { status: 'sent', messageIds: found };
    }
    if (connection.readBack) return undefined; // it is not there: send it
    return giveUp(row, new AppError('timeout', `It is unknown whether ${row.address.channel} took this message; it was not sent again.`));
  }

  async function giveUp(row: OutgoingRow, error: AppError): Promise<SendOutcome> {
    await deps.outbox.failed(row.id, error.message);
    deps.log.error('outbox.failed', { id: row.id, runId: row.runId, channel: row.address.channel, error });
    return { status: 'failed', error: error.message };
  }

  return {
    send,
    /** Sends what an earlier life left behind. */
    resume: (): void => deps.outbox.open().forEach((row) => void send(row.id).catch(() => undefined /* logged in send */)),
    /** Waits for what is on its way, at most until the signal. */
    async close(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(lines.values());
    },
  };
}

const leftUs = (error: AppError): boolean => error.code === 'timeout' || error.code === 'network' || error.code === 'bad_response';

const outbound = ({ token, runId, sessionKey, payload }: OutgoingRow): OutboundMessage => ({ token, runId, sessionKey, payload });
