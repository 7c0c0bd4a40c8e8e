/** A part of the program that is built when it is first asked for; what failed is built anew for whoever asks next. */
import { onFailure } from './settled.ts';

/** Something that is there once somebody needs it. */
export interface Lazy<T> {
  /** Everybody who asks while it is being built shares that one. */
  get(): Promise<T>;
  /** What was asked for and has not failed; undefined: nobody needed it. */
  readonly begun: Promise<T> | undefined;
}

/** Nothing is built before the first `get`; a failure is told to whoever asked, and forgotten. */
export function loadOnce<T>(build: () => Promise<T>): Lazy<T> {
  let begun: Promise<T> | undefined;
  return {
    get() {
      if (begun) return begun;
      const building = (begun = build());
      onFailure(building, () => {
        begun = undefined;
      });
      return building;
    },
    get begun() {
      return begun;
    },
  };
}
