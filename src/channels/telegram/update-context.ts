/** What reading an update needs to know about its account. */
import { present } from '../../sdk/index.ts';
import type { ChatAddress } from '../../sdk/index.ts';
import type { Chat, Message, User } from 'grammy/types';
import type { TelegramConfig } from './config.ts';
import type { ChatMemory } from './memory.ts';

export interface UpdateContext {
  readonly accountId: string;
  readonly self: { readonly id: number; readonly username?: string };
  readonly config: TelegramConfig;
  readonly memory: ChatMemory;
  /** Names in the commands menu → the commands they stand for. */
  readonly menu: ReadonlyMap<string, string>;
}

export const GENERAL_TOPIC = '1';

/**
 * The thread of a message: a topic of a forum (the general one is 1), or of a direct chat; the reply threads of
 * ordinary groups count for nothing.
 */
export function threadOf({
  chat,
  message_thread_id: thread,
  is_topic_message: inTopic,
}: Pick<Message, 'chat' | 'message_thread_id' | 'is_topic_message'>): string | undefined {
  if (chat.type === 'private') return thread === undefined ? undefined : String(thread);
  if (!('is_forum' in chat && chat.is_forum)) return undefined;
  return inTopic === false || thread === undefined ? GENERAL_TOPIC : String(thread);
}

export function addressOf(
  { accountId }: Pick<UpdateContext, 'accountId'>,
  chat: Chat,
  threadId: string | undefined,
): ChatAddress {
  const kind = chat.type === 'private' ? 'direct' : chat.type === 'channel' ? 'channel' : 'group';
  return { channel: 'telegram', accountId, chat: { kind, id: String(chat.id) }, ...present({ threadId }) };
}

export const nameOfUser = ({ first_name, last_name, username, id }: User): string =>
  [first_name, last_name].filter(Boolean).join(' ') || username || String(id);
export const nameOfChat = (chat: Chat): string =>
  ('title' in chat && chat.title) ||
  [chat.first_name, chat.last_name].filter(Boolean).join(' ') ||
  chat.username ||
  String(chat.id);

/** What has no chat, no id or no time is no message: `TypeError`. */
export function checkSpot({
  chat,
  message_id: id,
  date,
}: {
  readonly chat: { readonly id: number };
  readonly message_id: number;
  readonly date: number;
}): void {
  if (![chat.id, id, date].every(Number.isSafeInteger)) throw new TypeError('The update contains no message.');
}
