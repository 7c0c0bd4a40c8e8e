/** Sends the account's messages under own ids, and performs edits, deletions and reactions later. */
import { createHash } from 'node:crypto';
import {
  AppError,
  present,
  PRODUCT_LABEL,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type OutboundMessage,
} from '../../sdk/index.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import type { WhatsappConfig } from './config.ts';
import type { WaMessage } from './content.ts';
import { isGroup, jidOf } from './ids.ts';
import { whatsappDialect } from './markdown.ts';
import { lighterPicture } from './lighter-picture.ts';
import { sendingOf } from './outgoing-file.ts';
import { isUploadFailure } from './disconnects.ts';
import { keyFor, quotable, type Recent, type RecentMessage } from './recent.ts';
import type { WaSending, WaSocket } from './socket.ts';

export interface SendDeps {
  readonly account: Pick<ChannelAccount<WhatsappConfig>, 'config' | 'open'>;
  readonly recent: Recent;
  /** Rejects while there is no connection. */
  socket(): Promise<WaSocket>;
  /** The agent turns to the chat: what was written there is read. */
  answering(chat: string): void;
}

export type Sender = Required<Pick<ChannelConnection, 'send' | 'edit' | 'remove' | 'react' | 'typing' | 'poll'>> & {
  /** Sends what is none of the shared kinds. */
  sendAs(to: ChatAddress, content: WaSending, text: string): Promise<{ readonly messageIds: readonly string[] }>;
};

/** Bytes of a file that is read into memory to be sent. */
const MAX_FILE = 64 * 1024 * 1024;
/** WhatsApp refuses edits after a quarter of an hour. */
const EDITABLE_MS = 15 * 60_000;
const MAX_MENTIONS = 50;

/** Ids look as those of WhatsApp Web do; the same token gives the same id, which WhatsApp shows once. */
export const messageIdOf = (token: string): string =>
  `3EB0${createHash('sha256').update(token).digest('hex').slice(0, 18).toUpperCase()}`;

export function createSender(deps: SendDeps): Sender {
  const { recent, account } = deps;

  const put: Put = async (to, content, message) => {
    deps.answering(to.chat.id);
    const socket = await deps.socket();
    const jid = jidOf(to.chat.id);
    const messageId = messageIdOf(message.token);
    const quoted = message.replyTo === undefined ? undefined : quotedIn(to.chat.id, message.replyTo, recent);
    const noted: RecentMessage = {
      chat: to.chat.id,
      id: messageId,
      at: Date.now(),
      by: socket.self.id,
      text: message.text,
      fromMe: true,
      ours: true,
    };
    recent.note(noted); // before it leaves: an answer may be quicker than the confirmation
    await socket.send(jid, content, {
      messageId,
      ...present({
        quoted,
        ephemeralExpiration: recent.expirationOf(to.chat.id),
      }),
    });
    return { messageIds: [messageId] };
  };

  /** A change of a message is a message itself. */
  async function change(to: ChatAddress, content: WaSending, what: string): Promise<void> {
    const socket = await deps.socket();
    await socket.send(jidOf(to.chat.id), content, { messageId: messageIdOf(`${what} ${Date.now()} ${Math.random()}`) });
  }

  return {
    ...reacting(deps, change),
    send: sending(deps, put),
    sendAs: (to, content, text) => put(to, content, { token: `act ${Date.now()} ${Math.random()}`, text }),
    async edit(to, messageId, { payload }) {
      const known = own(to, messageId, recent);
      if (Date.now() - known.at > EDITABLE_MS)
        throw new AppError('denied', 'WhatsApp lets nobody change a message after 15 minutes.');
      const text = textOf(payload, account.config, await isSelf(to, deps));
      if (text === '') throw new AppError('invalid', 'The new text is empty.');
      const key = keyFor(jidOf(to.chat.id), known);
      await change(to, { text, linkPreview: null, edit: key, ...mentionsIn(text, to) }, `edit ${messageId}`);
      recent.note({ ...known, text });
    },
    async remove(to, messageId) {
      const known = own(to, messageId, recent);
      await change(to, { delete: keyFor(jidOf(to.chat.id), known) }, `delete ${messageId}`);
    },
    async poll(to, { question, options, maxSelections }) {
      const content = {
        poll: { name: question, values: [...options], selectableCount: Math.min(maxSelections, options.length) },
      };
      const token = `poll ${question} ${Date.now()} ${Math.random()}`;
      const sent = await put(to, content, { token, text: `poll: ${question}` });
      return { ...sent, pollId: sent.messageIds[0]! };
    },
  };
}

type Put = (
  to: ChatAddress,
  content: WaSending,
  message: { readonly token: string; readonly text: string; readonly replyTo?: string },
) => Promise<{ readonly messageIds: readonly string[] }>;

const sending =
  (deps: SendDeps, put: Put): Sender['send'] =>
  async (to, { token, payload }) => {
    const { account } = deps;
    const { config } = account;
    const text = textOf(payload, config, await isSelf(to, deps));
    const [media] = payload.media ?? [];
    const file = media && (await lighterPicture(await account.open(media, MAX_FILE), maxBytes(config)));
    if (!file && text === '')
      throw new AppError('invalid', 'There is nothing to send: the message has no text and no file.');
    const mentions = mentionsIn(text, to);
    const replyTo = typeof payload.replyTo === 'object' ? payload.replyTo.id : undefined;
    const putText = (words: string) =>
      put(to, { text: words, linkPreview: null, ...mentions }, present({ token, text: words, replyTo }));
    if (!file) return putText(text);
    const content = { ...sendingOf(file, { caption: text, asVoice: payload.audioAsVoice === true }), ...mentions };
    try {
      return await put(to, content, present({ token, text, replyTo }));
    } catch (error) {
      if (!isUploadFailure(error)) throw error;
      return putText([text, `⚠️ ${file.name} could not be uploaded to WhatsApp.`].filter(Boolean).join('\n\n'));
    }
  };

type Change = (to: ChatAddress, content: WaSending, what: string) => Promise<void>;

const reacting = ({ recent, ...deps }: SendDeps, change: Change): Pick<Sender, 'react' | 'typing'> => ({
  async react(to, messageId, emoji, { remove = false } = {}) {
    const jid = jidOf(to.chat.id);
    const known = recent.find(to.chat.id, messageId);
    if (!known && isGroup(to.chat.id)) throw unknown(messageId);
    const key = known ? keyFor(jid, known) : { remoteJid: jid, id: messageId, fromMe: false };
    deps.answering(to.chat.id);
    await change(to, { react: { text: remove ? '' : emoji, key } }, `react ${messageId}`);
  },
  async typing(to) {
    deps.answering(to.chat.id);
    await (await deps.socket()).typing(jidOf(to.chat.id));
  },
});

/** One that is not known any more is pointed at without its words. */
function quotedIn(chat: string, id: string, recent: Recent): WaMessage {
  const jid = jidOf(chat);
  const known = recent.find(chat, id);
  return known ? quotable(jid, known) : { key: { remoteJid: jid, id, fromMe: false }, message: { conversation: '' } };
}

const maxBytes = ({ mediaMaxMb }: WhatsappConfig): number =>
  Math.min(MAX_FILE, (mediaMaxMb ?? Number.POSITIVE_INFINITY) * 1024 * 1024);

const unknown = (messageId: string): AppError =>
  new AppError('not_found', `The message ${messageId} is not known here any more.`);

function own(to: ChatAddress, messageId: string, recent: Recent): RecentMessage {
  const known = recent.find(to.chat.id, messageId);
  if (!known) throw unknown(messageId);
  if (!known.fromMe) throw new AppError('denied', 'Only messages of the account itself can be changed.');
  return known;
}

const isSelf = async (to: ChatAddress, { socket }: Pick<SendDeps, 'socket'>): Promise<boolean> =>
  to.chat.kind === 'direct' && to.chat.id === (await socket()).self.id;

/** In the chat with oneself both sides look alike: answers say whose they are. */
function textOf({ text = '', plain }: OutboundMessage['payload'], config: WhatsappConfig, self: boolean): string {
  const tables = config.markdown?.tables ?? 'code';
  const rendered = plain ? text : renderMarkdown(text, whatsappDialect, { tables }) || text;
  if (!self || rendered === '') return rendered;
  const prefix =
    config.messagePrefix ?? (config.responsePrefix === undefined ? `[${config.name ?? PRODUCT_LABEL}]` : '');
  return prefix === '' ? rendered : `${prefix} ${rendered}`;
}

/** `@+49151…` in a group is heard by that person. */
function mentionsIn(text: string, to: ChatAddress): { readonly mentions?: readonly string[] } {
  if (to.chat.kind === 'direct') return {};
  const numbers = [...text.matchAll(/(?<![\w@])@\+?(\d{6,15})(?!\d)/g)].map(([, digits]) => `${digits}@s.whatsapp.net`);
  return numbers.length === 0 ? {} : { mentions: [...new Set(numbers)].slice(0, MAX_MENTIONS) };
}
