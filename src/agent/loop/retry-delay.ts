/** Calculates the delay before a model request is retried. */
import { backoff, jittered } from '../../core/backoff.ts';
import type { AppError } from '../../core/errors.ts';
import type { RetrySettings } from './loop-input.ts';

/**
 * Milliseconds before retry `attempt` (from 1): what the vendor asked for, else doubling with half of it as jitter.
 * Undefined when no retry is worth it: a fault that stays, attempts used up, or a longer pause than we have patience
 * for.
 */
export function retryDelay(
  error: AppError,
  attempt: number,
  retry: RetrySettings,
  random: () => number,
): number | undefined {
  if (!error.retryable || attempt >= retry.attempts) return undefined;
  const wait = jittered(backoff({ first: retry.baseMs, max: retry.maxMs }, attempt - 1), [0.5, 1], random());
  if (error.retryAfterMs === undefined) return wait;
  return error.retryAfterMs > retry.timeoutMs ? undefined : Math.max(error.retryAfterMs, wait);
}
