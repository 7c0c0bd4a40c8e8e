/** Slows down password guessing: after too many failed logins, a network must wait. */
import { setNewest } from '../../core/bounded-map.ts';
import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/network-of.ts';

const WINDOW_MS = 60_000;
const MAX_FAILURES = 10;
const LOCKOUT_MS = 5 * 60_000;
const MAX_NETWORKS = 10_000;

export interface FailedLogins {
  /** Milliseconds this address has to wait, or undefined. */
  lockedFor(ip: string): number | undefined;
  failed(ip: string): void;
  succeeded(ip: string): void;
}

export function createFailedLogins(clock: Clock): FailedLogins {
  const known = new Map<string, { since: number; count: number; lockedUntil: number }>();
  return {
    lockedFor(ip) {
      const left = (known.get(networkOf(ip))?.lockedUntil ?? 0) - clock.now();
      return left > 0 ? left : undefined;
    },
    failed(ip) {
      const now = clock.now();
      const before = known.get(networkOf(ip));
      const entry = before && now - before.since < WINDOW_MS ? before : { since: now, count: 0, lockedUntil: 0 };
      entry.count += 1;
      if (entry.count >= MAX_FAILURES) entry.lockedUntil = now + LOCKOUT_MS;
      setNewest(known, networkOf(ip), entry, MAX_NETWORKS);
    },
    succeeded: (ip) => void known.delete(networkOf(ip)),
  };
}
