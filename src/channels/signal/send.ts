/** Sends the bot's messages: styled text, files, quotes, edits; with the outcome for each recipient. */
import {
  AppError,
  present,
  setNewest,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type OutboundMessage,
} from '../../sdk/index.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import type { SignalConfig } from './config.ts';
import { resultError, type SendResult } from './errors.ts';
import { bareId, messageId, readMessageId, recipientOf } from './ids.ts';
import type { Rpc } from './rpc.ts';
import type { Sent } from './sent.ts';
import { signalDialect, styled, type StyledText } from './styles.ts';

export interface SendDeps {
  readonly account: Pick<ChannelAccount<SignalConfig>, 'config' | 'open'>;
  readonly rpc: Rpc;
  /** What somebody wrote lately, for quotes: by message id. */
  readonly texts: Map<string, string>;
  /** Somebody's safety number changed, or is trusted again. */
  onIdentity(results: readonly SendResult[]): void;
  readonly sent: Pick<Sent, 'note'>;
}

const MAX_TEXTS = 500;
const STYLE_REFUSED = /style/i;
/** Clocks differ; a message of ours is never younger than now. */
const AHEAD_MS = 300_000;
/** Signal's apps change nothing older. */
const EDIT_MS = 24 * 3600_000;

export const noteText = (texts: Map<string, string>, id: string, text: string): void =>
  void (text && setNewest(texts, id, text.slice(0, 300), MAX_TEXTS));

export type Sender = Required<Pick<ChannelConnection, 'send' | 'edit'>>;

export function createSender(deps: SendDeps): Sender {
  return {
    async send(to, { payload, token }) {
      const { config, open } = deps.account;
      const media = payload.media ?? [];
      const files = await Promise.all(media.map((one) => open(one, config.mediaMaxMb * 1024 * 1024)));
      const body = textOf(payload, config);
      if (body.text === '' && files.length === 0)
        throw new AppError('invalid', 'There is nothing to send: the message has no text and no file.');
      const more = present({
        attachment: files.length > 0 ? files.map(dataUri) : undefined,
        voiceNote: payload.audioAsVoice && files.length > 0 ? true : undefined,
        ...quoteOf(payload.replyTo, deps),
      });
      const timestamp = await post(deps, to, body, more);
      await deps.sent.note(to.chat.id, timestamp, token);
      noteText(deps.texts, messageId({ timestamp }), body.text);
      return { messageIds: [messageId({ timestamp })] };
    },
    async edit(to, id, { payload }) {
      const editTimestamp = ownTime(id);
      if (Date.now() - editTimestamp > EDIT_MS)
        throw new AppError('unsupported', 'Signal lets messages be changed for 24 hours only.');
      const change = post(deps, to, textOf(payload, deps.account.config), { editTimestamp });
      await noted(deps.sent, to, change);
    },
  };
}

/** What is no message has a time too, which receipts name; one of unknown outcome has about that of now. */
export async function noted(sent: Pick<Sent, 'note'>, { chat }: ChatAddress, work: Promise<unknown>): Promise<void> {
  const state = { at: Date.now() };
  try {
    const done = await work;
    const at = typeof done === 'number' ? done : (done as { readonly timestamp?: unknown } | undefined)?.timestamp;
    state.at = typeof at === 'number' ? at : Date.now();
  } finally {
    await sent.note(chat.id, state.at);
  }
}

/** When a message of ours was sent. Rejects with `not_found` for what cannot be one. */
export function ownTime(id: string): number {
  const read = readMessageId(id);
  if (!read || read.author !== undefined || read.timestamp > Date.now() + AHEAD_MS)
    throw new AppError('not_found', `Signal has no message ${id.slice(0, 40)} of the bot.`);
  return read.timestamp;
}

function textOf({ text = '', plain }: OutboundMessage['payload'], { markdown }: SignalConfig): StyledText {
  if (plain) return { text, styles: [] };
  return styled(renderMarkdown(text, signalDialect, { tables: markdown?.tables ?? 'code' }));
}

const dataUri = ({ data, mime, name }: { readonly data: Uint8Array; readonly mime: string; readonly name: string }) =>
  `data:${mime};filename=${name.replace(/[;,\r\n]/g, '_')};base64,${Buffer.from(data).toString('base64')}`;

function quoteOf(replyTo: OutboundMessage['payload']['replyTo'], { texts, account }: SendDeps) {
  const quoted = typeof replyTo === 'object' ? readMessageId(replyTo.id) : undefined;
  if (!quoted) return {};
  return {
    quoteTimestamp: quoted.timestamp,
    quoteAuthor: quoted.author === undefined ? account.config.account : bareId(quoted.author),
    quoteMessage: texts.get(messageId(quoted)) ?? '',
  };
}

async function post(
  deps: SendDeps,
  to: ChatAddress,
  { text, styles }: StyledText,
  more: Readonly<Record<string, unknown>>,
): Promise<number> {
  const send = async (textStyle: readonly string[]): Promise<number> => {
    const style = textStyle.length > 0 ? textStyle : undefined;
    const params = present({ ...recipientOf(to), message: text, ...more, textStyle: style });
    return sentAt(await deps.rpc.call('send', params), deps);
  };
  try {
    return await send(styles);
  } catch (error) {
    if (error instanceof AppError && error.details?.['untrusted'])
      deps.onIdentity([{ type: 'IDENTITY_FAILURE', recipientAddress: { number: bareId(to.chat.id) } }]);
    const refused = error instanceof AppError && error.code === 'invalid' && STYLE_REFUSED.test(error.message);
    if (!refused || styles.length === 0) throw error;
    return send([]);
  }
}

/** In a group it counts as sent once anybody gets it; who does not is a problem of the account. */
function sentAt(answer: unknown, { onIdentity }: SendDeps): number {
  const { timestamp, results = [] } = (answer ?? {}) as {
    readonly timestamp?: unknown;
    readonly results?: readonly SendResult[];
  };
  onIdentity(results);
  const failed = results.find(({ type }) => type !== 'SUCCESS');
  if (failed && results.every(({ type }) => type !== 'SUCCESS')) throw resultError(failed);
  if (typeof timestamp !== 'number') throw new AppError('network', 'signal-cli did not say when the message was sent.');
  return timestamp;
}
