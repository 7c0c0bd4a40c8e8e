/** Reactions: people's as silent messages, and which ones the bot may use. */
import { NOTHING_SAID } from '../../sdk/said.ts';
import { AppError, type InboundMessage, present } from '../../sdk/index.ts';
import type { MessageReactionUpdated, ReactionType, ReactionTypeEmoji } from 'grammy/types';
import { addressOf, checkSpot, type UpdateContext } from './update-context.ts';
import { chatSender, userSender } from './sender.ts';

/** What Telegram lets bots react with; anything else it refuses. */
const EMOJI = (
  '👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 ' +
  '🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 ' +
  '🤷‍♂ 🤷 🤷‍♀ 😡'
).split(' ');

/**
 * Telegram does not say whose message it was: only what memory knows counts as ours. A reaction taken back is not told.
 */
export function fromReaction(
  update: MessageReactionUpdated,
  { updateId, context }: { updateId: number; context: UpdateContext },
): InboundMessage | undefined {
  const {
    chat,
    message_id: id,
    user,
    actor_chat: actor,
    old_reaction: before = [],
    new_reaction: after = [],
    date,
  } = update;
  checkSpot(update);
  const mode = context.config.reactionNotifications;
  const known = context.memory.find({ chat: String(chat.id), messageId: String(id) });
  const added = after.filter((reaction) => !before.some((old) => shown(old) === shown(reaction)));
  if (mode === 'off' || (mode === 'own' && !known?.own) || added.length === 0) return undefined;
  if (user?.id === context.self.id || (user?.is_bot && !context.config.allowBots) || (!user && !actor))
    return undefined;
  const sender = user ? userSender(user) : chatSender(actor!);
  return {
    id: String(id),
    key: `reaction:${updateId}`,
    address: addressOf(context, chat, known?.threadId),
    sender,
    quiet: true,
    said: NOTHING_SAID,
    text:
      `${sender.name} reacted with ${added.map(shown).join(' ')} to ${known?.own ? 'your message' : 'message'} ` +
      `${id}.`,
    attachments: [],
    addressesBot: known?.own ?? false,
    ...present({ place: 'title' in chat && chat.title ? { chat: chat.title } : undefined }),
    receivedAt: date * 1000,
  };
}

const shown = (reaction: ReactionType): string =>
  reaction.type === 'emoji'
    ? reaction.emoji
    : reaction.type === 'custom_emoji'
      ? `custom emoji ${reaction.custom_emoji_id}`
      : 'a paid star';

/** An emoji in any spelling, or the id of a custom one; `invalid` names what there is. */
export function reactionOf(emoji: string): ReactionType {
  const bare = (text: string): string =>
    text
      .replaceAll('\uFE0F', '')
      .replace(/[\u{1F3FB}-\u{1F3FF}]/gu, '')
      .trim();
  const found = EMOJI.find((one) => bare(one) === bare(emoji));
  if (found) return { type: 'emoji', emoji: found as ReactionTypeEmoji['emoji'] };
  if (/^\d{10,}$/.test(emoji)) return { type: 'custom_emoji', custom_emoji_id: emoji };
  throw new AppError('invalid', `Telegram does not support the reaction ${emoji}; it supports ${EMOJI.join(' ')}`);
}
