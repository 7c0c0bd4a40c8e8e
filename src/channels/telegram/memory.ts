/** Bounded cache of what Telegram reports only once: authors of messages, their topics, and topic names. */
import { setNewest, present } from '../../sdk/index.ts';

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

const MAX_MESSAGES = 5000;
const MAX_TOPICS = 1000;

export function createChatMemory(): ChatMemory {
  const messages = new Map<string, { own: boolean; threadId?: string }>();
  const topics = new Map<string, string>();
  return {
    note: ({ chat, messageId, own, threadId }) =>
      void setNewest(messages, `${chat}:${messageId}`, present({ own, threadId }), MAX_MESSAGES),
    find: ({ chat, messageId }) => messages.get(`${chat}:${messageId}`),
    nameTopic: (chat, threadId, name) => void setNewest(topics, `${chat}:${threadId}`, name, MAX_TOPICS),
    topicName: (chat, threadId) => topics.get(`${chat}:${threadId}`),
  };
}
