/** Actions on messages and threads. */
import { ChannelType, Routes, type APIMessage, type APIThreadChannel, type APIUser } from '@discordjs/core';
import { AppError, head, pause, present } from '../../sdk/index.ts';
import { linkedIn, type Acting, type Handler } from './acting.ts';
import { wrong } from './act-input.ts';
import { filesOf } from './inbound.ts';
import { permissionsIn } from './permissions.ts';
import { emojiPath } from './reaction.ts';
import { nameOf, wordsOf } from './words.ts';

const done = { ok: true } as const;
const READING = ['ViewChannel', 'ReadMessageHistory'] as const;
export const SILENT = { allowed_mentions: { parse: [] } } as const;

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
  const found = linkedIn(act.input);
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
      { reason: act.reason },
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
  const seen = await act.visible(threads.map(({ id }) => id));
  return {
    threads: threads
      .filter(({ id }) => seen.has(id))
      .map(({ id, name, parent_id: channelId, owner_id: ownerId, message_count: messages }) => ({
        id,
        name,
        channelId,
        ownerId,
        messages,
      })),
  };
};

interface Found {
  readonly messages?: readonly (readonly APIMessage[])[];
  readonly total_results?: number;
  readonly retry_after?: number;
}

const INDEX_ATTEMPTS = 3;
const LONGEST_INDEX_WAIT_S = 10;

/** A server that nobody searched for long is prepared first: Discord says for how long. */
async function searched(
  act: Acting,
  guildId: string,
  parameters: URLSearchParams,
): Promise<Found & Required<Pick<Found, 'messages'>>> {
  const { signal } = act.action;
  for (let attempt = 1; ; attempt++) {
    const found = await act.call<Found>(
      'get',
      `/guilds/${guildId}/messages/search?${parameters.toString()}`,
      `searching server ${guildId}`,
      { signal },
    );
    if (found.messages) return { ...found, messages: found.messages };
    const seconds = Math.min(LONGEST_INDEX_WAIT_S, found.retry_after ?? 2);
    if (attempt === INDEX_ATTEMPTS || !(await pause(seconds * 1000, signal)))
      throw new AppError(
        'unavailable',
        'Discord is still preparing its search of this server. Try again in a moment.',
        {
          retryAfterMs: seconds * 1000,
        },
      );
  }
}

const search: Handler = async (act) => {
  const { input } = act;
  const guildId = await act.guild();
  const parameters = new URLSearchParams([
    ['content', input.text('query')],
    ['limit', String(input.number('limit', [1, 25]) ?? 25)],
    ...input.list('channelIds').map((id): [string, string] => ['channel_id', id]),
    ...input.list('authorIds').map((id): [string, string] => ['author_id', id]),
  ]);
  const found = await searched(act, guildId, parameters);
  const messages = found.messages.flat();
  const seen = await act.visible(
    messages.map((message) => message.channel_id),
    READING,
  );
  return {
    // A count would tell of what they cannot see.
    ...present({ total: act.action.requesters === undefined ? found.total_results : undefined }),
    messages: messages.filter((message) => seen.has(message.channel_id)).map((message) => shown(message, act)),
  };
};

export const messageHandlers: Readonly<Record<string, Handler>> = {
  read,
  fetch: fetchOne,
  reactions,
  pin: pinning('put'),
  unpin: pinning('delete'),
  'list-pins': listPins,
  'thread-create': threadCreate,
  'thread-list': threadList,
  search,
  permissions: async (act) => permissionsIn(act, await act.channel()),
};
