/**
 * What Telegram does not tell again: whose message a reaction is on, in which topic it stands, and what topics are
 * called. Bounded; a restart forgets it.
 */

export interface ChatMemory {
  /** `own`: the bot wrote it. */
  note(message: Spot & { readonly threadId?: string | undefined; readonly own: boolean }): void;
  find(spot: Spot): { readonly own: boolean; readonly threadId?: string } | undefined;
  nameTopic(chat: string, threadId: string, name: string): void;
  topicName(chat: string, threadId: string): string | undefined;
}

export interface Spot {
  readonly chat: string;
  readonly messageId: string;
}

const MESSAGES = 5000;
const TOPICS = 1000;

export function createChatMemory(): ChatMemory {
  const messages = new Map<string, { own: boolean; threadId?: string }>();
  const topics = new Map<string, string>();
  return {
    note: ({ chat, messageId, own, threadId }) =>
      remember(messages, {
        key: `${chat}:${messageId}`,
        value: { own, ...(threadId === undefined ? {} : { threadId }) },
        limit: MESSAGES,
      }),
    find: ({ chat, messageId }) => messages.get(`${chat}:${messageId}`),
    nameTopic: (chat, threadId, name) => remember(topics, { key: `${chat}:${threadId}`, value: name, limit: TOPICS }),
    topicName: (chat, threadId) => topics.get(`${chat}:${threadId}`),
  };
}

/** The oldest entry makes room. */
function remember<T>(map: Map<string, T>, { key, value, limit }: { key: string; value: T; limit: number }): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value!);
}
