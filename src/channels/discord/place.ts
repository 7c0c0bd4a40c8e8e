/** A location on Discord: a direct message, a guild channel or a thread. Pure. */
import { ChannelType, type APIChannel } from '@discordjs/core';
import type { ChatAddress, PlaceNames } from '../../sdk/index.ts';

export interface Place {
  readonly id: string;
  readonly kind: 'direct' | 'group' | 'channel';
  readonly name?: string;
  readonly guildId?: string;
  /** The channel a thread hangs in. */
  readonly parentId?: string;
  readonly thread?: true;
  /** Who opened the thread. */
  readonly ownerId?: string;
  /** The person of a direct chat. */
  readonly peerId?: string;
  /** A forum or media channel: it has posts and no messages of its own. */
  readonly forum?: true;
  /** The newest message when Discord told of it. */
  readonly lastMessageId?: string;
}

const THREADS: readonly number[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];
const FORUMS: readonly number[] = [ChannelType.GuildForum, ChannelType.GuildMedia];

/** Undefined for what makes no sense. */
export function placeOf(raw: APIChannel, guildId?: string): Place | undefined {
  const channel = raw as Partial<
    Record<'id' | 'name' | 'guild_id' | 'parent_id' | 'owner_id' | 'last_message_id', unknown>
  > & { type?: number; recipients?: unknown };
  const id = text(channel.id);
  if (id === undefined) return undefined;
  const isThread = THREADS.includes(channel.type ?? -1);
  const guild = text(channel.guild_id) ?? guildId;
  const peer =
    channel.type === ChannelType.DM && Array.isArray(channel.recipients)
      ? text((channel.recipients[0] as { id?: unknown } | undefined)?.id)
      : undefined;
  return defined<Place>({
    id,
    kind: channel.type === ChannelType.DM ? 'direct' : channel.type === ChannelType.GroupDM ? 'group' : 'channel',
    name: text(channel.name),
    guildId: guild,
    peerId: peer,
    lastMessageId: text(channel.last_message_id),
    parentId: isThread ? text(channel.parent_id) : undefined,
    ownerId: isThread ? text(channel.owner_id) : undefined,
    thread: isThread ? true : undefined,
    forum: FORUMS.includes(channel.type ?? -1) ? true : undefined,
  });
}

/** `peer`: who wrote, for direct chats whose person is not known otherwise. */
export function addressOf(
  place: Place,
  { accountId, peer }: { readonly accountId: string; readonly peer: string },
): ChatAddress {
  const at = { channel: 'discord', accountId } as const;
  if (place.kind === 'direct') return { ...at, chat: { kind: 'direct', id: place.peerId ?? peer } };
  if (place.thread && place.parentId)
    return { ...at, chat: { kind: 'channel', id: place.parentId }, threadId: place.id };
  return { ...at, chat: { kind: place.kind, id: place.id } };
}

export interface ProcessScanner {
  readonly place: Place;
  readonly parent?: Place;
  readonly guildName?: string;
}

export function namesOf({ place, parent, guildName }: ProcessScanner): PlaceNames | undefined {
  const names = defined<PlaceNames>({
    chat: place.thread ? parent?.name : place.name,
    space: guildName,
    thread: place.thread ? place.name : undefined,
  });
  return Object.keys(names).length > 0 ? names : undefined;
}

/** Without the keys that have no value. */
export function defined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const DISCORD_EPOCH = 1_420_070_400_000n;

/** When the thing with this id was made, milliseconds since the epoch; undefined for what is no id. */
export const timeOf = (id: string): number | undefined =>
  /^\d{1,20}$/.test(id) ? Number((BigInt(id) >> 22n) + DISCORD_EPOCH) : undefined;

/** The smallest id of that moment. */
export const idAt = (ms: number): string => String((BigInt(Math.max(0, Math.floor(ms))) - DISCORD_EPOCH) << 22n);

/** Ids grow with time. */
export const isNewer = (id: string, than: string | undefined): boolean =>
  than === undefined || (id.length === than.length ? id > than : id.length > than.length);
