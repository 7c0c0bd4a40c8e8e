/** Takes in updates: in order per chat, chats in parallel, the parts of an album together. */
import { type Clock, createIntake, type InboundMessage, type Log } from '../../sdk/index.ts';
import type { Update } from 'grammy/types';
import { createAlbums } from '../../sdk/albums.ts';
import { mergeAlbum } from '../../sdk/said.ts';

export interface Receiver extends AsyncDisposable {
  /**
   * Resolves when the update is done with for good: its message is on disk, or there is none in it. Rejects only when
   * everything stops.
   */
  take(update: Update): Promise<void>;
}

export interface ReceiverOptions {
  read(update: Update): InboundMessage | undefined;
  receive(message: InboundMessage): Promise<unknown>;
  /** After a message was taken, for what the platform wants to hear besides. */
  taken(update: Update): void;
  readonly clock: Clock;
  readonly log: Log;
}

export function createReceiver({ read, receive, taken, clock, log }: ReceiverOptions): Receiver {
  const intake = createIntake({ log, clock });
  const albums = createAlbums<InboundMessage>(clock);
  const flying = new Map<number, Promise<void>>();

  /** Until it is on disk: the platform hears of it only then, and nothing of this chat overtakes it. */
  async function persist(chat: string, message: () => Promise<InboundMessage>): Promise<void> {
    await intake.take(chat, async () => receive(await message()));
  }

  async function begin(update: Update): Promise<void> {
    const message = readable(read, update, log);
    const group = update.message?.media_group_id ?? update.channel_post?.media_group_id;
    if (message) {
      const chat = message.address.chat.id;
      if (group === undefined) await persist(chat, () => Promise.resolve(message));
      else
        await albums.join({ key: `${chat}:${group}` }, message, (whole) =>
          persist(chat, async () => albumOf(await whole())),
        );
    }
    taken(update);
  }

  return {
    take(update) {
      const known = flying.get(update.update_id);
      if (known) return known;
      const work = begin(update).finally(() => flying.delete(update.update_id));
      flying.set(update.update_id, work);
      return work;
    },
    async [Symbol.asyncDispose]() {
      const closed = intake[Symbol.asyncDispose]();
      albums[Symbol.dispose]();
      await closed;
    },
  };
}

/**
 * What makes no sense is said in the log, without its content, and is done with: offered again it would make no more.
 */
function readable(read: ReceiverOptions['read'], update: Update, log: Log): InboundMessage | undefined {
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

/** In the order they were sent in; they may come in another one. */
function albumOf(pieces: readonly InboundMessage[]): InboundMessage {
  const [first, ...rest] = pieces.toSorted((a, b) => Number(a.id) - Number(b.id));
  return mergeAlbum([first!, ...rest]);
}
