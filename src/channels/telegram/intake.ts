/**
 * Takes updates in: the messages of a chat one after the other, chats side by side, the pieces of an album together.
 */
import { AppError, type Clock, type InboundMessage, type Log } from '../../sdk/index.ts';
import type { Update } from 'grammy/types';
import { mergeAlbum } from './inbound.ts';

export interface Intake {
  /**
   * Resolves when the update is done with for good: its message is on disk, or there is none in it. Rejects only when
   * everything stops.
   */
  take(update: Update): Promise<void>;
  /** Settles when nothing is being taken any more. */
  idle(): Promise<void>;
}

export interface IntakeOptions {
  read(update: Update): InboundMessage | undefined;
  receive(message: InboundMessage): Promise<unknown>;
  /** After a message was taken, for what the platform wants to hear besides. */
  taken(update: Update): void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The pieces of an album come within a moment of each other. */
const ALBUM_QUIET_MS = 250;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;

interface Album {
  readonly parts: InboundMessage[];
  whole: PromiseWithResolvers<void>;
  quiet: { cancel(): void } | undefined;
  done: Promise<void>;
}

export function createIntake({ read, receive, taken, clock, signal, log }: IntakeOptions): Intake {
  const tails = new Map<string, Promise<void>>();
  const albums = new Map<string, Album>();
  const flying = new Map<number, Promise<void>>();

  /** Until it is on disk: the platform hears of it only then, and nothing of this chat overtakes it. */
  async function persist(message: InboundMessage): Promise<void> {
    for (let delay = RETRY_FIRST_MS; ; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
      if (signal.aborted) throw new AppError('aborted', 'The account is being closed.');
      const failed = await receive(message).then(
        () => undefined,
        (error: unknown) => error ?? new Error('unknown'),
      );
      if (failed === undefined) return;
      const wait = (failed instanceof AppError && failed.retryAfterMs) || delay;
      log.warn('telegram.receive.failed', {
        code: failed instanceof AppError ? failed.code : 'internal',
        retryInMs: wait,
      });
      await clock.sleep(wait, signal);
    }
  }

  function inLine(chat: string, work: () => Promise<void>): Promise<void> {
    const done = (tails.get(chat) ?? Promise.resolve()).then(work);
    const tail = done
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => void (tails.get(chat) === tail && tails.delete(chat)));
    tails.set(chat, tail);
    return done;
  }

  function join(key: string, message: InboundMessage): Promise<void> {
    const album = albums.get(key) ?? open(key, message.address.chat.id);
    album.parts.push(message);
    album.quiet?.cancel();
    album.quiet = clock.setTimeout(() => {
      albums.delete(key);
      album.whole.resolve();
    }, ALBUM_QUIET_MS);
    return album.done;
  }

  function open(key: string, chat: string): Album {
    const album: Album = { parts: [], whole: Promise.withResolvers<void>(), quiet: undefined, done: Promise.resolve() };
    albums.set(key, album);
    album.done = inLine(chat, async () => {
      await album.whole.promise;
      await persist(mergeAlbum(album.parts)!);
    });
    return album;
  }

  async function begin(update: Update): Promise<void> {
    const message = readable(read, update, log);
    const group = update.message?.media_group_id ?? update.channel_post?.media_group_id;
    if (message)
      await (group === undefined
        ? inLine(message.address.chat.id, () => persist(message))
        : join(`${message.address.chat.id}:${group}`, message));
    taken(update);
  }

  signal.addEventListener(
    'abort',
    () => {
      for (const { quiet, whole } of albums.values()) {
        quiet?.cancel();
        whole.resolve();
      }
      albums.clear();
    },
    { once: true },
  );

  return {
    take(update) {
      const known = flying.get(update.update_id);
      if (known) return known;
      const work = begin(update).finally(() => flying.delete(update.update_id));
      flying.set(update.update_id, work);
      return work;
    },
    idle: () => Promise.allSettled(flying.values()).then(() => undefined),
  };
}

/**
 * What makes no sense is said in the log, without its content, and is done with: offered again it would make no more.
 */
function readable(read: IntakeOptions['read'], update: Update, log: Log): InboundMessage | undefined {
  try {
    return read(update);
  } catch (error) {
    log.warn('telegram.update.malformed', {
      updateId: update.update_id,
      kinds: Object.keys(update).filter((key) => key !== 'update_id'),
      error: error instanceof Error ? error.name : 'unknown',
    });
    return undefined;
  }
}
