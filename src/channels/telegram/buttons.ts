/** Inline buttons: a press becomes a message from the person who pressed it. */
import {
  buttonLabel,
  commonRules,
  isChoice,
  type ChoiceButton,
  type InboundMessage,
  present,
  readButtonRows,
} from '../../sdk/index.ts';
import { NOTHING_SAID } from '../../sdk/said.ts';
import type { CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types';
import type { TelegramConfig } from './config.ts';
import { addressOf, checkSpot, threadOf, type UpdateContext } from './update-context.ts';
import { userSender } from './sender.ts';
import { senderEntry } from './targets.ts';

/** Bytes Telegram gives back with a press. */
const DATA_MAX_BYTES = 64;

export function fromButton(
  { id, from, message, data }: CallbackQuery,
  context: UpdateContext,
): InboundMessage | undefined {
  if (!message || data === undefined || (from.is_bot && !context.config.allowBots)) return undefined;
  checkSpot(message);
  const spot = { chat: String(message.chat.id), messageId: String(message.message_id) };
  const threadId = message.date === 0 ? context.memory.find(spot)?.threadId : threadOf(message);
  const address = addressOf(context, message.chat, threadId);
  if (!isChoice(data) && !mayPress(context.config, { address, presser: String(from.id) })) return undefined;
  return {
    id: spot.messageId,
    key: `callback:${id}`,
    address,
    sender: userSender(from),
    text: `callback_data: ${data}`,
    pressed: data,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: true,
    ...present({ place: 'title' in message.chat && message.chat.title ? { chat: message.chat.title } : undefined }),
    receivedAt: Date.now(),
  };
}

/**
 * `allowlist`: in groups, only those a list names; in direct chats the access gate decides, which knows the paired too.
 */
function mayPress(
  config: TelegramConfig,
  { address, presser }: Pick<InboundMessage, 'address'> & { readonly presser: string },
): boolean {
  const scope = (Array.isArray(config.capabilities) ? undefined : config.capabilities?.inlineButtons) ?? 'allowlist';
  const direct = address.chat.kind === 'direct';
  if (scope !== 'allowlist') return scope === 'all' || scope === (direct ? 'dm' : 'group');
  if (direct) return true;
  const { group } = commonRules(
    { ...config, groupPolicy: 'allowlist' },
    present({ chat: address.chat, threadId: address.threadId, settingsPath: '' }),
  );
  return group.senders?.value.some((entry) => entry === '*' || senderEntry(entry) === presser) ?? false;
}

/** Rows of buttons as the action takes them: `{ text, data }` or `{ text, url }`. */
export const keyboardOf = (input: unknown): InlineKeyboardButton[][] =>
  readButtonRows(input, { maxDataBytes: DATA_MAX_BYTES }).map((row) =>
    row.map(({ text, data, url }) => (data === undefined ? { text, url } : { text, callback_data: data })),
  );

/** Each below the other: their words are whole on any screen. */
export const choiceKeyboard = (choices: readonly ChoiceButton[]): InlineKeyboardMarkup => ({
  inline_keyboard: choices.map((choice) => [{ text: buttonLabel(choice), callback_data: choice.data }]),
});
