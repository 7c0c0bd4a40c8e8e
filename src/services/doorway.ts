/** Messages of one session come in one after the other, though some bring files that take time to keep (P3). */

export interface Doorway {
  /** Settles like `ready`, but not before everything that came to `key` earlier is through or turned away. */
  pass<T>(key: string, ready: Promise<T>): Promise<T>;
  /** Sessions somebody is coming in to. */
  readonly size: number;
}

export function createDoorway(): Doorway {
  const last = new Map<string, Promise<void>>();
  return {
    get size() {
      return last.size;
    },
    pass(key, ready) {
      const before = last.get(key);
      const passed = Promise.all([ready, before]).then(([value]) => value);
      const clear = Promise.allSettled([passed, before]).then(() => {
        if (last.get(key) === clear) last.delete(key);
      });
      last.set(key, clear);
      return passed;
    },
  };
}
