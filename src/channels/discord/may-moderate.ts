/** Checks a person's own permissions and role position before the bot moderates on their behalf. */
import { PermissionFlagsBits, Routes, type APIChannel, type APIGuild, type APIGuildMember } from '@discordjs/core';
import { AppError, type ChannelConnection } from '../../sdk/index.ts';
import { inputOf, type Input } from './act-input.ts';
import { guildOf, type ActDeps } from './acting.ts';
import { effective, type Overwritten } from './permissions.ts';
import { list } from './words.ts';

type WhyNot = NonNullable<ChannelConnection['whyNot']>;
/** One server, and the channel of it that an action is about. */
interface Ground {
  readonly guild: APIGuild;
  readonly channel: Overwritten;
  member(userId: string): Promise<APIGuildMember>;
}

export function createWhyNot(deps: ActDeps): WhyNot {
  return async (userIds, { name, moderates = '' }, action) => {
    if (!Object.hasOwn(PermissionFlagsBits, moderates))
      throw new AppError('internal', `Discord has no permission ${moderates}, which ${name} requires.`);
    const right = PermissionFlagsBits[moderates as keyof typeof PermissionFlagsBits];
    const input = inputOf(action.parameters);
    const channel = async (): Promise<string> => deps.sending.channelOf(action.to!);
    const ground = await groundOf({
      ...deps,
      guildId: await guildOf({ ...deps, input, action, channel }),
      channelId: action.to && input.optionalId('guildId') === undefined ? await channel() : undefined,
      signal: action.signal,
    });
    for (const userId of userIds) {
      const why = await whyNotOne({ userId, right, moderates, input, ground });
      if (why !== undefined) return why;
    }
    return undefined;
  };
}

async function groundOf({
  call,
  places,
  guildId,
  channelId,
  signal,
}: Pick<ActDeps, 'call' | 'places'> & {
  readonly guildId: string;
  readonly channelId: string | undefined;
  readonly signal: AbortSignal;
}): Promise<Ground> {
  const doing = 'reading who may do what there';
  const around = channelId === undefined ? undefined : await places.around(channelId);
  const [guild, channel] = await Promise.all([
    call<APIGuild>('get', Routes.guild(guildId), doing, { signal }),
    around === undefined
      ? {}
      : call<APIChannel>('get', Routes.channel(around.parent?.id ?? around.place.id), doing, { signal }),
  ]);
  return {
    guild,
    channel: channel as Overwritten,
    member: (userId) => call<APIGuildMember>('get', Routes.guildMember(guildId, userId), doing, { signal }),
  };
}

interface One {
  readonly userId: string;
  readonly right: bigint;
  readonly moderates: string;
  readonly input: Input;
  readonly ground: Ground;
}

async function whyNotOne({ userId, right, moderates, input, ground }: One): Promise<string | undefined> {
  const { guild } = ground;
  if (guild.owner_id === userId) return undefined;
  const member = await ground.member(userId);
  if ((effective({ guild, channel: ground.channel, member, memberId: userId }) & right) === 0n)
    return `${userId} does not have the permission ${moderates} there.`;
  const [targetId, roleId, rank] = [input.optionalId('userId'), input.optionalId('roleId'), rankOf(member, guild)];
  if (targetId !== undefined && targetId !== userId) {
    if (targetId === guild.owner_id || rankOf(await ground.member(targetId), guild) >= rank)
      return `${userId} does not rank above ${targetId} there.`;
  }
  if (roleId !== undefined && positionOf(roleId, guild) >= rank)
    return `${userId} does not rank above the role ${roleId}.`;
  return undefined;
}

/** A role nobody knows stands above everybody. */
const positionOf = (roleId: string, { roles }: APIGuild): number =>
  list(roles).find(({ id }) => id === roleId)?.position ?? Infinity;
const rankOf = ({ roles }: APIGuildMember, guild: APIGuild): number =>
  Math.max(
    0,
    ...list(guild.roles)
      .filter(({ id }) => roles.includes(id))
      .map(({ position }) => position ?? 0),
  );
