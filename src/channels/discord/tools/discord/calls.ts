/** The actions of the `discord` tool, as data: the channel action of each, and its parameter names. */
import type { DiscordParameter } from './input.ts';

/** `place`: where `channelId` or `to` goes; the others go by another name, or by their own. */
export interface DiscordCall {
  /** The channel's action it is. */
  readonly does: string;
  readonly takes: readonly DiscordParameter[];
  readonly required: readonly DiscordParameter[];
  /** It writes: through the outbox, split and rendered like an answer. */
  readonly sends?: true;
  readonly renamed?: Readonly<Partial<Record<DiscordParameter, string>>>;
  /** What it always says. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

type Names = readonly `${DiscordParameter}${'' | '*'}`[];

function call(does: string, names: Names, more: Pick<DiscordCall, 'sends' | 'renamed' | 'fixed'> = {}): DiscordCall {
  const bare = (name: string): DiscordParameter => name.replace('*', '') as DiscordParameter;
  return { does, takes: names.map(bare), required: names.filter((name) => name.endsWith('*')).map(bare), ...more };
}

const WORDS = { content: 'message' } as const;
const MEMBER = ['guildId', 'userId*'] as const;
const MESSAGE = ['channelId', 'messageId*'] as const;
const CHANNEL = ['name', 'topic', 'position', 'parentId', 'nsfw', 'reason'] as const;
const OF_A_CATEGORY = { categoryId: 'target' } as const;

export const DISCORD_CALLS: Readonly<Record<string, DiscordCall>> = {
  react: call('react', [...MESSAGE, 'emoji', 'remove']),
  reactions: call('reactions', [...MESSAGE, 'limit']),
  sticker: call('sticker', ['to', 'stickerIds*', 'content'], { renamed: WORDS }),
  poll: call('poll', ['to', 'question*', 'answers*', 'allowMultiselect', 'durationHours', 'content'], {
    renamed: {
      ...WORDS,
      question: 'pollQuestion',
      answers: 'pollOption',
      allowMultiselect: 'pollMulti',
      durationHours: 'pollDurationHours',
    },
  }),
  permissions: call('permissions', ['channelId']),
  fetchMessage: call('fetch', ['channelId', 'messageId', 'messageLink']),
  readMessages: call('read', ['channelId', 'limit', 'before', 'after', 'around']),
  sendMessage: call('embed', ['to', 'content', 'mediaUrl', 'replyTo', 'embeds'], { renamed: WORDS, sends: true }),
  editMessage: call('edit', [...MESSAGE, 'content*'], { renamed: WORDS }),
  deleteMessage: call('delete', [...MESSAGE, 'reason']),
  threadCreate: call('thread-create', ['channelId', 'name*', 'messageId', 'autoArchiveMinutes', 'content'], {
    renamed: WORDS,
  }),
  threadList: call('thread-list', ['guildId', 'channelId', 'includeArchived', 'before', 'limit']),
  threadReply: call('thread-reply', ['channelId*', 'content', 'mediaUrl', 'replyTo'], { renamed: WORDS, sends: true }),
  pinMessage: call('pin', [...MESSAGE, 'reason']),
  unpinMessage: call('unpin', [...MESSAGE, 'reason']),
  listPins: call('list-pins', ['channelId']),
  searchMessages: call('search', ['guildId', 'content*', 'channelId', 'channelIds', 'authorId', 'authorIds', 'limit'], {
    renamed: { content: 'query' },
  }),
  memberInfo: call('member-info', MEMBER),
  roleInfo: call('role-info', ['guildId']),
  emojiList: call('emoji-list', ['guildId']),
  emojiUpload: call('emoji-upload', ['guildId', 'name*', 'mediaUrl*', 'roleIds', 'reason'], {
    renamed: { mediaUrl: 'media' },
  }),
  stickerUpload: call('sticker-upload', ['guildId', 'name*', 'mediaUrl*', 'description*', 'tags*', 'reason'], {
    renamed: { mediaUrl: 'media' },
  }),
  roleAdd: call('role-add', [...MEMBER, 'roleId*', 'reason']),
  roleRemove: call('role-remove', [...MEMBER, 'roleId*', 'reason']),
  channelInfo: call('channel-info', ['channelId']),
  channelList: call('channel-list', ['guildId']),
  channelCreate: call('channel-create', ['guildId', 'name*', 'type', ...CHANNEL.slice(1)]),
  channelEdit: call('channel-edit', ['channelId*', ...CHANNEL, 'clearParent', 'rateLimitPerUser']),
  channelDelete: call('channel-delete', ['channelId*', 'reason']),
  channelMove: call('channel-move', ['guildId', 'channelId*', 'position', 'parentId', 'clearParent', 'reason']),
  categoryCreate: call('channel-create', ['guildId', 'name*', 'position', 'reason'], { fixed: { type: 'category' } }),
  categoryEdit: call('channel-edit', ['categoryId*', 'name', 'position', 'reason'], { renamed: OF_A_CATEGORY }),
  categoryDelete: call('channel-delete', ['categoryId*', 'reason'], { renamed: OF_A_CATEGORY }),
  channelPermissionSet: call('channel-permission-set', [
    'channelId*',
    'targetId*',
    'targetType',
    'allow',
    'deny',
    'reason',
  ]),
  channelPermissionRemove: call('channel-permission-remove', ['channelId*', 'targetId*', 'reason']),
  voiceStatus: call('voice-status', MEMBER),
  eventList: call('event-list', ['guildId']),
  eventCreate: call('event-create', [
    'guildId',
    'name*',
    'startTime*',
    'endTime',
    'description',
    'channelId',
    'entityType',
    'location',
    'reason',
  ]),
  timeout: call('timeout', [...MEMBER, 'durationMinutes', 'until', 'reason']),
  kick: call('kick', [...MEMBER, 'reason']),
  ban: call('ban', [...MEMBER, 'reason', 'deleteMessageDays']),
};

/** The one action whose `channelId` is no chat to act in but a place the event is held. */
export const HELD_IN = 'eventCreate';
