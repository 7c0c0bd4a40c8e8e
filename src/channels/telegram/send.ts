/** One message of ours → one message in Telegram; and its later changes. */
import { AppError, type ChannelAccount, type ChatAddress, type OutboundMessage } from '../../sdk/index.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { descriptionOf } from './errors.ts';
import { telegramHtml } from './markdown.ts';
import { mediaKindOf, sendFile, type Envelope, type FileToSend } from './media.ts';
import type { ChatMemory } from './memory.ts';
import { alongWays, firstWay, type Way } from './ways.ts';

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

export function createSender(deps: SendDeps): Sender {
  return new MessageSender(deps);
}

class MessageSender implements Sender {
  readonly #deps: SendDeps;
  readonly #config;
  readonly #preview;

  constructor(deps: SendDeps) {
    this.#deps = deps;
    this.#config = deps.account.config;
    this.#preview = this.#config.linkPreview ? {} : { link_preview_options: { is_disabled: true } };
  }

  async send(
    to: ChatAddress,
    { payload }: Pick<OutboundMessage, 'payload'>,
    markup?: InlineKeyboardMarkup,
  ): Promise<{ readonly messageIds: readonly string[] }> {
    const [media] = payload.media ?? [];
    const file =
      media &&
      (await this.#deps.account.open(
        media,
        Math.min(UPLOAD_MAX_BYTES, (this.#config.mediaMaxMb ?? Infinity) * 1024 * 1024),
      ));
    const id = await alongWays(
      firstWay(to, payload.plain !== true),
      (way) => this.#put(way, { payload, file, markup }),
      this.#detours(to),
    );
    this.#deps.memory.note({ chat: to.chat.id, messageId: String(id), threadId: to.threadId, own: true });
    return { messageIds: [String(id)] };
  }

  async edit(to: ChatAddress, messageId: string, { payload }: OutboundMessage): Promise<void> {
    const message_id = numberOf(messageId);
    const change = async (way: Way): Promise<void> => {
      const said = this.#words(payload.text, way);
      if (!said) throw new AppError('invalid', 'There is nothing to change the message to.');
      await unlessCaption(
        () =>
          this.#deps.api.calls.editMessageText({
            chat_id: way.chat,
            message_id,
            text: said.text,
            ...said.mode,
            ...this.#preview,
          }),
        () =>
          this.#deps.api.calls.editMessageCaption({ chat_id: way.chat, message_id, caption: said.text, ...said.mode }),
      );
    };
    await alongWays(firstWay(to, payload.plain !== true), change, this.#detours(to)).catch(unlessSame);
  }

  async draft(to: ChatAddress, { token, payload }: OutboundMessage): Promise<boolean> {
    if (to.chat.kind !== 'direct' || to.threadId === undefined) return false;
    await alongWays(
      firstWay(to, payload.plain !== true),
      async (way) => {
        const said = this.#words(payload.text, way);
        const topic = way.threadId === undefined ? {} : { message_thread_id: Number(way.threadId) };
        await this.#deps.api.calls.sendMessageDraft({
          chat_id: Number(way.chat),
          draft_id: draftId(token),
          text: said?.text ?? '',
          ...said?.mode,
          ...topic,
        });
      },
      this.#detours(to),
    );
    return true;
  }

  #rendered(text: string): string {
    return renderMarkdown(
      text,
      telegramHtml,
      this.#config.markdown?.tables === undefined ? {} : { tables: this.#config.markdown.tables },
    );
  }

  #detours({ chat }: ChatAddress) {
    return { kind: chat.kind, migrated: (to: string) => this.#deps.migrated(chat.id, to) };
  }

  /** Text in the way's spelling; nothing for no text. */
  #words(text: string | undefined, { html }: Way): { text: string; mode: { parse_mode?: 'HTML' } } | undefined {
    return text === undefined || text === ''
      ? undefined
      : html
        ? { text: this.#rendered(text), mode: { parse_mode: 'HTML' } }
        : { text, mode: {} };
  }

  async #put(
    way: Way,
    {
      payload,
      file,
      markup,
    }: { payload: OutboundMessage['payload']; file: FileToSend | undefined; markup: InlineKeyboardMarkup | undefined },
  ): Promise<number> {
    const said = this.#words(payload.text, way);
    const envelope = { ...envelopeOf(way, payload), ...(markup ? { reply_markup: markup } : {}) };
    if (file) {
      const kind = way.asItsKind ? mediaKindOf(file, payload.audioAsVoice === true) : 'document';
      return sendFile(this.#deps.api, {
        file,
        kind,
        envelope: { ...envelope, ...(said ? { caption: said.text, ...said.mode } : {}) },
      });
    }
    if (!said) throw new AppError('invalid', 'There is nothing to send: neither text nor a file.');
    return (await this.#deps.api.calls.sendMessage({ ...envelope, ...this.#preview, text: said.text, ...said.mode }))
      .message_id;
  }
}

function envelopeOf({ chat, threadId }: Way, { replyTo }: OutboundMessage['payload']): Envelope {
  const answered = typeof replyTo === 'object' && /^\d+$/.test(replyTo.id) ? Number(replyTo.id) : undefined;
  return {
    chat_id: chat,
    ...(threadId === undefined ? {} : { message_thread_id: Number(threadId) }),
    ...(answered === undefined
      ? {}
      : { reply_parameters: { message_id: answered, allow_sending_without_reply: true } }),
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
  throw new AppError('invalid', `${messageId} is no message id of Telegram: those are numbers.`);
}
