/** How long to wait before a model is asked again. */
import type { AppError } from '../../core/errors.ts';
import type { RetrySettings } from './loop-input.ts';

/**
 * Milliseconds before retry `attempt` (from 1): what the vendor asked for, else doubling with half of it as jitter.
 * Undefined when no retry is worth it: a fault that stays, attempts used up, or a longer pause than we have patience for.
 */
export function retryDelay(error: AppError, attempt: number, retry: RetrySettings, random: () => number): number | undefined {
  if (!error.retryable || attempt >= retry.attempts) return undefined;
  const growing = Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 1));
  const jittered = growing * (0.5 + random() / 2);
  if (error.retryAfterMs === undefined) return jittered;
  return error.retryAfterMs > retry.patienceMs ? undefined : Math.max(error.retryAfterMs, jittered);
}
