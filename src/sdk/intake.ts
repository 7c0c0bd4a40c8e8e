/**
 * Passes what a platform delivers to the gateway: in order per chat, a limited number of chats in parallel, retried
 * until accepted. Only then may it be acknowledged.
 */
import { backoff, jittered } from '../core/backoff.ts';
import { AppError, asAppError, mayPass } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { createKeyedQueue } from '../platform/keyed-queue.ts';
import { pause } from '../platform/pause.ts';
import { createSemaphore } from '../platform/semaphore.ts';
import { abortedBy, settlesWithin } from '../platform/timeout.ts';

/** Takes a platform's updates, in order within one key. */
export interface Intake extends AsyncDisposable {
  /**
   * Runs `work` once everything offered under the same key before is done, and again, with growing pauses, while it
   * fails: nothing overtakes it meanwhile. Resolves with what `work` gave, or with undefined where it failed time and
   * again for a reason that does not pass, which is logged and holds up nothing. Rejects with `AppError('aborted')`
   * where the intake was
   * closed first, and with `overloaded` where too much waits already: it has to come again.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Takes no more, tries nothing again, and waits for what runs: at most `closeMs`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The intake's log, clock and limits. */
export interface IntakeOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** What may run or wait; more than that is refused, for platforms that deliver again. Default: no limit. */
  readonly maxPending?: number;
  /** Milliseconds. */
  readonly closeMs?: number;
  /** 0 ≤ n < 1, for jitter. */
  random?(): number;
}

/** Keys whose work runs at the same time. */
const MAX_RUNNING = 32;
const BACKOFF_MS = { first: 250, max: 30_000 } as const;
const CLOSE_MS = 5000;
/**
 * For what will hardly pass: it would hold up its chat for ever. One more than the account has for a message it cannot
 * take, so that the account decides about messages.
 */
const MAX_TRIES = 6;

/** One for each account: its chats share the places in it. */
export function createIntake(options: IntakeOptions): Intake {
  const { clock = systemClock, maxPending = Infinity, closeMs = CLOSE_MS } = options;
  const queue = createKeyedQueue();
  const semaphore = createSemaphore(MAX_RUNNING);
  const stop = new AbortController();
  let pending = 0;

  return {
    async take(key, work) {
      if (stop.signal.aborted) throw abortedBy(stop.signal);
      if (pending >= maxPending) throw new AppError('overloaded', `${maxPending} messages wait already.`);
      pending += 1;
      try {
        const untilTaken = () => retry(work, { ...options, clock, signal: stop.signal });
        return await queue.run(key, () => semaphore.run(untilTaken, stop.signal), stop.signal);
      } finally {
        pending -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await settlesWithin(queue.idle(), closeMs, clock);
    },
  };
}

interface Retry extends IntakeOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function retry<T>(work: () => Promise<T>, retrying: Retry): Promise<T | undefined> {
  const { log, clock, signal, random = Math.random } = retrying;
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) && tries >= MAX_TRIES) {
        log.error('intake.dropped', { tries, error });
        return undefined;
      }
      const { code, message, retryAfterMs } = asAppError(error);
      const waitMs = retryAfterMs ?? jittered(backoff(BACKOFF_MS, tries - 1), [0.75, 1.25], random());
      log.warn('intake.retry', { tries, code, reason: message, waitMs: Math.round(waitMs) });
      await pause(waitMs, signal, clock);
    }
  }
  throw abortedBy(signal);
}
