/** Limits how often one page or program may act, so that it cannot fill the queue of an agent. */
import { AppError } from '../core/errors.ts';
import type { Clock } from '../platform/clock.ts';

const MAX_KEYS = 1000;

/** Counts what somebody does, by a key of theirs. */
export interface Throttle {
  /** Throws `AppError('rate_limited')`. */
  demand(key: string): void;
}

/** `max` within `everyMs` milliseconds, by key. */
export function createThrottle({
  clock,
  max,
  everyMs,
}: {
  readonly clock: Clock;
  readonly max: number;
  readonly everyMs: number;
}): Throttle {
  const windows = new Map<string, { since: number; count: number }>();
  return {
    demand(key) {
      const now = clock.now();
      const known = windows.get(key);
      const window = known && now - known.since < everyMs ? known : { since: now, count: 0 };
      windows.delete(key);
      windows.set(key, window);
      for (const oldest of windows.keys()) {
        if (windows.size <= MAX_KEYS) break;
        windows.delete(oldest);
      }
      window.count++;
      if (window.count > max)
        throw new AppError('rate_limited', 'Too many actions; wait a moment.', {
          retryAfterMs: Math.max(1, window.since + everyMs - now),
        });
    },
  };
}
