/**
 * Counts unauthenticated connections by network; when the limit is reached, the one that was silent longest is closed.
 */

/** Connections that have not authenticated yet. Adding one may close another. */
export interface ConnectionLimiter<T> {
  /** Adds a connection; drops another one when there are too many. */
  joined(one: T, from: string): void;
  /** It sent a request: silent ones are dropped before it. */
  requested(one: T): void;
  /** It has authenticated, or it has closed. */
  left(one: T): void;
  readonly size: number;
}

/** How many may wait at once, in all and from one place, and what happens to one too many. */
export interface ConnectionLimits<T> {
  total(): number;
  /** How many may come from one place. */
  perPlace(from: string): number;
  /** Must not wait, nor be answered by `left`. */
  drop(one: T): void;
}

interface Bucket<T> {
  readonly silent: Set<T>;
  readonly requesting: Set<T>;
}

/** Limits connections that have not authenticated; above a limit, the one that was silent longest is closed. */
export function createConnectionLimiter<T>({ total, perPlace, drop }: ConnectionLimits<T>): ConnectionLimiter<T> {
  const all: Bucket<T> = emptyBucket();
  const places = new Map<string, Bucket<T>>();
  const cameFrom = new Map<T, string>();

  const bucketsOf = (one: T): readonly Bucket<T>[] => {
    const place = places.get(cameFrom.get(one) ?? '');
    return place ? [all, place] : [];
  };

  function left(one: T): void {
    for (const { silent, requesting } of bucketsOf(one)) {
      silent.delete(one);
      requesting.delete(one);
    }
    const from = cameFrom.get(one);
    cameFrom.delete(one);
    if (from !== undefined && sizeOf(places.get(from)!) === 0) places.delete(from);
  }

  function makeRoom(full: Bucket<T>, limit: number): void {
    while (sizeOf(full) >= limit && sizeOf(full) > 0) {
      const goes = longestSilent(full);
      left(goes);
      drop(goes);
    }
  }

  return {
    joined(one, from) {
      const place = places.get(from);
      if (place) makeRoom(place, perPlace(from));
      makeRoom(all, total());
      // Making room may have emptied the place, and then it is forgotten.
      const here = places.get(from) ?? emptyBucket<T>();
      places.set(from, here);
      cameFrom.set(one, from);
      for (const { silent } of [all, here]) silent.add(one);
    },
    requested(one) {
      for (const { silent, requesting } of bucketsOf(one)) if (silent.delete(one)) requesting.add(one);
    },
    left,
    get size() {
      return cameFrom.size;
    },
  };
}

const emptyBucket = <T>(): Bucket<T> => ({ silent: new Set(), requesting: new Set() });
const sizeOf = ({ silent, requesting }: Bucket<unknown>): number => silent.size + requesting.size;

/**
 * Where most have asked, those who have not are the newest and had no time to; then the first who asked goes. The order
 * never changes, so that nobody stays by asking again and again.
 */
function longestSilent<T>(bucket: Bucket<T>): T {
  const from = bucket.silent.size * 2 >= sizeOf(bucket) ? bucket.silent : bucket.requesting;
  return from.values().next().value!;
}
