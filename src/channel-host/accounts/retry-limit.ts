/** Limits retries of a message that keeps failing for a reason of its own, because it would block its chat. */
import { setNewest } from '../../core/bounded-map.ts';
import type { Receipt } from '../../core/channel.ts';
import { mayPass } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { dedupeId, type InboundMessage } from '../../core/message.ts';

export type RetryLimit = (message: InboundMessage, receive: () => Promise<Receipt>) => Promise<Receipt>;

/** Times a message is offered, the pauses of its channel between them. */
const TRIES = 5;
/** Messages that are counted at the same time; the oldest goes first. */
const COUNTED = 1000;

/**
 * What passes (a full disk, a start, a stop) is never held against a message. One that is given up is told to the
 * channel as one we know.
 */
export function createRetryLimit(log: Log): RetryLimit {
  const failures = new Map<string, number>();
  return async (message, receive) => {
    try {
      const receipt = await receive();
      if (failures.size > 0) failures.delete(keyOf(message));
      return receipt;
    } catch (error) {
      if (mayPass(error)) throw error;
      const key = keyOf(message);
      const tries = (failures.get(key) ?? 0) + 1;
      failures.delete(key);
      if (tries >= TRIES) {
        log.error('message.given-up', { chat: message.address.chat.id, messageId: message.id, tries, error });
        return { status: 'duplicate', seq: 0 };
      }
      setNewest(failures, key, tries, COUNTED);
      throw error;
    }
  };
}

const keyOf = (message: InboundMessage): string =>
  JSON.stringify([message.address.chat.id, dedupeId(message), message.editVersion ?? 0]);
