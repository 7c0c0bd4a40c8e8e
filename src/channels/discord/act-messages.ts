/** Actions on messages and threads. */
import { ChannelType, Routes, type APIMessage, type APIThreadChannel, type APIUser } from '@discordjs/core';
import { AppError, head, present } from '../../sdk/index.ts';
import type { Acting, Handler } from './acting.ts';
import { wrong } from './act-input.ts';
import { filesOf } from './inbound.ts';
import { permissionsIn } from './permissions.ts';
import { emojiPath } from './reaction.ts';
import { parseMessageLink } from './targets.ts';
import { nameOf, wordsOf } from './words.ts';

const done = { ok: true } as const;
const SILENT = { allowed_mentions: { parse: [] } } as const;

/** What of a message a model needs. */
function shown(message: APIMessage, { places }: Pick<Acting, 'places'>): object {
  const files = filesOf(message).map(({ name, mime, size }) => ({ name, mime, size }));
  const at = Date.parse(message.timestamp);
  return {
    id: message.id,
    channelId: message.channel_id,
    author: {
      id: message.author.id,
      name: nameOf(message.author),
      ...present({ bot: message.author.bot ? true : undefined }),
    },
    text: wordsOf(message, places.names(undefined)),
    timestampMs: at,
    timestampUtc: new Date(at).toISOString(),
    ...present({
      edited: message.edited_timestamp ? true : undefined,
      replyTo: message.message_reference?.message_id || undefined,
      attachments: files.length > 0 ? files : undefined,
      pinned: message.pinned ? true : undefined,
    }),
  };
}

const read: Handler = async (act) => {
  const { call, input, action } = act;
  const channelId = await act.channel();
  const query = {
    limit: input.number('limit', [1, 100]) ?? 50,
    before: input.optionalId('before'),
    after: input.optionalId('after'),
    around: input.optionalId('around'),
  };
  const messages = await call<APIMessage[]>('get', Routes.channelMessages(channelId), `reading channel ${channelId}`, {
    query,
    signal: action.signal,
  });
  return { messages: messages.map((message) => shown(message, act)) };
};

const fetchOne: Handler = async (act) => {
  const link = act.input.optional('messageLink');
  const found = link === undefined ? undefined : parseMessageLink(link);
  if (link !== undefined && !found) throw wrong('messageLink', 'is not a link to a Discord message');
  const messageId = found?.messageId ?? act.input.id('messageId');
  const channelId = found?.channelId ?? (await act.channel());
  return {
    message: shown(
      await act.call<APIMessage>('get', Routes.channelMessage(channelId, messageId), `reading message ${messageId}`, {
        signal: act.action.signal,
      }),
      act,
    ),
  };
};

const reactions: Handler = async (act) => {
  const {
    call,
    input,
    action: { signal },
  } = act;
  const [channelId, messageId, limit] = [
    await act.channel(),
    input.id('messageId'),
    input.number('limit', [1, 100]) ?? 100,
  ];
  const { reactions: found = [] } = await call<APIMessage>(
    'get',
    Routes.channelMessage(channelId, messageId),
    `reading message ${messageId}`,
    { signal },
  );
  const listed: object[] = [];
  for (const { emoji, count } of found) {
    const path = emojiPath(emoji.id ? `${emoji.name}:${emoji.id}` : (emoji.name ?? ''));
    const users = await call<APIUser[]>(
      'get',
      Routes.channelMessageReaction(channelId, messageId, path),
      `reading the reactions of message ${messageId}`,
      { query: { limit }, signal },
    );
    listed.push({
      emoji: emoji.id ? `<:${emoji.name}:${emoji.id}>` : emoji.name,
      count,
      users: users.map((user) => ({ id: user.id, username: user.username, name: nameOf(user) })),
    });
  }
  return { reactions: listed };
};

const pinning =
  (verb: 'put' | 'delete'): Handler =>
  async (act) => {
    const messageId = act.input.id('messageId');
    await act.call(
      verb,
      `/channels/${await act.channel()}/messages/pins/${messageId}`,
      `${verb === 'put' ? 'pinning' : 'unpinning'} message ${messageId}`,
      { reason: act.input.optional('reason') },
    );
    return done;
  };

const listPins: Handler = async (act) => {
  const channelId = await act.channel();
  const { items = [] } = await act.call<{ items?: readonly { pinned_at: string; message: APIMessage }[] }>(
    'get',
    `/channels/${channelId}/messages/pins`,
    `reading the pins of channel ${channelId}`,
    { query: { limit: 50 }, signal: act.action.signal },
  );
  return { pins: items.map(({ pinned_at: pinnedAt, message }) => ({ ...shown(message, act), pinnedAt })) };
};

const sticker: Handler = async (act) => {
  const ids = act.input.list('stickerIds');
  if (ids.length < 1 || ids.length > 3) throw wrong('stickerIds', 'has to name one to three stickers');
  const channelId = await act.channel();
  const { id } = await act.call<APIMessage>(
    'post',
    Routes.channelMessages(channelId),
    `sending stickers to channel ${channelId}`,
    { body: { sticker_ids: ids, content: act.input.optional('message'), ...SILENT } },
  );
  return { ...done, messageId: id, channelId };
};

const ARCHIVE = [60, 1440, 4320, 10_080];

/**
 * A thread on no message is public unless Discord is told otherwise; a forum's threads begin with a message of their
 * own.
 */
const threadCreate: Handler = async (act) => {
  const { input, call } = act;
  const [channelId, messageId, text] = [await act.channel(), input.optionalId('messageId'), input.optional('message')];
  const minutes = input.number('autoArchiveMinutes', [60, 10_080]);
  if (minutes !== undefined && !ARCHIVE.includes(minutes))
    throw wrong('autoArchiveMinutes', `has to be one of ${ARCHIVE.join(', ')}`);
  const { place } = await act.places.around(channelId);
  if (place.forum && text === undefined) throw wrong('message', 'is missing: a post in a forum begins with one');
  const body = {
    name: head(input.text('name'), 100),
    auto_archive_duration: minutes,
    ...(place.forum
      ? { message: { content: text, ...SILENT } }
      : messageId === undefined
        ? { type: ChannelType.PublicThread }
        : {}),
  };
  const thread = await call<APIThreadChannel>(
    'post',
    Routes.threads(channelId, messageId),
    `opening a thread in channel ${channelId}`,
    { body },
  );
  if (!place.forum && text !== undefined)
    await call('post', Routes.channelMessages(thread.id), `writing in thread ${thread.id}`, {
      body: { content: text, ...SILENT },
    });
  return { ...done, threadId: thread.id, channelId, name: thread.name };
};

const threadList: Handler = async (act) => {
  const {
    input,
    call,
    action: { signal },
  } = act;
  const archived = input.flag('includeArchived') ?? false;
  const route = archived
    ? Routes.channelThreads(await act.channel(), 'public')
    : Routes.guildActiveThreads(await act.guild());
  const { threads } = await call<{ threads: APIThreadChannel[] }>('get', route, 'listing threads', {
    signal,
    ...present({
      query: archived ? { before: input.time('before'), limit: input.number('limit', [2, 100]) } : undefined,
    }),
  });
  return {
    threads: threads.map(({ id, name, parent_id: channelId, owner_id: ownerId, message_count: messages }) => ({
      id,
      name,
      channelId,
      ownerId,
      messages,
    })),
  };
};

const threadReply: Handler = async ({ call, input }) => {
  const [threadId, replyTo] = [input.id('threadId'), input.optionalId('replyTo')];
  const content = input.text('message');
  if (content.length > 2000)
    throw new AppError(
      'too_large',
      `A message on Discord has at most 2000 characters; this one has ${content.length}. Split it.`,
    );
  const body = {
    content,
    ...SILENT,
    ...present({ message_reference: replyTo ? { message_id: replyTo, fail_if_not_exists: false } : undefined }),
  };
  const { id } = await call<APIMessage>('post', Routes.channelMessages(threadId), `writing in thread ${threadId}`, {
    body,
  });
  return { ...done, messageId: id, channelId: threadId };
};

const search: Handler = async (act) => {
  const {
    input,
    action: { signal },
  } = act;
  const guildId = await act.guild();
  const parameters = new URLSearchParams([
    ['content', input.text('query')],
    ['limit', String(input.number('limit', [1, 25]) ?? 25)],
    ...input.list('channelIds').map((id): [string, string] => ['channel_id', id]),
    ...input.list('authorIds').map((id): [string, string] => ['author_id', id]),
  ]);
  const found = await act.call<{ messages?: APIMessage[][]; total_results?: number; retry_after?: number }>(
    'get',
    `/guilds/${guildId}/messages/search?${parameters.toString()}`,
    `searching server ${guildId}`,
    { signal },
  );
  if (!found.messages)
    throw new AppError('unavailable', 'Discord is still preparing its search of this server. Try again in a moment.', {
      retryAfterMs: (found.retry_after ?? 5) * 1000,
    });
  return { total: found.total_results, messages: found.messages.flat().map((message) => shown(message, act)) };
};

export const messageHandlers: Readonly<Record<string, Handler>> = {
  read,
  fetch: fetchOne,
  reactions,
  pin: pinning('put'),
  unpin: pinning('delete'),
  'list-pins': listPins,
  sticker,
  'thread-create': threadCreate,
  'thread-list': threadList,
  'thread-reply': threadReply,
  search,
  permissions: async (act) => permissionsIn(act, await act.channel()),
};
