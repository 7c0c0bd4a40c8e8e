/** The message being replied to, and the source of a forwarded one. */
import { present } from '../../sdk/index.ts';
import type { InboundMessage, Quoted } from '../../sdk/index.ts';
import type { ExternalReplyInfo, Message, MessageOrigin } from 'grammy/types';
import { answeredMessage } from './addressing.ts';
import { mediaKind, wordsFor } from './attachments.ts';
import { nameOfChat, nameOfUser } from './update-context.ts';
import { senderOf } from './sender.ts';

export function quotedOf(message: Message): Quoted | undefined {
  const { quote, external_reply: elsewhere } = message;
  const picked = quote?.is_manual ? { text: quote.text, partial: true as const } : {};
  const answered = answeredMessage(message);
  if (answered) return { ...ofAnswered(answered), ...picked };
  return elsewhere && { ...ofElsewhere(elsewhere, quote?.text), ...picked };
}

function ofAnswered(answered: NonNullable<Message['reply_to_message']>): Quoted {
  const text = answered.text ?? answered.caption ?? wordsFor(answered).join('\n');
  const { name, id: senderId } = senderOf(answered);
  const media = mediaKind(answered);
  return present({
    id: String(answered.message_id),
    text: text || undefined,
    sender: name || undefined,
    senderId: senderId || undefined,
    media,
  });
}

/** A message of another chat: only what Telegram copied of it is known. */
function ofElsewhere(info: ExternalReplyInfo, text: string | undefined): Quoted {
  const media = mediaKind(info);
  return present({ id: String(info.message_id ?? 0), text: text || undefined, sender: originName(info.origin), media });
}

export const forwardedOf = ({ forward_origin: origin }: Message): InboundMessage['forwarded'] =>
  origin && { from: originName(origin), at: origin.date * 1000 };

function originName(origin: MessageOrigin): string {
  if (origin.type === 'user') return nameOfUser(origin.sender_user);
  if (origin.type === 'hidden_user') return origin.sender_user_name;
  return nameOfChat(origin.type === 'chat' ? origin.sender_chat : origin.chat);
}
