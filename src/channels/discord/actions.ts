/** What can be done on Discord beyond sending, as data: names, parameters, and the gate that turns each off or on. */
import type { ChannelAction } from '../../sdk/index.ts';

/** Parameters every channel has one meaning for; core describes them. */
const common = (...names: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries(names.map((name) => [name, '']));

const guildId = { guildId: 'Server, by its id; absent: that of the chat' };
const message = common('target', 'threadId', 'messageId');

export const discordActions: readonly ChannelAction[] = [
  { name: 'reactions', summary: 'Who reacted to a message, and how', gate: 'reactions', reach: 'chat', readOnly: true, parameters: { ...message, ...common('limit') }, required: ['messageId'] },
  { name: 'read', summary: 'Read messages of a channel or thread, newest first', gate: 'messages', reach: 'chat', readOnly: true, parameters: common('target', 'threadId', 'limit', 'before', 'after', 'around') },
  { name: 'fetch', summary: 'Read one message, by its id or its link', gate: 'messages', readOnly: true, parameters: { ...message, messageLink: 'Link to the message, in place of target and messageId' } },
  { name: 'pin', summary: 'Pin a message', gate: 'pins', reach: 'chat', moderates: 'ManageMessages', parameters: message, required: ['messageId'] },
  { name: 'unpin', summary: 'Unpin a message', gate: 'pins', reach: 'chat', moderates: 'ManageMessages', parameters: message, required: ['messageId'] },
  { name: 'list-pins', summary: 'Pinned messages of a channel', gate: 'pins', reach: 'chat', readOnly: true, parameters: common('target', 'threadId') },
  { name: 'sticker', summary: 'Send stickers', gate: 'stickers', reach: 'chat', parameters: { ...common('target', 'threadId', 'message'), stickerIds: 'One to three sticker ids' }, required: ['stickerIds'] },
  { name: 'thread-create', summary: 'Open a thread, on a message where one is named; in a forum: a post', gate: 'threads', reach: 'chat', parameters: { ...common('target', 'messageId', 'name', 'message'), autoArchiveMinutes: '60, 1440, 4320 or 10080' }, required: ['name'] },
  { name: 'thread-list', summary: 'Threads of the server or of a channel', gate: 'threads', reach: 'place', readOnly: true, parameters: { ...guildId, ...common('target', 'limit'), includeArchived: 'True: archived threads of the channel instead', before: 'ISO time; only threads archived before' } },
  { name: 'thread-reply', summary: 'Write in a thread', gate: 'threads', reach: 'chat', parameters: common('threadId', 'message', 'replyTo'), required: ['threadId', 'message'] },
  { name: 'search', summary: 'Look for messages in a server', gate: 'search', reach: 'place', readOnly: true, parameters: { ...guildId, ...common('query', 'limit'), channelIds: 'Only in these channels', authorIds: 'Only of these people' }, required: ['query'] },
  { name: 'permissions', summary: 'What the bot may do in a channel', gate: 'permissions', reach: 'chat', readOnly: true, parameters: common('target', 'threadId') },
  { name: 'member-info', summary: 'A member of the server', gate: 'memberInfo', reach: 'place', readOnly: true, parameters: { ...guildId, ...common('userId') }, required: ['userId'] },
  { name: 'role-info', summary: 'Roles of the server', gate: 'roleInfo', reach: 'place', readOnly: true, parameters: guildId },
  { name: 'role-add', summary: 'Give a member a role', gate: 'roles', reach: 'place', moderates: 'ManageRoles', offByDefault: true, parameters: { ...guildId, ...common('userId', 'roleId', 'reason') }, required: ['userId', 'roleId'] },
  { name: 'role-remove', summary: 'Take a role from a member', gate: 'roles', reach: 'place', moderates: 'ManageRoles', offByDefault: true, parameters: { ...guildId, ...common('userId', 'roleId', 'reason') }, required: ['userId', 'roleId'] },
  { name: 'emoji-list', summary: 'Emoji of the server', gate: 'reactions', reach: 'place', readOnly: true, parameters: guildId },
  { name: 'emoji-upload', summary: 'Add an emoji to the server: png, jpg or gif up to 256 KB', gate: 'emojiUploads', reach: 'place', moderates: 'ManageGuildExpressions', parameters: { ...guildId, ...common('name'), media: 'https address of the picture', roleIds: 'Only for these roles' }, required: ['name', 'media'] },
  { name: 'sticker-upload', summary: 'Add a sticker to the server: png, apng or lottie up to 512 KB', gate: 'stickerUploads', reach: 'place', moderates: 'ManageGuildExpressions', parameters: { ...guildId, ...common('name'), media: 'https address of the picture', description: 'What it shows', tags: 'An emoji name that goes with it' }, required: ['name', 'media', 'description', 'tags'] },
  { name: 'channel-info', summary: 'A channel', gate: 'channelInfo', reach: 'chat', readOnly: true, parameters: common('target', 'threadId') },
  { name: 'channel-list', summary: 'Channels of the server', gate: 'channelInfo', reach: 'place', readOnly: true, parameters: guildId },
  { name: 'channel-create', summary: 'Make a channel', gate: 'channels', reach: 'place', moderates: 'ManageChannels', offByDefault: true, parameters: { ...guildId, ...common('name', 'reason'), type: 'text, voice, category, announcement, stage or forum', parentId: 'Category it belongs to', topic: 'What it is about', position: 'Place in the list', nsfw: 'For adults only' }, required: ['name'] },
  { name: 'channel-edit', summary: 'Change a channel', gate: 'channels', reach: 'chat', moderates: 'ManageChannels', offByDefault: true, parameters: { ...common('target', 'name', 'reason'), topic: 'What it is about', position: 'Place in the list', parentId: 'Category it belongs to', clearParent: 'True: out of its category', nsfw: 'For adults only', rateLimitPerUser: 'Seconds between messages of one person' } },
  { name: 'channel-delete', summary: 'Delete a channel for good', gate: 'channels', reach: 'chat', moderates: 'ManageChannels', offByDefault: true, parameters: common('target', 'reason'), required: ['target'] },
  { name: 'channel-move', summary: 'Put a channel elsewhere in the list', gate: 'channels', reach: 'place', moderates: 'ManageChannels', offByDefault: true, parameters: { ...guildId, ...common('target'), position: 'Place in the list', parentId: 'Category it belongs to', clearParent: 'True: out of its category' } },
  { name: 'voice-status', summary: 'Where a member is in voice', gate: 'voiceStatus', reach: 'place', readOnly: true, parameters: { ...guildId, ...common('userId') }, required: ['userId'] },
  { name: 'event-list', summary: 'Events of the server', gate: 'events', reach: 'place', readOnly: true, parameters: guildId },
  { name: 'event-create', summary: 'Plan an event', gate: 'events', reach: 'place', moderates: 'ManageEvents', parameters: { ...guildId, ...common('name', 'reason'), startTime: 'ISO time', endTime: 'ISO time; needed for external ones', description: 'What it is about', channelId: 'Voice or stage channel', entityType: 'voice, stage or external', location: 'Where, for external ones' }, required: ['name', 'startTime'] },
  { name: 'timeout', summary: 'Silence a member for a while; without a time: let them speak again', gate: 'moderation', reach: 'place', moderates: 'ModerateMembers', offByDefault: true, parameters: { ...guildId, ...common('userId', 'reason'), durationMinutes: 'At most 40320 (28 days)', until: 'ISO time, in place of the minutes' }, required: ['userId'] },
  { name: 'kick', summary: 'Remove a member from the server', gate: 'moderation', reach: 'place', moderates: 'KickMembers', offByDefault: true, parameters: { ...guildId, ...common('userId', 'reason') }, required: ['userId'] },
  { name: 'ban', summary: 'Ban a member from the server', gate: 'moderation', reach: 'place', moderates: 'BanMembers', offByDefault: true, parameters: { ...guildId, ...common('userId', 'reason'), deleteMessageDays: 'Also delete their messages of the last days, 0 to 7' }, required: ['userId'] },
];
