/** A part of the program that is created on first use. After a failure the next use tries again. */
import { onFailure } from './settled.ts';

/** Something that is there once somebody needs it. */
export interface Lazy<T> {
  /** Calls during the build share its result. */
  get(): Promise<T>;
  /** What was asked for and has not failed; undefined: nobody needed it. */
  readonly begun: Promise<T> | undefined;
}

/** Nothing is built before the first `get`; a failure rejects that call and is not remembered. */
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
