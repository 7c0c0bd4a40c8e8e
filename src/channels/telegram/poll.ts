/** Long polling: the next poll confirms only the updates that were recorded, so none is lost. */
import {
  type AccountFacts,
  AppError,
  backoff,
  type Clock,
  jittered,
  type Log,
  pause,
  type ProblemBoard,
  settlesWithin,
  present,
} from '../../sdk/index.ts';
import type { Update } from 'grammy/types';
import { POLL_SECONDS, type TelegramApi } from './api.ts';
import type { Receiver } from './receiver.ts';
import { createRivalry } from './rivalry.ts';
import { ALLOWED_UPDATES, isUpdate } from './updates.ts';

export interface PollOptions {
  readonly api: TelegramApi;
  readonly receiver: Receiver;
  readonly reactions: boolean;
  readonly report: (facts: AccountFacts) => void;
  readonly board: ProblemBoard;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** While something is being taken, what is new is looked for this often. */
const RELOOK_MS = 200;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 30_000;

/** Ends when `signal` fires; rejects with `auth` when the token is not accepted any more. */
export async function poll(options: PollOptions): Promise<void> {
  const { signal, clock, receiver, log } = options;
  const queue = createQueue((update) => receiver.take(update), log);
  const rivalry = createRivalry(options);
  for (let failures = 0; !signal.aborted; ) {
    const offset = queue.offset();
    const outcome = await getUpdates(options, { offset, wait: queue.busy() || failures > 0 ? 0 : POLL_SECONDS });
    if (outcome instanceof AppError) {
      if (outcome.code === 'auth') throw outcome;
      if (signal.aborted) return;
      complain(options, outcome);
      const rival = outcome.code === 'conflict' ? await rivalry.refused(outcome) : undefined;
      if (rival === undefined) failures += 1;
      await pause(rival ?? outcome.retryAfterMs ?? waitMs(failures), signal, clock);
      continue;
    }
    failures = 0;
    content(options);
    rivalry.fine();
    const fresh = queue.add(outcome);
    if (fresh > 0 || queue.busy()) await settlesWithin(queue.settled(), RELOOK_MS, clock);
    else if (outcome.length > 0 && queue.offset() === offset) await pause(RELOOK_MS, signal, clock);
  }
}

async function getUpdates(
  { api, reactions, signal }: PollOptions,
  { offset, wait }: { offset: number | undefined; wait: number },
): Promise<readonly unknown[] | AppError> {
  try {
    const updates: unknown = await api.polls.getUpdates(
      {
        ...present({ offset }),
        limit: 100,
        timeout: wait,
        allowed_updates: ALLOWED_UPDATES.filter((kind) => reactions || kind !== 'message_reaction'),
      },
      signal,
    );
    return Array.isArray(updates)
      ? updates
      : new AppError('bad_response', 'Telegram returned an invalid response to getUpdates: not a list.');
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

interface Queue {
  /** Hands over what is not known yet; how many there were. */
  add(updates: readonly unknown[]): number;
  busy(): boolean;
  settled(): Promise<unknown>;
  /**
   * The first update that is not done. Undefined: all that Telegram has is wanted, whatever its number; ids begin anew
   * after a quiet week.
   */
  offset(): number | undefined;
}

function createQueue(take: (update: Update) => Promise<void>, log: Log): Queue {
  const pending = new Map<number, Promise<void>>();
  const done = new Set<number>();
  let confirmed: number | undefined;

  function start(update: Update): void {
    const { update_id: id } = update;
    pending.set(
      id,
      take(update).then(
        () => {
          pending.delete(id);
          done.add(id);
        },
        // it stays pending: the platform offers it again
        (error: unknown) => log.debug('telegram.update.untaken', { update: id, error }),
      ),
    );
  }

  return {
    add(updates) {
      const readable = updates.filter(isUpdate);
      if (readable.length < updates.length)
        log.warn('telegram.update.malformed', { count: updates.length - readable.length });
      const fresh = readable.filter(({ update_id: id }) => !pending.has(id) && !done.has(id));
      for (const update of fresh) start(update);
      confirmed = readable.length === 0 ? undefined : Math.max(...readable.map(({ update_id: id }) => id)) + 1;
      return fresh.length;
    },
    busy: () => pending.size > 0,
    settled: () => Promise.all(pending.values()),
    offset() {
      if (pending.size > 0) return Math.min(...pending.keys());
      done.clear(); // below the offset nothing comes again
      return confirmed;
    },
  };
}

const waitMs = (failures: number): number =>
  jittered(backoff({ first: BACKOFF_FIRST_MS, max: BACKOFF_MAX_MS }, failures - 1), [0.75, 1.25], Math.random());

function content({ report, board }: PollOptions): void {
  board.set('poll', undefined);
  report({ connected: true, alive: true });
}

function complain({ board, report, log }: PollOptions, error: AppError): void {
  log.warn('telegram.poll.failed', { code: error.code, message: error.message });
  if (error.code !== 'conflict') board.set('poll', { kind: 'runtime', message: error.message });
  report({ connected: false });
}
