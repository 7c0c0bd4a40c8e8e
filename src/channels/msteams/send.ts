/** Sends the bot's messages: text, pictures, files by consent, polls and cards; also to people who never wrote. */
import { randomUUID } from 'node:crypto';
import {
  AppError,
  present,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type MediaRef,
  type OutboundMessage,
} from '../../sdk/index.ts';
import { plainDialect, renderMarkdown } from '../../sdk/markdown.ts';
import type { ConnectorApi } from './api.ts';
import { choiceCard, newPoll, pollCard, type CardAttachment } from './cards.ts';
import type { TeamsConfig } from './config.ts';
import { splitConversation } from './ids.ts';
import type { Reference, References } from './references.ts';
import type { CardStore } from './card-store.ts';

export interface SendDeps {
  readonly account: Pick<ChannelAccount<TeamsConfig>, 'config' | 'open'>;
  readonly api: ConnectorApi;
  readonly appId: string;
  readonly references: References;
  readonly cardStore: CardStore;
  onSent(id: string): void;
}

export type Sender = Required<Pick<ChannelConnection, 'send' | 'edit' | 'remove' | 'typing' | 'poll'>> & {
  card(to: ChatAddress, card: CardAttachment): Promise<string>;
};

/** Of a picture that goes inside its message. */
const INLINE_BYTES = 64 * 1024;
const MARKUP_REFUSED = /textformat|markdown|bad ?syntax/i;

export function createSender(deps: SendDeps): Sender {
  const { api, account, cardStore, onSent } = deps;
  const post = async (to: ChatAddress, activity: object, replyTo?: string): Promise<string> => {
    const { serviceUrl, conversation } = await placeFor(to, deps);
    const spot = `conversations/${encodeURIComponent(conversation)}/activities`;
    const path = replyTo === undefined ? spot : `${spot}/${encodeURIComponent(replyTo)}`;
    const answer = await api.call({ serviceUrl, method: 'POST', path, json: { type: 'message', ...activity } });
    if (typeof answer['id'] !== 'string') throw new AppError('network', 'Teams gave no id for the message.');
    onSent(answer['id']);
    return answer['id'];
  };
  const card = (to: ChatAddress, attachment: CardAttachment): Promise<string> =>
    post(to, { attachments: [attachment] });
  return {
    card,
    async send(to, { payload }) {
      const replyTo =
        typeof payload.replyTo === 'object' && to.chat.kind !== 'channel' ? payload.replyTo.id : undefined;
      const [media] = payload.media ?? [];
      const file = media ? [await attachmentFor(to, media, deps)] : [];
      const both = [...file, ...(payload.choices ? [choiceCard(payload.choices)] : [])];
      const attachments = both.length > 0 ? both : undefined;
      const put = (words: object): Promise<string> =>
        post(to, present({ ...words, attachments, replyToId: replyTo }), replyTo);
      return { messageIds: [await withWords(payload, account.config, put)] };
    },
    async edit(to, id, { payload }) {
      const { serviceUrl, conversation } = await placeFor(to, deps);
      const path = activityPath(conversation, id);
      await withWords(payload, account.config, (words) =>
        api.call({ serviceUrl, method: 'PUT', path, json: { type: 'message', id, ...words } }),
      );
    },
    async remove(to, id) {
      const { serviceUrl, conversation } = await placeFor(to, deps);
      await api.call({ serviceUrl, method: 'DELETE', path: activityPath(conversation, id) });
    },
    typing: async (to) => {
      const { serviceUrl, conversation } = await placeFor(to, deps);
      const path = `conversations/${encodeURIComponent(conversation)}/activities`;
      await api.call({ serviceUrl, method: 'POST', path, json: { type: 'typing' } });
    },
    async poll(to, poll) {
      const [id, stored] = [randomUUID(), newPoll(poll, Date.now())];
      await cardStore.put(id, { kind: 'poll', poll: stored, chat: to.chat.id });
      const messageId = await card(to, pollCard(id, stored));
      await cardStore.put(id, { kind: 'poll', poll: stored, chat: to.chat.id, messageId });
      return { messageIds: [messageId], pollId: id };
    },
  };
}

export const activityPath = (conversation: string, id: string): string =>
  `conversations/${encodeURIComponent(conversation)}/activities/${encodeURIComponent(id)}`;

/** With Markdown first, and plainly where that is refused. */
async function withWords<T>(
  { text = '', plain }: OutboundMessage['payload'],
  { markdown }: TeamsConfig,
  put: (words: object) => Promise<T>,
): Promise<T> {
  const tables = markdown?.tables ?? 'code';
  const asPlain = { text: plain ? text : renderMarkdown(text, plainDialect, { tables }), textFormat: 'plain' };
  if (plain) return put(asPlain);
  try {
    return await put({ text, textFormat: 'markdown' });
  } catch (error) {
    const refused = error instanceof AppError && error.code === 'invalid' && MARKUP_REFUSED.test(error.message);
    if (!refused) throw error;
    return put(asPlain);
  }
}

/** Where the connector reaches the chat; a person who never wrote gets a conversation first. */
export async function placeFor(
  to: ChatAddress,
  { references, api, appId, account: { config } }: SendDeps,
): Promise<Reference> {
  const known = references.find(to.chat.id);
  const thread = config.replyStyle === 'thread' ? to.threadId : undefined;
  if (to.chat.kind !== 'direct') {
    const conversation = thread === undefined ? to.chat.id : `${to.chat.id};messageid=${thread}`;
    return { serviceUrl: known?.serviceUrl ?? config.serviceUrl, conversation };
  }
  if (known) return known;
  const answer = await api.call({
    serviceUrl: config.serviceUrl,
    method: 'POST',
    path: 'conversations',
    json: {
      bot: { id: `28:${appId}` },
      members: [{ id: to.chat.id }],
      isGroup: false,
      tenantId: config.tenantId,
      channelData: { tenant: { id: config.tenantId } },
    },
  });
  const conversation = answer['id'];
  if (typeof conversation !== 'string') throw new AppError('network', 'Teams gave no id for the conversation.');
  const reference = { serviceUrl: config.serviceUrl, conversation: splitConversation(conversation).chat };
  references.note(to.chat.id, reference);
  return reference;
}

/** A small picture goes inside the message; any other file is offered, and sent when the person accepts it. */
async function attachmentFor(to: ChatAddress, media: MediaRef, { account, cardStore }: SendDeps): Promise<object> {
  const file = await account.open(media, account.config.mediaMaxMb * 1024 * 1024);
  if (file.mime.startsWith('image/') && file.data.length <= INLINE_BYTES) {
    const base64 = Buffer.from(file.data).toString('base64');
    return { contentType: file.mime, contentUrl: `data:${file.mime};base64,${base64}`, name: file.name };
  }
  if (to.chat.kind !== 'direct')
    throw new AppError(
      'unsupported',
      `Teams lets a bot send ${file.name} in a direct chat only; in groups and channels small pictures alone.`,
    );
  const id = randomUUID();
  await cardStore.put(id, { kind: 'file', media, chat: to.chat.id });
  return {
    contentType: 'application/vnd.microsoft.teams.card.file.consent',
    name: file.name,
    content: {
      description: 'A file from the assistant',
      sizeInBytes: file.data.length,
      acceptContext: { file: id },
      declineContext: { file: id },
    },
  };
}
