/** Collects the parts of an album, which arrive as separate messages within a moment. */
import { AppError } from '../core/errors.ts';
import type { Clock } from '../platform/clock.ts';

/** The albums of one account that are not whole yet. */
export interface Albums<T> extends Disposable {
  /**
   * Adds a piece; `begin` is called with the first of an album, and the promise it gives is that of every piece. What
   * it awaits are the pieces, in the order they came; rejects with `AppError('aborted')` when all stops before that.
   * `expected`: how many there are to be, where the platform says so; with the last of them nothing is waited for.
   */
  join(album: AlbumPlace, piece: T, begin: (whole: () => Promise<readonly T[]>) => Promise<void>): Promise<void>;
}

/** Which album, and how many pieces it has. */
export interface AlbumPlace {
  readonly key: string;
  readonly expected?: number | undefined;
}

/**
 * Milliseconds without another piece, where it is not known that one is missing. The next piece may come with the next
 * poll, which begins up to 200 ms later and takes as long as the network and a busy machine make it.
 */
const QUIET_MS = 1000;
/** Milliseconds without another piece, where one is missing: it may never come. */
const MISSING_MS = 5000;
/** More are no album that a person sends. */
const MAX_PIECES = 100;
/** Milliseconds for all of it: whoever goes on sending pieces must not hold up a chat. */
const LONGEST_MS = 20_000;

interface Album<T> {
  readonly pieces: T[];
  /** False: it never will be. */
  readonly isWhole: PromiseWithResolvers<boolean>;
  quiet: Disposable | undefined;
  readonly bound: Disposable;
  done: Promise<void>;
}

/** An album ends with its last piece, or when no other one comes for a while. */
export function createAlbums<T>(clock: Pick<Clock, 'setTimeout'>): Albums<T> {
  const open = new Map<string, Album<T>>();

  function end(key: string, isWhole: boolean): void {
    const album = open.get(key)!;
    album.quiet?.[Symbol.dispose]();
    album.bound[Symbol.dispose]();
    open.delete(key);
    album.isWhole.resolve(isWhole);
  }

  return {
    join({ key, expected = 0 }, piece, begin) {
      const known = open.get(key);
      const album: Album<T> = known ?? {
        pieces: [],
        isWhole: Promise.withResolvers(),
        quiet: undefined,
        bound: clock.setTimeout(() => end(key, true), LONGEST_MS),
        done: Promise.resolve(),
      };
      open.set(key, album);
      album.pieces.push(piece);
      album.quiet?.[Symbol.dispose]();
      const missing = expected - album.pieces.length;
      album.quiet = clock.setTimeout(() => end(key, true), missing > 0 ? MISSING_MS : QUIET_MS);
      if (!known) album.done = begin(() => wholeOf(album));
      if ((expected > 0 && missing <= 0) || album.pieces.length >= MAX_PIECES) end(key, true);
      return album.done;
    },
    [Symbol.dispose]: () => [...open.keys()].forEach((key) => end(key, false)),
  };
}

async function wholeOf<T>({ pieces, isWhole }: Album<T>): Promise<readonly T[]> {
  if (await isWhole.promise) return pieces;
  throw new AppError('aborted', 'The account is being closed.');
}
