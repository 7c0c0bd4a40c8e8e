/** Counts wrong secrets per client address and shuts the door for a while after too many. */
import { AppError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface AttemptLimiter {
  /** Throws `AppError('rate_limited')` while the address is shut out. */
  check(ip: string): void;
  failed(ip: string): void;
  succeeded(ip: string): void;
}

export interface AttemptLimits {
  /** Wrong secrets within the window before the address is shut out. */
  readonly failures: number;
  readonly windowMs: number;
  /** Addresses remembered; the oldest are forgotten first. */
  readonly addresses: number;
}

export const DEFAULT_ATTEMPT_LIMITS: AttemptLimits = { failures: 10, windowMs: 60_000, addresses: 10_000 };

export function createAttemptLimiter(clock: Pick<Clock, 'now'>, limits: AttemptLimits = DEFAULT_ATTEMPT_LIMITS): AttemptLimiter {
  const seen = new Map<string, { failures: number; until: number }>();

  return {
    check(ip) {
      const entry = seen.get(networkOf(ip));
      if (!entry || entry.failures < limits.failures) return;
      const retryAfterMs = entry.until - clock.now();
      if (retryAfterMs > 0) throw new AppError('rate_limited', `Too many wrong tokens from this address. Try again in ${Math.ceil(retryAfterMs / 1000)} s.`, { retryAfterMs });
      seen.delete(networkOf(ip));
    },
    failed(ip) {
      const key = networkOf(ip);
      const entry = seen.get(key);
      const failures = entry && entry.until > clock.now() ? entry.failures + 1 : 1;
      seen.delete(key);
      seen.set(key, { failures, until: clock.now() + limits.windowMs });
      if (seen.size > limits.addresses) seen.delete(seen.keys().next().value!);
    },
    succeeded(ip) {
      if (seen.size > 0) seen.delete(networkOf(ip));
    },
  };
}

/** One customer's IPv6 network is one address: anybody there can pick from 2^64 of them. */
function networkOf(ip: string): string {
  return ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip;
}
