/** Checks a person's own permissions and role position before the bot acts or reads on their behalf. */
import { PermissionFlagsBits, Routes, type APIGuild, type APIGuildMember } from '@discordjs/core';
import { AppError, type ActionCall, type ChannelAction, type ChannelConnection } from '../../sdk/index.ts';
import { inputOf, type Input } from './act-input.ts';
import { guildOf, linkedIn, type ActDeps } from './acting.ts';
import { bitsOf, missingOf, type PermissionName } from './permissions.ts';
import { createVisibility, rightsThere, type Ground, type Visibility } from './visibility.ts';
import { list } from './words.ts';

type WhyNot = NonNullable<ChannelConnection['whyNot']>;

export function createWhyNot(deps: ActDeps): WhyNot {
  return async (userIds, action, call) => {
    const rights = [action.moderates ?? action.needs ?? []].flat();
    const unknown = rights.find((name) => !Object.hasOwn(PermissionFlagsBits, name));
    if (unknown !== undefined)
      throw new AppError('internal', `Discord has no permission ${unknown}, which ${action.name} requires.`);
    const check = { input: inputOf(call.parameters), rights: rights as PermissionName[], action, call };
    const visibility = createVisibility({ ...deps, signal: call.signal });
    const channelId = await channelOf(deps, check);
    if (channelId !== undefined && (await visibility.ground(channelId)) === undefined)
      return whyNotDirect(userIds, { visibility, channelId });
    const ground =
      channelId === undefined
        ? await visibility.guildGround(await guildIn(deps, check))
        : (await visibility.ground(channelId))!;
    for (const userId of userIds) {
      const why = await whyNotOne({ ...check, userId, ground, visibility, deps });
      if (why !== undefined) return why;
    }
    return undefined;
  };
}

interface ModerationCheck {
  readonly input: Input;
  readonly rights: readonly PermissionName[];
  readonly action: ChannelAction;
  readonly call: ActionCall;
}

/**
 * The one channel it is about; a server that is named by itself is about none. Names the action does not take mean
 * nothing.
 */
async function channelOf({ sending }: ActDeps, { input, action, call }: ModerationCheck): Promise<string | undefined> {
  const linked = 'messageLink' in action.parameters ? linkedIn(input) : undefined;
  if (linked) return linked.channelId;
  if ('guildId' in action.parameters && input.optionalId('guildId') !== undefined) return undefined;
  const threadId = action.name === 'thread-reply' ? input.optionalId('threadId') : undefined;
  return threadId ?? (call.to ? sending.channelOf(call.to) : undefined);
}

const guildIn = (deps: ActDeps, { input, call }: ModerationCheck): Promise<string> =>
  guildOf({ ...deps, input, action: call, channel: () => deps.sending.channelOf(call.to!) });

/** A direct chat belongs to those in it, and to nobody else. */
async function whyNotDirect(
  userIds: readonly string[],
  { visibility, channelId }: { readonly visibility: Visibility; readonly channelId: string },
): Promise<string | undefined> {
  for (const userId of userIds)
    if (!(await visibility.sees(userId, channelId))) return `${userId} is not in that direct chat.`;
  return undefined;
}

interface One extends ModerationCheck {
  readonly userId: string;
  readonly ground: Ground;
  readonly visibility: Visibility;
  readonly deps: ActDeps;
}

async function whyNotOne(one: One): Promise<string | undefined> {
  const { userId, ground, action, visibility } = one;
  if (ground.guild.owner_id === userId) return undefined;
  const rights = rightsThere(ground, await rightsFor(one));
  const bits = await visibility.rightsOf(userId, ground);
  const lacks = missingOf(bits, rights);
  if (lacks.length > 0) return `${userId} does not have the permission ${lacks.join(', ')} there.`;
  if (action.needs && ground.channelId !== undefined && !(await visibility.sees(userId, ground.channelId)))
    return `${userId} is not in that private thread.`;
  if (action.moderates === undefined) return undefined;
  return (await whyNotAbove(one)) ?? whyNotGrant(one, bits);
}

/** What somebody else wrote is taken away by who may manage messages. */
async function rightsFor({ action, rights, input, deps, ground, call }: One): Promise<readonly PermissionName[]> {
  if (action.name !== 'delete' || ground.channelId === undefined) return rights;
  const { author } = await deps.call<{ author: { id: string } }>(
    'get',
    Routes.channelMessage(ground.channelId, input.id('messageId')),
    'reading whose message it is',
    { signal: call.signal },
  );
  return author.id === deps.botId ? rights : [...rights, 'ManageMessages'];
}

async function whyNotAbove({ userId, input, ground }: One): Promise<string | undefined> {
  const { guild } = ground;
  const [targetId, roleId] = [input.optionalId('userId'), input.optionalId('roleId')];
  const rank = rankOf(await ground.member(userId), guild);
  if (targetId !== undefined && targetId !== userId) {
    if (targetId === guild.owner_id || rankOf(await ground.member(targetId), guild) >= rank)
      return `${userId} does not rank above ${targetId} there.`;
  }
  if (roleId !== undefined && positionOf(roleId, guild) >= rank)
    return `${userId} does not rank above the role ${roleId}.`;
  return undefined;
}

/** Nobody gives or takes in a channel what they do not have there. */
function whyNotGrant({ userId, action, input }: One, bits: bigint): string | undefined {
  if (!('allow' in action.parameters)) return undefined;
  const changed = bitsOf(input, 'allow') | bitsOf(input, 'deny');
  const beyond = missingOf(bits, changed);
  return beyond.length > 0
    ? `${userId} does not have the permission ${beyond.join(', ')} to give or take there.`
    : undefined;
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
