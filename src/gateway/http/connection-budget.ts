/**
 * Calculates how many connections to accept, so that enough descriptors remain for the files and sockets that messages
 * need.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Descriptors } from '../../platform/descriptors.ts';

/** `open`: connections there are now. Answers how many there may be. */
export type ConnectionBudget = (open: number) => number;

/** Half of what is free at rest is kept for everything but connections; with many descriptors this many will do. */
const MAX_KEPT = 256;
/** With so many the caps on strangers come first. */
const PLENTY = 16_384;
/** A probe and a person get in, however little is left. */
const FEWEST = 2;
/** Milliseconds one count is good for. */
const FRESH_MS = 100;

export function createConnectionBudget(descriptors: Descriptors | undefined, clock: Clock): ConnectionBudget {
  if (!descriptors || descriptors.limit > PLENTY) return () => Infinity;
  const { limit } = descriptors;
  const state = { others: 0, atRest: undefined as number | undefined, countedAt: -Infinity };

  function count(open: number): void {
    if (clock.monotonic() - state.countedAt < FRESH_MS) return;
    state.countedAt = clock.monotonic();
    state.others = descriptors!.used() - open;
    state.atRest ??= state.others;
  }

  return (open) => {
    count(open);
    const free = limit - state.atRest!;
    const kept = Math.min(Math.ceil(free / 2), MAX_KEPT);
    return Math.max(FEWEST, Math.min(free - kept, limit - state.others - FEWEST));
  };
}
