/** State of the fake Discord (channels, people, messages, files), shared by its API and its gateway. */
import type { Chat, Said } from '../../testing/channel-platform.ts';
import { ANN, BOB, BOT, CHANNEL, EPOCH, FORUM, GUILD, THREAD, type FakeDiscord } from './fake-discord.ts';

/** `root`: the address files are served at. */
export function createGuild(root: () => string) {
  const channels = new Map<string, any>();
  const messages = new Map<string, any>();
  const files = new Map<string, { mime: string; data: Uint8Array }>();
  const state = { count: 0n };

  const newId = (): string => String(((BigInt(Date.now()) - EPOCH) << 22n) | (state.count++ & 0x3fffffn));
  const user = (id: string): any =>
    id === BOT
      ? { id, username: 'clawd', global_name: 'Clawd', bot: true }
      : { id, username: `user${id}`, global_name: id === ANN ? 'Ann' : id === BOB ? 'Bob' : null };
  const addChannel: FakeDiscord['addChannel'] = (channel) =>
    void channels.set(channel.id, channel.type === 1 || channel.type === 3 ? channel : { guild_id: GUILD, ...channel });
  addChannel({ id: CHANNEL, type: 0, name: 'general' });
  addChannel({ id: FORUM, type: 15, name: 'help' });
  addChannel({ id: THREAD, type: 11, name: 'A thread', parent_id: CHANNEL, owner_id: ANN });

  const directOf = (person: string): string => {
    const id = `600${person}`;
    if (!channels.has(id)) addChannel({ id, type: 1, recipients: [user(person)] });
    return id;
  };
  const channelOf = (chat: Chat): string => {
    if (chat.kind === 'direct') return directOf(chat.id);
    const id = chat.threadId ?? chat.id;
    if (!channels.has(id))
      addChannel(
        chat.threadId
          ? { id, type: 11, name: `thread ${id}`, parent_id: chat.id, owner_id: ANN }
          : { id, type: chat.kind === 'group' ? 3 : 0, name: `channel-${id}` },
      );
    return id;
  };

  /** Looking at a chat makes none. */
  const whereIs = (chat: Chat): string => (chat.kind === 'direct' ? directOf(chat.id) : (chat.threadId ?? chat.id));

  const blank = (channel: string, author: any, content: string): any => ({
    id: newId(),
    channel_id: channel,
    author,
    content,
    timestamp: new Date().toISOString(),
    edited_timestamp: null,
    type: 0,
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    embeds: [],
    tts: false,
    pinned: false,
    flags: 0,
  });

  function attach(message: any, { name, mime, data, voice }: NonNullable<Said['file']>): void {
    const id = newId();
    files.set(id, { mime, data });
    message.attachments.push({
      id,
      filename: name,
      size: data.length,
      content_type: mime,
      url: `${root()}/files/${id}/${encodeURIComponent(name)}`,
    });
    if (voice) message.flags |= 1 << 13;
  }

  function refer(message: any, id: string | undefined): void {
    const original = id === undefined ? undefined : messages.get(id);
    if (!original || original.channel_id !== message.channel_id) return;
    Object.assign(message, {
      type: 19,
      message_reference: { message_id: id, channel_id: message.channel_id },
      referenced_message: original,
    });
  }

  const passedOn = ({ content, attachments, flags, ...message }: any): any => ({
    ...message,
    content: '',
    attachments: [],
    flags: 1 << 14,
    message_reference: { type: 1, message_id: newId(), channel_id: '7002' },
    message_snapshots: [{ message: { content, attachments, flags, timestamp: new Date().toISOString() } }],
  });

  return {
    channels,
    messages,
    files,
    newId,
    user,
    addChannel,
    directOf,
    channelOf,
    whereIs,
    blank,
    attach,
    refer,
    passedOn,
  };
}
