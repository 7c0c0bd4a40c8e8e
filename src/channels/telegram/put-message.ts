/** Sends one message in one of the possible formats, with or without a file. */
import { AppError, type OutboundMessage, present } from '../../sdk/index.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import type { Fallback } from './fallbacks.ts';
import { telegramHtml } from './markdown.ts';
import { mediaKindOf, sendFile, type Envelope, type FileToSend } from './media.ts';

/** Text in the way's spelling; nothing for no text. */
export type Words = (
  text: string | undefined,
  fallback: Fallback,
) => { readonly text: string; readonly mode: { parse_mode?: 'HTML' } } | undefined;

export function createWords({ markdown }: Pick<TelegramConfig, 'markdown'>): Words {
  const rendered = (text: string): string =>
    renderMarkdown(text, telegramHtml, markdown?.tables === undefined ? {} : { tables: markdown.tables });
  return (text, { html }) => {
    if (text === undefined || text === '') return undefined;
    return html ? { text: rendered(text), mode: { parse_mode: 'HTML' } } : { text, mode: {} };
  };
}

export const previewOf = ({ linkPreview }: Pick<TelegramConfig, 'linkPreview'>) =>
  linkPreview ? {} : { link_preview_options: { is_disabled: true } };

interface ToPut {
  readonly payload: OutboundMessage['payload'];
  readonly file: FileToSend | undefined;
  readonly markup: InlineKeyboardMarkup | undefined;
}

/** The id of the message. */
export async function putMessage(
  { api, config, words }: { readonly api: TelegramApi; readonly config: TelegramConfig; readonly words: Words },
  fallback: Fallback,
  { payload, file, markup }: ToPut,
): Promise<number> {
  const said = words(payload.text, fallback);
  const envelope = { ...envelopeOf(fallback, payload), ...present({ reply_markup: markup }) };
  if (file) {
    const kind = fallback.asItsKind ? mediaKindOf(file, payload.audioAsVoice === true) : 'document';
    const caption = said && { caption: said.text, ...said.mode };
    return sendFile(api, { file, kind, envelope: { ...envelope, ...caption } });
  }
  if (!said) throw new AppError('invalid', 'Nothing to send: the message has no text and no file.');
  return (await api.calls.sendMessage({ ...envelope, ...previewOf(config), text: said.text, ...said.mode })).message_id;
}

function envelopeOf({ chat, threadId }: Fallback, { replyTo }: OutboundMessage['payload']): Envelope {
  const answered = typeof replyTo === 'object' && /^\d+$/.test(replyTo.id) ? Number(replyTo.id) : undefined;
  return {
    chat_id: chat,
    ...present({
      message_thread_id: threadId !== undefined ? Number(threadId) : undefined,
      reply_parameters:
        answered !== undefined ? { message_id: answered, allow_sending_without_reply: true as const } : undefined,
    }),
  };
}
