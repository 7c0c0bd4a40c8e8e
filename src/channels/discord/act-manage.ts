/** Actions that change a server: its channels, categories and permissions. */
import { ChannelType, OverwriteType, Routes, type APIChannel } from '@discordjs/core';
import { shownChannel } from './act-guild.ts';
import { wrong, type Input } from './act-input.ts';
import type { Acting, Handler } from './acting.ts';
import { bitsOf } from './permissions.ts';

const done = { ok: true } as const;

const TYPES: Readonly<Record<string, ChannelType>> = {
  text: ChannelType.GuildText,
  voice: ChannelType.GuildVoice,
  category: ChannelType.GuildCategory,
  announcement: ChannelType.GuildAnnouncement,
  stage: ChannelType.GuildStageVoice,
  forum: ChannelType.GuildForum,
};

function channelBody({ input }: Acting): Readonly<Record<string, unknown>> {
  const parent = input.flag('clearParent') ? null : input.optionalId('parentId');
  return {
    name: input.optional('name'),
    topic: input.optional('topic'),
    position: input.number('position', [0, 1000]),
    parent_id: parent,
    nsfw: input.flag('nsfw'),
    rate_limit_per_user: input.number('rateLimitPerUser', [0, 21_600]),
  };
}

const channelCreate: Handler = async (act) => {
  const kind = act.input.optional('type') ?? 'text';
  if (!Object.hasOwn(TYPES, kind)) throw wrong('type', `has to be one of ${Object.keys(TYPES).join(', ')}`);
  act.input.text('name');
  const made = await act.call<APIChannel>('post', Routes.guildChannels(await act.guild()), 'making a channel', {
    body: { ...channelBody(act), type: TYPES[kind] },
    reason: act.reason,
  });
  return { ...done, channel: shownChannel(made) };
};

const channelEdit: Handler = async (act) => {
  const channelId = await act.channel();
  const changed = await act.call<APIChannel>('patch', Routes.channel(channelId), `changing channel ${channelId}`, {
    body: channelBody(act),
    reason: act.reason,
  });
  return { ...done, channel: shownChannel(changed) };
};

const channelDelete: Handler = async (act) => {
  const channelId = await act.channel();
  await act.call('delete', Routes.channel(channelId), `deleting channel ${channelId}`, {
    reason: act.reason,
  });
  return done;
};

const channelMove: Handler = async (act) => {
  const { position, parent_id: parentId } = channelBody(act);
  await act.call('patch', Routes.guildChannels(await act.guild()), 'moving a channel', {
    body: [{ id: await act.channel(), position, parent_id: parentId }],
    reason: act.reason,
  });
  return done;
};

/** A role unless a member is named as one. */
function targetOf(input: Input): { readonly id: string; readonly type: OverwriteType } {
  const kind = input.optional('targetType') ?? 'role';
  if (kind !== 'role' && kind !== 'member') throw wrong('targetType', 'has to be role or member');
  return {
    id: input.id('targetId'),
    type: kind === 'member' ? OverwriteType.Member : OverwriteType.Role,
  };
}

const permissionSet: Handler = async (act) => {
  const { id, type } = targetOf(act.input);
  const [allow, deny] = [bitsOf(act.input, 'allow'), bitsOf(act.input, 'deny')];
  if (allow === 0n && deny === 0n) throw wrong('allow', 'or deny has to name at least one permission');
  if ((allow & deny) !== 0n) throw wrong('deny', 'names a permission that allow names, too');
  const channelId = await act.channel();
  await act.call('put', Routes.channelPermission(channelId, id), `changing who may what in channel ${channelId}`, {
    body: { type, allow: allow.toString(), deny: deny.toString() },
    reason: act.reason,
  });
  return done;
};

const permissionRemove: Handler = async (act) => {
  const [channelId, id] = [await act.channel(), act.input.id('targetId')];
  await act.call('delete', Routes.channelPermission(channelId, id), `changing who may what in channel ${channelId}`, {
    reason: act.reason,
  });
  return done;
};

export const manageHandlers: Readonly<Record<string, Handler>> = {
  'channel-create': channelCreate,
  'channel-edit': channelEdit,
  'channel-delete': channelDelete,
  'channel-move': channelMove,
  'channel-permission-set': permissionSet,
  'channel-permission-remove': permissionRemove,
};
