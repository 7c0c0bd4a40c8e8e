/** Server actions: members, roles, emoji, events, and the list of channels. */
import {
  ChannelType,
  Routes,
  type APIChannel,
  type APIEmoji,
  type APIGuildMember,
  type APIGuildScheduledEvent,
  type APIRole,
  type APIVoiceState,
} from '@discordjs/core';
import { AppError, type MediaRef, present } from '../../sdk/index.ts';
import type { Acting, Handler } from './acting.ts';
import { wrong } from './act-input.ts';
import { nameOf } from './words.ts';

const done = { ok: true } as const;
const LONGEST_TIMEOUT_MINUTES = 28 * 24 * 60;

const memberInfo: Handler = async (act) => {
  const [guildId, userId] = [await act.guild(), act.input.id('userId')];
  const member = await act.call<APIGuildMember>(
    'get',
    Routes.guildMember(guildId, userId),
    `reading member ${userId}`,
    { signal: act.action.signal },
  );
  return {
    id: userId,
    username: member.user.username,
    name: nameOf({ ...member.user, member }),
    roles: member.roles,
    joinedAt: member.joined_at,
    timedOutUntil: member.communication_disabled_until ?? null,
    ...present({ bot: member.user.bot ? true : undefined }),
  };
};

const roleInfo: Handler = async (act) => {
  const roles = await act.call<APIRole[]>('get', Routes.guildRoles(await act.guild()), 'reading the roles', {
    signal: act.action.signal,
  });
  return {
    roles: roles.map(({ id, name, position, managed, mentionable }) => ({ id, name, position, managed, mentionable })),
  };
};

const roleChange =
  (verb: 'put' | 'delete'): Handler =>
  async (act) => {
    const [guildId, userId, roleId] = [await act.guild(), act.input.id('userId'), act.input.id('roleId')];
    await act.call(verb, Routes.guildMemberRole(guildId, userId, roleId), `changing the roles of member ${userId}`, {
      reason: act.reason,
    });
    return done;
  };

const emojiList: Handler = async (act) => {
  const emoji = await act.call<APIEmoji[]>('get', Routes.guildEmojis(await act.guild()), 'reading the emoji', {
    signal: act.action.signal,
  });
  return {
    emoji: emoji.map(({ id, name, animated }) => ({ id, name, written: `<${animated ? 'a' : ''}:${name}:${id}>` })),
  };
};

/** No path: what an agent may read is not decided here. An address goes through the guard when it is opened. */
function mediaOf({ input }: Acting): MediaRef {
  const media = input.text('media').trim();
  if (/^https?:\/\//i.test(media)) return { from: 'url', url: media };
  throw wrong('media', 'has to be an https address');
}

const emojiUpload: Handler = async (act) => {
  const { data, mime } = await act.account.open(mediaOf(act), 256 * 1024);
  if (!/^image\/(png|jpeg|gif)$/.test(mime)) throw wrong('media', `has to be png, jpg or gif, not ${mime}`);
  const body = {
    name: act.input.text('name'),
    image: `data:${mime};base64,${Buffer.from(data).toString('base64')}`,
    roles: act.input.list('roleIds'),
  };
  const { id, name } = await act.call<APIEmoji>('post', Routes.guildEmojis(await act.guild()), 'adding an emoji', {
    body,
    reason: act.reason,
  });
  return { ...done, id, name };
};

const stickerUpload: Handler = async (act) => {
  const { data, mime, name: fileName } = await act.account.open(mediaOf(act), 512 * 1024);
  if (!/^(image\/(png|apng)|application\/json)$/.test(mime))
    throw wrong('media', `has to be png, apng or lottie, not ${mime}`);
  const body = {
    name: act.input.text('name'),
    description: act.input.text('description'),
    tags: act.input.text('tags'),
  };
  const { id, name } = await act.call<{ id: string; name: string }>(
    'post',
    Routes.guildStickers(await act.guild()),
    'adding a sticker',
    {
      body,
      appendToForm: true,
      files: [{ key: 'file', name: fileName, data, contentType: mime }],
      reason: act.reason,
    },
  );
  return { ...done, id, name };
};

export const shownChannel = (channel: APIChannel): object => {
  const {
    id,
    name,
    type,
    parent_id: parentId,
    topic,
    position,
    nsfw,
  } = channel as {
    id: string;
    name?: string;
    type: number;
    parent_id?: string;
    topic?: string;
    position?: number;
    nsfw?: boolean;
  };
  return { id, name, type: ChannelType[type] ?? type, parentId, topic, position, nsfw };
};

const channelInfo: Handler = async (act) => {
  const channelId = await act.channel();
  return {
    channel: shownChannel(
      await act.call<APIChannel>('get', Routes.channel(channelId), `reading channel ${channelId}`, {
        signal: act.action.signal,
      }),
    ),
  };
};

const channelList: Handler = async (act) => {
  const channels = await act.call<APIChannel[]>('get', Routes.guildChannels(await act.guild()), 'listing channels', {
    signal: act.action.signal,
  });
  const seen = await act.visible(channels.map(({ id }) => id));
  return { channels: channels.filter(({ id }) => seen.has(id)).map(shownChannel) };
};

/** Who is in a channel that those who asked cannot see is nowhere to be seen. */
const voiceStatus: Handler = async (act) => {
  const [guildId, userId] = [await act.guild(), act.input.id('userId')];
  const voice = await act.call<APIVoiceState>(
    'get',
    Routes.guildVoiceState(guildId, userId),
    `reading where member ${userId} is in voice`,
    { signal: act.action.signal },
  );
  const { channel_id: channelId } = voice;
  const shown = channelId === null || (await act.visible([channelId])).has(channelId);
  return { voice: shown ? voice : { ...voice, channel_id: null } };
};

const eventList: Handler = async (act) => {
  const events = await act.call<APIGuildScheduledEvent[]>(
    'get',
    Routes.guildScheduledEvents(await act.guild()),
    'listing events',
    { signal: act.action.signal },
  );
  const held = events.flatMap(({ channel_id: channelId }) => channelId ?? []);
  const seen = await act.visible(held);
  return {
    events: events
      .filter(({ channel_id: channelId }) => !channelId || seen.has(channelId))
      .map(
        ({ id, name, description, scheduled_start_time: start, scheduled_end_time: end, channel_id: channelId }) => ({
          id,
          name,
          description,
          start,
          end,
          channelId,
        }),
      ),
  };
};

const ENTITIES: Readonly<Record<string, number>> = { stage: 1, voice: 2, external: 3 };

const eventCreate: Handler = async (act) => {
  const { input } = act;
  const kind = input.optional('entityType') ?? 'voice';
  const [channelId, location, end] = [input.optionalId('channelId'), input.optional('location'), input.time('endTime')];
  if (!Object.hasOwn(ENTITIES, kind)) throw wrong('entityType', 'has to be voice, stage or external');
  if (kind === 'external' && (location === undefined || end === undefined))
    throw new AppError('invalid', 'An external event needs location and endTime.');
  if (kind !== 'external' && channelId === undefined)
    throw wrong('channelId', `is missing: a ${kind} event takes place in a channel`);
  const body = {
    name: input.text('name'),
    description: input.optional('description'),
    privacy_level: 2,
    entity_type: ENTITIES[kind],
    scheduled_start_time: input.time('startTime'),
    scheduled_end_time: end,
    ...(kind === 'external' ? { entity_metadata: { location } } : { channel_id: channelId }),
  };
  const { id, name } = await act.call<APIGuildScheduledEvent>(
    'post',
    Routes.guildScheduledEvents(await act.guild()),
    'planning an event',
    { body, reason: act.reason },
  );
  return { ...done, id, name };
};

const timeout: Handler = async (act) => {
  const { input } = act;
  const minutes = input.number('durationMinutes', [0, LONGEST_TIMEOUT_MINUTES]);
  const until =
    input.time('until') ??
    (minutes === undefined || minutes === 0 ? null : new Date(Date.now() + minutes * 60_000).toISOString());
  if (until !== null && Date.parse(until) > Date.now() + (LONGEST_TIMEOUT_MINUTES + 1) * 60_000)
    throw wrong('until', 'may be at most 28 days away');
  const userId = input.id('userId');
  await act.call('patch', Routes.guildMember(await act.guild(), userId), `silencing member ${userId}`, {
    body: { communication_disabled_until: until },
    reason: act.reason,
  });
  return { ...done, until };
};

const kick: Handler = async (act) => {
  const userId = act.input.id('userId');
  await act.call('delete', Routes.guildMember(await act.guild(), userId), `removing member ${userId}`, {
    reason: act.reason,
  });
  return done;
};

const ban: Handler = async (act) => {
  const userId = act.input.id('userId');
  const days = act.input.number('deleteMessageDays', [0, 7]) ?? 0;
  await act.call('put', Routes.guildBan(await act.guild(), userId), `banning member ${userId}`, {
    body: { delete_message_seconds: Math.round(days * 86_400) },
    reason: act.reason,
  });
  return done;
};

export const guildHandlers: Readonly<Record<string, Handler>> = {
  'member-info': memberInfo,
  'role-info': roleInfo,
  'role-add': roleChange('put'),
  'role-remove': roleChange('delete'),
  'emoji-list': emojiList,
  'emoji-upload': emojiUpload,
  'sticker-upload': stickerUpload,
  'channel-info': channelInfo,
  'channel-list': channelList,
  'voice-status': voiceStatus,
  'event-list': eventList,
  'event-create': eventCreate,
  timeout,
  kick,
  ban,
};
