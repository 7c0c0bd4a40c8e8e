/** Collects the parts of an album, which arrive as separate messages within a moment. */
import { AppError, type Clock, type InboundMessage } from '../../sdk/index.ts';
import { mergeAlbum } from './inbound.ts';

export interface Albums extends Disposable {
  /**
   * Adds a piece; `begin` is called with the first of an album, and the promise it gives is that of every piece. The
   * message it awaits is the album whole; rejects with `AppError('aborted')` when all stops before it is.
   */
  join(
    key: string,
    piece: InboundMessage,
    begin: (whole: () => Promise<InboundMessage>) => Promise<void>,
  ): Promise<void>;
}

/** Milliseconds without another piece. */
const QUIET_MS = 250;

interface Album {
  readonly pieces: InboundMessage[];
  /** False: it never will be. */
  readonly isWhole: PromiseWithResolvers<boolean>;
  quiet: Disposable | undefined;
  done: Promise<void>;
}

export function createAlbums(clock: Clock): Albums {
  const open = new Map<string, Album>();

  function end(key: string, isWhole: boolean): void {
    const album = open.get(key)!;
    album.quiet?.[Symbol.dispose]();
    open.delete(key);
    album.isWhole.resolve(isWhole);
  }

  return {
    join(key, piece, begin) {
      const known = open.get(key);
      const album = known ?? {
        pieces: [],
        isWhole: Promise.withResolvers(),
        quiet: undefined,
        done: Promise.resolve(),
      };
      open.set(key, album);
      album.pieces.push(piece);
      album.quiet?.[Symbol.dispose]();
      album.quiet = clock.setTimeout(() => end(key, true), QUIET_MS);
      if (!known) album.done = begin(() => wholeOf(album));
      return album.done;
    },
    [Symbol.dispose]: () => [...open.keys()].forEach((key) => end(key, false)),
  };
}

async function wholeOf({ pieces, isWhole }: Album): Promise<InboundMessage> {
  if (await isWhole.promise) return mergeAlbum(pieces)!;
  throw new AppError('aborted', 'The account is being closed.');
}
