/** One send queue per chat. The journal uses it to see what can go at once, the sender to keep the order. */
import type { ChannelCapabilities, ChannelConnection } from '../../core/channel.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import { createKeyedQueue, type KeyedQueue } from '../../platform/keyed-queue.ts';

export interface LiveConnection {
  readonly connection: ChannelConnection;
  readonly capabilities: ChannelCapabilities;
}

export interface SendLines {
  /** The live connection of an account; undefined while it is down. */
  connection(address: ChatAddress): LiveConnection | undefined;
  /** One message at a time in each chat, in order. */
  readonly queue: KeyedQueue;
  /** Rows that are read, in order of request; until then their line is unknown. */
  readonly lookups: KeyedQueue;
  /** Fires when nothing is sent any more. */
  readonly stopping: AbortController;
  /**
   * Whether this row goes out as soon as it is on disk: then it is written as begun, and no other commit has to come
   * before it.
   */
  begins(row: { readonly address: ChatAddress; readonly payload: ReplyPayload }): boolean;
}

export function createSendLines(connection: SendLines['connection']): SendLines {
  const queue = createKeyedQueue();
  const lookups = createKeyedQueue();
  const stopping = new AbortController();
  return {
    connection,
    queue,
    lookups,
    stopping,
    begins({ address, payload }) {
      const isBehind = lookups.isBusy('') || queue.isBusy(lineOf(address));
      if (stopping.signal.aborted || isBehind || payload.replaces !== undefined) return false;
      const live = connection(address);
      return live !== undefined && !live.capabilities.idempotentSend;
    },
  };
}

/** Messages of one line leave in order. */
export const lineOf = ({ channel, accountId, chat, threadId }: ChatAddress): string =>
  JSON.stringify([channel, accountId, chat.kind, chat.id, threadId]);
