/** Determines a message's author: a person, a bot, or a chat posting as itself. */
import { present } from '../../sdk/index.ts';
import type { Sender } from '../../sdk/index.ts';
import type { Chat, Message, User } from 'grammy/types';
import { nameOfChat, nameOfUser, type UpdateContext } from './update-context.ts';

/** Anonymous admins and channels write through a bot of Telegram's own: the chat they write for is the sender then. */
export function senderOf({ from, sender_chat: chat }: Pick<Message, 'from' | 'sender_chat'>): Sender {
  if (chat) return chatSender(chat);
  return from ? userSender(from) : { id: '' };
}

export const userSender = (user: User): Sender =>
  present({
    id: String(user.id),
    name: nameOfUser(user),
    handle: user.username || undefined,
    isBot: user.is_bot ? (true as const) : undefined,
  });
export const chatSender = (chat: Chat): Sender =>
  present({ id: String(chat.id), name: nameOfChat(chat), handle: chat.username || undefined });

/**
 * Our own voice, be it through another's mouth: an inline result of ours, or our channel post that Telegram copies into
 * its discussion group. Other bots unless they may.
 */
export function isUnwanted(message: Message, { self, config, memory }: UpdateContext): boolean {
  const { from, via_bot: via, forward_origin: origin, is_automatic_forward: copied, sender_chat: chat } = message;
  if (from?.id === self.id || via?.id === self.id) return true;
  if (
    copied &&
    origin?.type === 'channel' &&
    memory.find({ chat: String(origin.chat.id), messageId: String(origin.message_id) })?.own
  )
    return true;
  return from?.is_bot === true && !chat && !config.allowBots;
}
