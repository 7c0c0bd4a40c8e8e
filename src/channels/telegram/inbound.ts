/** Converts a Telegram update to a message; undefined if nobody wrote anything. */
import { present } from '../../sdk/index.ts';
import type { InboundMessage } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import type { Message, Update } from 'grammy/types';
import { addressing } from './addressing.ts';
import { attachmentsOf, contactsOf, locationOf, remarkOn, wordsFor } from './attachments.ts';
import { fromButton } from './buttons.ts';
import { forwardedOf, quotedOf } from './quotes.ts';
import { fromReaction } from './reactions.ts';
import { addressOf, checkSpot, threadOf, type UpdateContext } from './update-context.ts';
import { isUnwanted, senderOf } from './sender.ts';

export function normalise(update: Update, context: UpdateContext): InboundMessage | undefined {
  if (update.callback_query) return fromButton(update.callback_query, context);
  if (update.message_reaction) return fromReaction(update.message_reaction, { updateId: update.update_id, context });
  const message = messageOf(update);
  if (!message) return undefined;
  const edit = update.edited_message ?? update.edited_channel_post;
  // A live location is an edit every few seconds; where it began is known.
  if (edit?.location && !edit.venue) return undefined;
  const said = fromMessage(message, context);
  // Two edits of one second have one date; the update's id keeps them apart.
  return said && edit
    ? { ...said, editVersion: (edit.edit_date ?? edit.date) * 1000 + (update.update_id % 1000) }
    : said;
}

export const messageOf = (update: Update): Message | undefined =>
  update.message ?? update.channel_post ?? update.edited_message ?? update.edited_channel_post;

/** Service messages have neither words nor files and are none. */
export function fromMessage(message: Message, context: UpdateContext): InboundMessage | undefined {
  const { chat, message_id: id } = message;
  checkSpot(message);
  const threadId = threadOf(message);
  context.memory.note({
    chat: String(chat.id),
    messageId: String(id),
    threadId,
    own: message.from?.id === context.self.id,
  });
  if (isUnwanted(message, context)) return undefined;
  const input: unknown = message.text ?? message.caption;
  const written = typeof input === 'string' ? input : '';
  const { addressesBot, mentionsOthers, command, native, foreign } = addressing(message, written, context);
  const attachments = attachmentsOf(message);
  const location = locationOf(message);
  const contacts = contactsOf(message);
  const text = [native ? command : written, ...wordsFor(message), ...remarkOn(attachments)].filter(Boolean).join('\n');
  if (foreign || (text === '' && attachments.length === 0 && !location && !contacts)) return undefined;
  const quoted = quotedOf(message);
  const forwarded = forwardedOf(message);
  return {
    id: String(id),
    key: `${chat.id}:${id}`,
    address: addressOf(context, chat, threadId),
    sender: senderOf(message),
    text,
    attachments,
    addressesBot,
    ...present({ mentionsOthers: mentionsOthers || undefined }),
    // What was forwarded, or written by an inline bot, are somebody else's words.
    said: forwarded || message.via_bot ? NOTHING_SAID : typed(command),
    ...present({
      native: native && !forwarded && !message.via_bot ? (true as const) : undefined,
      quoted,
      forwarded,
      location,
      contacts,
    }),
    ...placeOf(message, { threadId, context }),
    receivedAt: message.date * 1000,
  };
}

function placeOf(
  { chat, reply_to_message: root }: Message,
  { threadId, context: { memory } }: { threadId: string | undefined; context: UpdateContext },
): Pick<InboundMessage, 'place'> {
  const title = 'title' in chat ? chat.title : undefined;
  const thread =
    threadId === undefined
      ? undefined
      : (memory.topicName(String(chat.id), threadId) ?? root?.forum_topic_created?.name);
  return title || thread ? { place: present({ chat: title || undefined, thread: thread || undefined }) } : {};
}
