/** Calculates backoff delays: doubled each time, up to a maximum. Pure. */

/** The limits of growing waits, in milliseconds. */
export interface Backoff {
  /** Milliseconds before the first repetition. */
  readonly first: number;
  /** No wait is longer. */
  readonly max: number;
}

/** `repetition`: 0 before the first one. */
export const backoff = ({ first, max }: Backoff, repetition: number): number =>
  Math.min(max, first * 2 ** Math.min(repetition, 32));

/** The same, anywhere between the shares `from` and `to` of it, so that many do not come back at once. */
export const jittered = (ms: number, [from, to]: readonly [number, number], random: number): number =>
  ms * (from + (to - from) * random);
