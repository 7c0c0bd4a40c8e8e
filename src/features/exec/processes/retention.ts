/**
 * Which finished processes are removed: old ones, and the oldest if there are too many or they use too much space.
 * Pure.
 */

export interface Ended {
  readonly endedAt: number;
  /** On disk. */
  readonly bytes: number;
  /** Somebody has yet to hear of its end, or something it left behind still runs. */
  readonly needed: boolean;
}

export const MAX_ENDED = 50;
export const MAX_BYTES = 512 * 1024 * 1024;
/** Milliseconds an end nobody could be told of is kept. */
const MAX_NEEDED_MS = 24 * 60 * 60_000;

export function expired<T extends Ended>(
  all: readonly T[],
  { now, cleanupMs }: { readonly now: number; readonly cleanupMs: number },
): readonly T[] {
  const newestFirst = all
    .filter(({ needed, endedAt }) => !needed || now - endedAt > MAX_NEEDED_MS)
    .sort((a, b) => b.endedAt - a.endedAt);
  let bytes = 0;
  return newestFirst.filter((ended, index) => {
    bytes += ended.bytes;
    return index >= MAX_ENDED || now - ended.endedAt > cleanupMs || (bytes > MAX_BYTES && index > 0);
  });
}

/** Milliseconds between two looks. */
export const sweepEvery = (cleanupMs: number): number => Math.max(30_000, Math.floor(cleanupMs / 6));
