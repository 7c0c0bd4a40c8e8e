/** An in-memory Slack workspace (people, chats, messages, files, reactions) and its Web API methods. */
import { present } from '../../../sdk/index.ts';
import type { Chat, Said } from '../../../testing/channel-platform.ts';

export const BOT = { userId: 'U0BOT00001', botId: 'B0BOT00001', teamId: 'T0TEAM0001', handle: 'clawd' } as const;

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  data: Buffer;
  subtype?: string;
  shares: Record<string, Record<string, { ts: string }[]>>;
  url_private_download?: string;
}
export interface Stored {
  ts: string;
  channel: string;
  user: string;
  text: string;
  bot_id?: string;
  thread_ts?: string;
  mrkdwn?: boolean;
  metadata?: unknown;
  files: StoredFile[];
  edited?: { user: string; ts: string };
  reactions: Map<string, Set<string>>;
  ephemeralFor?: string;
}

type Args = Readonly<Record<string, string>>;
/** What a method answers besides `ok`; a string is the error. */
type Outcome = Record<string, unknown> | string;

export interface Workspace {
  readonly messages: Stored[];
  readonly files: Map<string, StoredFile>;
  readonly names: Map<string, string>;
  readonly rooms: Map<string, Record<string, unknown>>;
  /** As for an app that may not read it. */
  hidesMetadata: boolean;
  nextTs(): string;
  say(said: Said): Stored;
  methods: Readonly<Record<string, (args: Args) => Outcome>>;
  find(channel: string, ts: string): Stored | undefined;
}

/** Direct chats have an id of their own. */
export const channelOf = ({ kind, id }: Pick<Chat, 'kind' | 'id'>): string =>
  kind === 'direct' && id.startsWith('U') ? `D${id.slice(1)}` : id;
export const typeOf = ({ kind }: Pick<Chat, 'kind'>): string =>
  ({ direct: 'im', group: 'mpim', channel: 'channel' })[kind];

export function createWorkspace(origin: () => string): Workspace {
  const messages: Stored[] = [];
  const files = new Map<string, StoredFile>();
  const names = new Map<string, string>();
  const rooms = new Map<string, Record<string, unknown>>();
  const pins = new Map<string, Set<string>>();
  const count = { micros: Math.floor(Date.now() / 1000) * 1_000_000, files: 0 };
  const nextTs = (): string => {
    count.micros = Math.max(count.micros + 100, Date.now() * 1000);
    return (count.micros / 1_000_000).toFixed(6);
  };
  const find: Workspace['find'] = (channel, ts) => messages.find((one) => one.channel === channel && one.ts === ts);
  const room = (id: string): string => (/^[UW]/.test(id) ? `D${id.slice(1)}` : id);
  const add = (message: Omit<Stored, 'files' | 'reactions' | 'ts'> & Partial<Pick<Stored, 'files'>>): Stored => {
    const stored: Stored = { files: [], reactions: new Map(), ts: nextTs(), ...message };
    messages.push(stored);
    return stored;
  };
  const mine = { user: BOT.userId, bot_id: BOT.botId };
  const on = (args: Args, run: (message: Stored) => Outcome): Outcome => {
    const message = find(args['channel']!, args['timestamp'] ?? args['ts']!);
    return message ? run(message) : 'message_not_found';
  };
  const thread = (args: Args): { thread_ts?: string } => (args['thread_ts'] ? { thread_ts: args['thread_ts'] } : {});
  const page = (args: Args, fits: (one: Stored) => boolean, newestFirst: boolean): Outcome => {
    const found = messages.filter(
      (one) =>
        one.ephemeralFor === undefined &&
        one.channel === args['channel'] &&
        fits(one) &&
        (!args['oldest'] || Number(one.ts) > Number(args['oldest'])) &&
        (!args['latest'] || Number(one.ts) < Number(args['latest'])),
    );
    if (newestFirst) found.reverse();
    const from = Number(args['cursor'] ?? 0);
    const to = from + Number(args['limit'] ?? 100);
    return {
      messages: found
        .slice(from, to)
        .map((one) => wire(one, args['include_all_metadata'] === 'true' && !self.hidesMetadata)),
      has_more: to < found.length,
      response_metadata: { next_cursor: to < found.length ? String(to) : '' },
    };
  };

  const newFile = (file: {
    name: string;
    mimetype: string;
    data: Buffer;
    subtype?: string;
    user?: string;
  }): StoredFile => {
    const id = `F${String(++count.files).padStart(8, '0')}`;
    const stored: StoredFile = {
      ...file,
      id,
      title: file.name,
      size: file.data.length,
      shares: {},
      url_private_download: `${origin()}/files/${id}/${encodeURIComponent(file.name)}`,
    };
    files.set(id, stored);
    return stored;
  };

  const methods: Workspace['methods'] = {
    'auth.test': () => ({
      user_id: BOT.userId,
      bot_id: BOT.botId,
      team_id: BOT.teamId,
      team: 'Test team',
      user: BOT.handle,
    }),
    'users.info': ({ user }) =>
      names.has(user!)
        ? {
            user: {
              id: user,
              name: names.get(user!)!.toLowerCase(),
              profile: { display_name: names.get(user!), real_name: names.get(user!) },
            },
          }
        : 'user_not_found',
    'conversations.info': ({ channel, include_num_members: counted }) => {
      const { num_members, ...room } = rooms.get(channel!) ?? {
        id: channel,
        name: `room-${channel!.toLowerCase()}`,
        is_channel: true,
      };
      return { channel: counted === 'true' ? { ...room, num_members } : room };
    },
    'users.conversations': () => ({
      channels: [...new Set(messages.map(({ channel }) => channel))]
        .filter((channel) => channel.startsWith('D'))
        .map((id) => ({ id, is_im: true, user: `U${id.slice(1)}`, created: 1_700_000_000 })),
      response_metadata: { next_cursor: '' },
    }),
    'conversations.open': ({ users }) => ({ channel: { id: `D${users!.slice(1)}` } }),
    'conversations.history': (args) =>
      page(args, (one) => one.thread_ts === undefined || one.thread_ts === one.ts, true),
    'conversations.replies': (args) => {
      const root = find(args['channel']!, args['ts']!);
      return root || messages.some((one) => one.thread_ts === args['ts'])
        ? page(args, (one) => one.ts === args['ts'] || one.thread_ts === args['ts'], false)
        : 'thread_not_found';
    },
    'chat.postMessage': (args) => {
      if (args['thread_ts'] === '1.000001') return 'thread_not_found';
      const stored = add({
        ...mine,
        channel: room(args['channel']!),
        text: args['text'] ?? '',
        mrkdwn: args['mrkdwn'] !== 'false',
        metadata: JSON.parse(args['metadata'] ?? '{}'),
        ...thread(args),
      });
      return { channel: stored.channel, ts: stored.ts };
    },
    'chat.postEphemeral': (args) => ({
      message_ts: add({ ...mine, channel: args['channel']!, text: args['text'] ?? '', ephemeralFor: args['user']! }).ts,
    }),
    'chat.update': (args) =>
      on(args, (message) => {
        if (message.user !== BOT.userId) return 'cant_update_message';
        message.text = args['text'] ?? '';
        return { ts: message.ts };
      }),
    'chat.delete': (args) =>
      on(args, (message) => {
        messages.splice(messages.indexOf(message), 1);
        return {};
      }),
    'reactions.add': (args) =>
      on(args, (message) => {
        const users = message.reactions.get(args['name']!) ?? new Set();
        if (users.has(BOT.userId)) return 'already_reacted';
        message.reactions.set(args['name']!, users.add(BOT.userId));
        return {};
      }),
    'reactions.remove': (args) =>
      on(args, (message) => (message.reactions.get(args['name']!)?.delete(BOT.userId) ? {} : 'no_reaction')),
    'reactions.get': (args) =>
      on(args, (message) => ({
        message: {
          reactions: Array.from(message.reactions, ([name, users]) => ({
            name,
            count: users.size,
            users: [...users],
          })).filter((one) => one.count > 0),
        },
      })),
    'pins.add': (args) =>
      on(args, () => ({
        pinned: pins.set(args['channel']!, (pins.get(args['channel']!) ?? new Set()).add(args['timestamp']!)),
      })),
    'pins.remove': (args) => (pins.get(args['channel']!)?.delete(args['timestamp']!) ? {} : 'no_pin'),
    'pins.list': (args) => ({
      items: Array.from(pins.get(args['channel']!) ?? [], (ts) => ({
        type: 'message',
        message: wire(find(args['channel']!, ts)!, false),
      })),
    }),
    'files.getUploadURLExternal': ({ filename }) => {
      const file = newFile({ name: filename!, mimetype: '', data: Buffer.alloc(0) });
      return { file_id: file.id, upload_url: `${origin()}/upload/${file.id}` };
    },
    'files.completeUploadExternal': (args) => {
      const [{ id }] = JSON.parse(args['files']!) as [{ id: string }];
      const file = files.get(id)!;
      const stored = add({
        ...mine,
        channel: room(args['channel_id']!),
        text: args['initial_comment'] ?? '',
        files: [file],
        ...thread(args),
      });
      file.shares = { private: { [stored.channel]: [{ ts: stored.ts }] } };
      return { files: [{ id }] };
    },
    'files.info': ({ file }) =>
      files.has(file!) ? { file: { ...files.get(file!), data: undefined } } : 'file_not_found',
    'emoji.list': () => ({ emoji: { lobster_dance: 'https://example.com/l.gif', party: 'alias:tada' } }),
    'search.messages': ({ query }) => ({
      messages: {
        total: 1,
        matches: [
          { ts: '1.1', channel: { id: 'C1' }, username: 'ann', text: query, permalink: 'https://example.com/m' },
        ],
      },
    }),
  };

  const self: Workspace = {
    messages,
    files,
    names,
    rooms,
    nextTs,
    methods,
    find,
    hidesMetadata: false,
    say({ chat, by, name, text = '', mention, file, quotes, forwarded }) {
      if (name) names.set(by, name);
      const threadTs = quotes ?? chat.threadId;
      const kept =
        file &&
        newFile(
          present({
            name: file.name,
            mimetype: file.mime,
            data: Buffer.from(file.data),
            user: forwarded ? 'U0MALLORY1' : by,
            subtype: file.voice ? 'slack_audio' : undefined,
          }),
        );
      return add({
        channel: channelOf(chat),
        user: by,
        text: `${mention ? `<@${BOT.userId}> ` : ''}${forwarded ? '' : escaped(text)}`,
        ...present({
          attachments:
            forwarded && text
              ? [
                  {
                    is_share: true,
                    ts: nextTs(),
                    channel_id: 'C0ELSEWHERE',
                    author_id: 'U0MALLORY1',
                    author_name: 'Mallory',
                    text: escaped(text),
                  },
                ]
              : undefined,
        }),
        ...(by === BOT.userId ? { bot_id: BOT.botId } : by.startsWith('B') ? { bot_id: by } : {}),
        ...present({ thread_ts: threadTs || undefined, files: kept ? [kept] : undefined }),
      });
    },
  };
  return self;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A message as Slack spells it. */
export function wire(
  { files, reactions, metadata, ephemeralFor: _for, mrkdwn: _markup, ...message }: Stored,
  withMetadata = false,
): Record<string, unknown> {
  return {
    type: 'message',
    ...message,
    ...present({ metadata: withMetadata && metadata ? metadata : undefined }),
    team: BOT.teamId,
    ...(files.length > 0
      ? {
          subtype: 'file_share',
          files: files.map(({ data: _data, shares: _shares, ...file }) => ({ ...file, mode: 'hosted' })),
        }
      : {}),
    ...present({
      reactions:
        reactions.size > 0
          ? Array.from(reactions, ([name, users]) => ({ name, users: [...users], count: users.size }))
          : undefined,
    }),
  };
}
