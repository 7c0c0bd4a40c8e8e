/** Checks what a person can see on Discord, once per call, so that no result shows more than Discord would. */
import { ChannelType, Routes, type APIChannel, type APIGuild, type APIGuildMember } from '@discordjs/core';
import { AppError } from '../../sdk/index.ts';
import type { ActDeps } from './acting.ts';
import { effective, missingOf, type Overwritten, type PermissionName } from './permissions.ts';
import { list } from './words.ts';

/** One server, and the channel of it that something is about. */
export interface Ground {
  readonly guild: APIGuild;
  readonly channel: Overwritten;
  readonly channelId?: string;
  readonly inThread?: boolean;
  /** Rejects for who is no member. */
  member(userId: string): Promise<APIGuildMember>;
}

export interface Visibility {
  guildGround(guildId: string): Promise<Ground>;
  /** Undefined: a direct chat. */
  ground(channelId: string): Promise<Ground | undefined>;
  rightsOf(userId: string, ground: Ground): Promise<bigint>;
  /** Whether they can open the channel, thread or direct chat. */
  sees(userId: string, channelId: string): Promise<boolean>;
  /** Those of these that everybody who asked can open and read. */
  visible(
    userIds: readonly string[],
    channelIds: Iterable<string>,
    needs?: readonly PermissionName[],
  ): Promise<ReadonlySet<string>>;
}

type Raw = APIChannel & {
  readonly guild_id?: string;
  readonly parent_id?: string | null;
  readonly recipients?: readonly { readonly id: string }[];
};

const DOING = 'reading who may do what there';
const THREADS: readonly number[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];

export function createVisibility({
  call,
  signal,
}: Pick<ActDeps, 'call'> & { readonly signal: AbortSignal }): Visibility {
  const pending = new Map<string, Promise<unknown>>();
  const get = <T>(route: `/${string}`): Promise<T> => {
    const known = pending.get(route) ?? call<T>('get', route, DOING, { signal });
    pending.set(route, known);
    return known as Promise<T>;
  };
  const member = (guildId: string, userId: string): Promise<APIGuildMember> => get(Routes.guildMember(guildId, userId));

  async function guildGround(guildId: string): Promise<Ground> {
    const guild = await get<APIGuild>(Routes.guild(guildId));
    return { guild, channel: {}, member: (userId) => member(guildId, userId) };
  }

  const self: Visibility = {
    guildGround,
    async ground(channelId) {
      const raw = await get<Raw>(Routes.channel(channelId));
      if (raw.guild_id === undefined) return undefined;
      const inThread = THREADS.includes(raw.type);
      // A thread has no overwrites of its own: its channel's count.
      const parent = inThread && raw.parent_id ? await get<Raw>(Routes.channel(raw.parent_id)) : raw;
      return { ...(await guildGround(raw.guild_id)), channel: parent as Overwritten, channelId, inThread };
    },
    async rightsOf(userId, { guild, channel, member: find }) {
      return effective({ guild, channel, member: await find(userId), memberId: userId });
    },
    async sees(userId, channelId) {
      const ground = await self.ground(channelId);
      const raw = await get<Raw>(Routes.channel(channelId));
      if (ground === undefined) return list(raw.recipients).some(({ id }) => id === userId);
      const bits = await absentIsNothing(self.rightsOf(userId, ground));
      if (missingOf(bits, ['ViewChannel']).length > 0) return false;
      if (raw.type !== ChannelType.PrivateThread || missingOf(bits, ['ManageThreads']).length === 0) return true;
      return get(Routes.threadMembers(channelId, userId)).then(
        () => true,
        (error: unknown) => refusedIs(false, error),
      );
    },
    async visible(userIds, channelIds, needs = []) {
      const found = new Set<string>();
      for (const channelId of new Set(channelIds)) {
        let all = true;
        for (const userId of userIds) {
          const ground: Ground | undefined = all ? await self.ground(channelId) : undefined;
          const bits: bigint = ground ? await absentIsNothing(self.rightsOf(userId, ground)) : 0n;
          all &&= (ground === undefined || missingOf(bits, needs).length === 0) && (await self.sees(userId, channelId));
        }
        if (all) found.add(channelId);
      }
      return found;
    },
  };
  return self;
}

/** Writing in a thread is a right of its own. */
export const rightsThere = (
  { inThread }: Pick<Ground, 'inThread'>,
  rights: readonly PermissionName[],
): readonly PermissionName[] =>
  rights.map((name) => (inThread && name === 'SendMessages' ? 'SendMessagesInThreads' : name));

/** Who is no member may nothing. */
const absentIsNothing = (bits: Promise<bigint>): Promise<bigint> =>
  bits.catch((error: unknown) => refusedIs(0n, error));

function refusedIs<T>(value: T, error: unknown): T {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'denied')) return value;
  throw error;
}
