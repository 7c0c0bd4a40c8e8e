/**
 * Work per chat in order, chats side by side up to a bound; what fails for a while is tried again before what stands
 * behind it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, backoff, type Log, pause } from '../../sdk/index.ts';

const AT_ONCE = 32;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

export interface Lanes {
  /** Resolves when the work is done, was given up for good, or was cut short by `close` (`false`). */
  add(lane: string, work: () => Promise<void>): Promise<boolean>;
  /** Takes no more; waits for what runs, at most so long. */
  close(timeoutMs: number): Promise<void>;
}

export function createLanes({ log }: { readonly log: Log }): Lanes {
  const lanes = new Map<string, Promise<boolean>>();
  const stop = new AbortController();
  const waiting: (() => void)[] = [];
  const state = { running: 0 };

  async function inTurn(work: () => Promise<void>): Promise<boolean> {
    if (state.running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    state.running += 1;
    try {
      return await untilDone(work);
    } finally {
      state.running -= 1;
      waiting.shift()?.();
    }
  }

  async function untilDone(work: () => Promise<void>): Promise<boolean> {
    for (let attempt = 0; !stop.signal.aborted; attempt++) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof AppError) || !comesBack(error)) {
          log.error('discord.event', { error }); // a fault in one event must not stop the chat
          return true;
        }
        log.warn('discord.retry', { attempt, error });
        await pause(
          error.retryAfterMs ?? backoff({ first: FIRST_WAIT_MS, most: LONGEST_WAIT_MS }, attempt),
          stop.signal,
        );
      }
    }
    return false;
  }

  return {
    add(lane, work) {
      const before = lanes.get(lane) ?? Promise.resolve(true);
      const done = before.then(() => (stop.signal.aborted ? false : inTurn(work)));
      lanes.set(lane, done);
      void done.finally(() => {
        if (lanes.get(lane) === done) lanes.delete(lane);
      });
      return done;
    },
    async close(timeoutMs) {
      stop.abort();
      const enough = new AbortController();
      await Promise.race([
        Promise.all(lanes.values()),
        sleep(timeoutMs, undefined, { signal: enough.signal, ref: false }),
      ]).finally(() => enough.abort());
    },
  };
}

/** What the journal or the network may yet do; `storage` too: a full disk gets room again. */
const comesBack = (error: AppError): boolean => error.retryable || error.code === 'storage';
