/** Calculates the delay before the next connection attempt. Pure. */
import { backoff, jittered } from '../../../src/core/backoff.ts';

const BACKOFF_MS = { first: 400, max: 15_000 } as const;

/**
 * Doubles from 0.4 s to 15 s; `random` (0…1) spreads clients by ±20 %, so that a restart is not met by all of them at
 * once.
 */
export const reconnectDelay = (attempt: number, random: number): number =>
  Math.round(jittered(backoff(BACKOFF_MS, Math.max(0, attempt)), [0.8, 1.2], random));
