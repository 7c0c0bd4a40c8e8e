/** A bounded buffer of the newest entries of a page, each cut to length. */
import { head } from '../../../core/cut.ts';

export interface RingBuffer<T> {
  add(one: T): void;
  /** Oldest first. */
  all(): readonly T[];
  clear(): void;
  /** The number of dropped entries. */
  readonly dropped: number;
}

export function createRingBuffer<T>(max: number): RingBuffer<T> {
  let kept: T[] = [];
  let dropped = 0;
  return {
    add(one) {
      kept.push(one);
      if (kept.length < max * 2) return;
      dropped += kept.length - max;
      kept = kept.slice(-max);
    },
    all: () => kept.slice(-max),
    clear: () => void (kept = []),
    get dropped() {
      return dropped + Math.max(0, kept.length - max);
    },
  };
}

const MAX_TEXT = 2000;
export const shortText = (text: string): string => (text.length > MAX_TEXT ? `${head(text, MAX_TEXT)}…` : text);
