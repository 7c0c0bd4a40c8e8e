/** Loads older messages page by page when a person scrolls up. */
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import type { ChatHistory } from '../gateway/wire.ts';
import { idOf, type Conversation, type Page } from './conversation.ts';
import { itemsOfHistory } from './transcript.ts';

export interface EarlierPages {
  conversation(): Conversation;
  change(change: (conversation: Conversation) => Conversation): void;
  /** `offset`: the number of newest messages to skip. */
  request(offset: number): Promise<ChatHistory>;
}

/** Adds an earlier page. Messages in both are kept once, because new messages shift the pages. */
export function withEarlier(conversation: Conversation, { messages, sessionId, nextOffset }: Page): Conversation {
  const { nextOffset: _before, fetchingEarlier: _done, ...rest } = conversation;
  if (sessionId !== conversation.sessionId) return rest; // the conversation was reset
  const known = new Set(conversation.messages.map(idOf));
  const all = [...messages.filter((message) => !known.has(idOf(message))), ...conversation.messages];
  return { ...rest, messages: all, history: itemsOfHistory(all), ...(nextOffset === undefined ? {} : { nextOffset }) };
}

/** Fetches the next earlier page, if there is one. */
export async function fetchEarlier(pages: EarlierPages): Promise<void> {
  const { nextOffset, fetchingEarlier, messages } = pages.conversation();
  if (nextOffset === undefined || fetchingEarlier) return;
  pages.change((conversation) => ({ ...conversation, fetchingEarlier: true }));
  try {
    const page = await pages.request(nextOffset);
    pages.change((conversation) => withEarlier(conversation, page));
  } catch (cause) {
    return pages.change(({ fetchingEarlier: _over, ...conversation }) =>
      isDisconnected(cause) ? conversation : { ...conversation, error: messageOf(cause) },
    );
  }
  // New messages shifted the page, so that it contained nothing older.
  if (pages.conversation().messages.length === messages.length) await fetchEarlier(pages);
}
