/** Sends one message to Telegram, and edits it later. */
import { AppError, type ChannelAccount, type ChatAddress, type OutboundMessage } from '../../sdk/index.ts';
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { choiceKeyboard } from './buttons.ts';
import { descriptionOf } from './errors.ts';
import type { ChatMemory } from './memory.ts';
import { createWords, previewOf, putMessage } from './put-message.ts';
import { withFallbacks, firstFallback, type Fallback } from './fallbacks.ts';

export interface SendDeps {
  readonly api: TelegramApi;
  readonly account: Pick<ChannelAccount<TelegramConfig>, 'config' | 'open'>;
  readonly memory: ChatMemory;
  /** A group became another chat. */
  readonly migrated: (from: string, to: string) => void;
}

export interface Sender {
  send(
    to: ChatAddress,
    message: Pick<OutboundMessage, 'payload'>,
    markup?: InlineKeyboardMarkup,
  ): Promise<{ readonly messageIds: readonly string[] }>;
  edit(to: ChatAddress, messageId: string, message: OutboundMessage): Promise<void>;
  /** In the topics of direct chats. */
  draft(to: ChatAddress, message: OutboundMessage): Promise<boolean>;
}

/** Bytes of a file a bot may send. */
const UPLOAD_MAX_BYTES = 50 * 1024 * 1024;

export function createSender({ api, account, memory, migrated }: SendDeps): Sender {
  const { config } = account;
  const detours = ({ chat }: ChatAddress) => ({ kind: chat.kind, migrated: (to: string) => migrated(chat.id, to) });
  const preview = previewOf(config);
  const words = createWords(config);

  return {
    async send(to, { payload }, input) {
      const markup = input ?? (payload.choices && choiceKeyboard(payload.choices));
      const [media] = payload.media ?? [];
      const file =
        media && (await account.open(media, Math.min(UPLOAD_MAX_BYTES, (config.mediaMaxMb ?? Infinity) * 1024 * 1024)));
      const id = await withFallbacks(
        firstFallback(to, payload.plain !== true),
        (fallback) => putMessage({ api, config, words }, fallback, { payload, file, markup }),
        detours(to),
      );
      memory.note({ chat: to.chat.id, messageId: String(id), threadId: to.threadId, own: true });
      return { messageIds: [String(id)] };
    },
    async edit(to, messageId, { payload }) {
      const message_id = numberOf(messageId);
      const change = async (fallback: Fallback): Promise<void> => {
        const said = words(payload.text, fallback);
        if (!said) throw new AppError('invalid', 'The new text is empty.');
        await unlessCaption(
          () =>
            api.calls.editMessageText({
              chat_id: fallback.chat,
              message_id,
              text: said.text,
              ...said.mode,
              ...preview,
            }),
          () => api.calls.editMessageCaption({ chat_id: fallback.chat, message_id, caption: said.text, ...said.mode }),
        );
      };
      await withFallbacks(firstFallback(to, payload.plain !== true), change, detours(to)).catch(unlessSame);
    },
    async draft(to, { token, payload }) {
      if (to.chat.kind !== 'direct' || to.threadId === undefined) return false;
      await withFallbacks(
        firstFallback(to, payload.plain !== true),
        async (fallback) => {
          const said = words(payload.text, fallback);
          const topic = fallback.threadId === undefined ? {} : { message_thread_id: Number(fallback.threadId) };
          await api.calls.sendMessageDraft({
            chat_id: Number(fallback.chat),
            draft_id: draftId(token),
            text: said?.text ?? '',
            ...said?.mode,
            ...topic,
          });
        },
        detours(to),
      );
      return true;
    },
  };
}

/** The same for every change of one answer, and never 0: Telegram then animates the change. */
const draftId = (token: string): number =>
  [...token].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 2_147_483_646, 7) + 1;

/** Text below a file is changed by another method. */
async function unlessCaption(text: () => Promise<unknown>, caption: () => Promise<unknown>): Promise<void> {
  await text().catch((error: unknown) => {
    if (/there is no text in the message/i.test(descriptionOf(error))) return caption();
    throw error;
  });
}

/** The same words again are what was wanted. */
function unlessSame(error: unknown): void {
  if (!/message is not modified/i.test(descriptionOf(error))) throw error;
}

/** `invalid` for what is no id of Telegram's. */
export function numberOf(messageId: string): number {
  if (/^\d{1,19}$/.test(messageId)) return Number(messageId);
  throw new AppError('invalid', `${messageId} is not a Telegram message id, which is a number.`);
}
