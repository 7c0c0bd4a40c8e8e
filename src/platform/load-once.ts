/** A part of the program that is built when it is first asked for; what failed is built anew for whoever asks next. */

export interface Lazy<T> {
  /** Everybody who asks while it is being built shares that one. */
  get(): Promise<T>;
  /** What was asked for and has not failed; undefined: nobody needed it. */
  readonly begun: Promise<T> | undefined;
}

export function loadOnce<T>(build: () => Promise<T>): Lazy<T> {
  let begun: Promise<T> | undefined;
  return {
    get() {
      if (begun) return begun;
      const building = (begun = build());
      building.catch(() => {
        begun = undefined;
      }); // the caller sees the error
      return building;
    },
    get begun() {
      return begun;
    },
  };
}
