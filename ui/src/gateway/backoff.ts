/** How long to wait before the next connection attempt. Pure. */

const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/**
 * Doubles from 0.4 s to 15 s; `random` (0…1) spreads clients by ±20 %, so that a restart is not met by all of them at
 * once.
 */
export function reconnectDelay(attempt: number, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempt));
  return Math.round(base * (0.8 + 0.4 * random));
}
