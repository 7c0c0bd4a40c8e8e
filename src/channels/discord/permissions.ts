/** Computes a member's permissions in a channel: roles first, then the channel's overwrites. */
import { PermissionFlagsBits, Routes, type APIChannel, type APIGuild, type APIGuildMember } from '@discordjs/core';
import { head } from '../../sdk/index.ts';
import { wrong, type Input } from './act-input.ts';
import type { Call } from './api.ts';
import type { Places } from './places.ts';
import { list } from './words.ts';

export interface PermissionDeps {
  readonly call: Call;
  readonly places: Places;
  readonly botId: string;
}

export interface Allowed {
  readonly channelId: string;
  readonly guildId?: string;
  readonly isDirect?: true;
  readonly permissions: readonly string[];
  readonly raw: string;
}

const ALL = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);

export async function permissionsIn({ call, places, botId }: PermissionDeps, channelId: string): Promise<Allowed> {
  const { place, parent } = await places.around(channelId);
  if (place.guildId === undefined) return { channelId, isDirect: true, permissions: [], raw: '0' };
  const doing = `reading what the bot may do in channel ${channelId}`;
  // A thread has no overwrites of its own: its channel's count.
  const [channel, guild, member] = await Promise.all([
    call<APIChannel>('get', Routes.channel(parent?.id ?? channelId), doing),
    call<APIGuild>('get', Routes.guild(place.guildId), doing),
    call<APIGuildMember>('get', Routes.guildMember(place.guildId, botId), doing),
  ]);
  const bits = effective({ channel: channel as Overwritten, guild, member, memberId: botId });
  return { channelId, guildId: place.guildId, permissions: namesOf(bits), raw: bits.toString() };
}

export interface Overwritten {
  readonly permission_overwrites?: readonly { readonly id: string; readonly allow: string; readonly deny: string }[];
}

/** The owner and administrators may everything. */
export function effective({
  channel,
  guild,
  member,
  memberId,
}: {
  channel: Overwritten;
  guild: APIGuild;
  member: APIGuildMember;
  memberId: string;
}): bigint {
  const roles = list(guild.roles).filter(({ id }) => id === guild.id || member.roles.includes(id));
  const base = roles.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  if (guild.owner_id === memberId || (base & PermissionFlagsBits.Administrator) !== 0n) return ALL;
  const overwrites = list(channel.permission_overwrites);
  const layers = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id }) => member.roles.includes(id)),
    overwrites.filter(({ id }) => id === memberId),
  ];
  return layers.reduce((bits, layer) => {
    const sum = (key: 'allow' | 'deny'): bigint => layer.reduce((all, entry) => all | BigInt(entry[key]), 0n);
    return (bits & ~sum('deny')) | sum('allow');
  }, base);
}

export type PermissionName = keyof typeof PermissionFlagsBits;

/** Names of what of it is not there. Administrators have everything. */
export function missingOf(bits: bigint, wanted: readonly PermissionName[] | bigint): readonly string[] {
  if (typeof wanted !== 'bigint') return wanted.filter((name) => (bits & PermissionFlagsBits[name]) === 0n);
  return namesOf(wanted & ~bits);
}

/** A list of permissions by name, or the number Discord writes for them. */
export function bitsOf(input: Pick<Input, 'list'>, parameter: string): bigint {
  return input.list(parameter).reduce((sum, name) => {
    if (/^\d{1,20}$/.test(name)) return sum | BigInt(name);
    if (!Object.hasOwn(PermissionFlagsBits, name))
      throw wrong(parameter, `names no permission of Discord (${head(name, 40)}); they are written like ViewChannel`);
    return sum | PermissionFlagsBits[name as PermissionName];
  }, 0n);
}

const namesOf = (bits: bigint): readonly string[] => [
  ...new Set(
    Object.entries(PermissionFlagsBits)
      .filter(([, bit]) => (bits & bit) !== 0n)
      .map(([name]) => name),
  ),
];

/** Which of the permissions a message needs are missing. */
export async function missingToSend(
  deps: PermissionDeps,
  { channelId, files }: { readonly channelId: string; readonly files: boolean },
): Promise<readonly string[]> {
  const { permissions, isDirect } = await permissionsIn(deps, channelId);
  if (isDirect) return [];
  const { place } = await deps.places.around(channelId);
  const needed = [
    'ViewChannel',
    place.thread ? 'SendMessagesInThreads' : 'SendMessages',
    ...(files ? ['AttachFiles'] : []),
  ];
  return needed.filter((name) => !permissions.includes(name));
}
