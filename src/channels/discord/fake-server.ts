/**
 * A fake Discord server that enforces permissions like the real one: roles, members, overwrites, and Discord's error
 * codes.
 */
import { PermissionFlagsBits } from '@discordjs/core';
import { ANN, BOB, BOT, CHANNEL, GUILD, THREAD, type Answered, type FakeDiscord } from './fake-discord.ts';
import { fault, ok } from './fake-interactions.ts';

type Name = keyof typeof PermissionFlagsBits;
type Call = FakeDiscord['calls'][number];

export const CAROL = '503';
export const SECRET = '7050';
export const PRIVATE_THREAD = '7150';
const EVERYBODY: readonly Name[] = [
  'ViewChannel',
  'ReadMessageHistory',
  'SendMessages',
  'SendMessagesInThreads',
  'AddReactions',
  'SendPolls',
  'EmbedLinks',
  'CreatePublicThreads',
];
const MODERATING: readonly Name[] = [
  'KickMembers',
  'BanMembers',
  'ModerateMembers',
  'ManageRoles',
  'ManageChannels',
  'ManageMessages',
  'ManageEvents',
  'ManageGuildExpressions',
  'ManageThreads',
];

export const bits = (names: readonly Name[]): string =>
  names.reduce((sum, name) => sum | PermissionFlagsBits[name], 0n).toString();

/** Ann moderates, Bob is a member, Carol is the owner; the bot may what its role says. */
export function keepServer(fake: FakeDiscord) {
  const { channels, messages, user, newId } = fake.guild;
  const role = (id: string, name: string, position: number, permissions: readonly Name[]) => ({
    id,
    name,
    position,
    permissions: bits(permissions),
    managed: false,
    mentionable: false,
  });
  const roles = new Map(
    [
      role(GUILD, '@everyone', 0, EVERYBODY),
      role('4001', 'friends', 1, []),
      role('4100', 'moderators', 5, MODERATING),
      role('4002', 'Clawd', 6, [...MODERATING, 'AttachFiles']),
      role('4200', 'chiefs', 9, ['Administrator']),
    ].map((one) => [one.id, one]),
  );
  const members = new Map<string, { roles: string[]; communication_disabled_until: string | null }>(
    (
      [
        [ANN, ['4100']],
        [BOB, ['4001']],
        [CAROL, ['4200']],
        [BOT, ['4002']],
      ] as const
    ).map(([id, own]) => [id, { roles: [...own], communication_disabled_until: null }]),
  );
  const bans = new Map<string, number>();
  const pins = new Map<string, string[]>();
  const inThread = new Map<string, string[]>([[PRIVATE_THREAD, [ANN]]]);
  const events: any[] = [];
  const voice = new Map<string, string>();
  const limits: { readonly fits: RegExp; left: number }[] = [];
  const index = { missing: 0 };
  fake.addChannel({ id: SECRET, type: 0, name: 'secret' });
  Object.assign(channels.get(SECRET), {
    permission_overwrites: [
      { id: GUILD, type: 0, allow: '0', deny: bits(['ViewChannel']) },
      { id: '4100', type: 0, allow: bits(['ViewChannel']), deny: '0' },
      { id: '4002', type: 0, allow: bits(['ViewChannel']), deny: '0' },
    ],
  });
  fake.addChannel({ id: PRIVATE_THREAD, type: 12, name: 'a private thread', parent_id: CHANNEL, owner_id: ANN });

  const guild = (): object => ({ id: GUILD, name: 'The Place', owner_id: CAROL, roles: [...roles.values()] });
  const member = (id: string): object => ({
    user: user(id),
    nick: null,
    joined_at: '2026-01-01T00:00:00Z',
    ...members.get(id),
  });
  const positionOf = (id: string): number =>
    Math.max(0, ...(members.get(id)?.roles ?? []).map((one) => roles.get(one)?.position ?? 0));

  /** What the bot may in a channel, or in the server. */
  function may(channelId?: string): bigint {
    const own = members.get(BOT)!.roles;
    const base = [roles.get(GUILD)!, ...own.map((id) => roles.get(id)!)].reduce(
      (sum, one) => sum | BigInt(one.permissions),
      0n,
    );
    const channel = channelId === undefined ? undefined : channels.get(channelId);
    const from =
      channel?.parent_id && channel.type >= 10 && channel.type <= 12 ? channels.get(channel.parent_id) : channel;
    const layers = [[GUILD], own, [BOT]].map((ids) =>
      (from?.permission_overwrites ?? []).filter((one: any) => ids.includes(one.id)),
    );
    return layers.reduce(
      (sum, layer) =>
        layer.reduce(
          (all: bigint, one: any) => all | BigInt(one.allow),
          layer.reduce((all: bigint, one: any) => all & ~BigInt(one.deny), sum),
        ),
      base,
    );
  }
  const lacks = (name: Name, channelId?: string): boolean => (may(channelId) & PermissionFlagsBits[name]) === 0n;
  const noAccess = (): Answered => fault(403, 50001, 'Missing Access');
  const forbidden = (): Answered => fault(403, 50013, 'Missing Permissions');
  const needing = (name: Name, channelId: string | undefined, go: () => Answered): Answered =>
    channelId !== undefined && lacks('ViewChannel', channelId)
      ? noAccess()
      : lacks(name, channelId)
        ? forbidden()
        : go();
  const aboveOnly = (id: string, go: () => Answered): Answered =>
    id === CAROL || positionOf(id) >= positionOf(BOT) ? forbidden() : go();

  function inGuild(call: Call, [what, id, sub, third]: readonly (string | undefined)[]): Answered | undefined {
    const { method, body, query } = call;
    if (what === undefined) return ok(guild());
    if (what === 'roles') return ok([...roles.values()]);
    if (what === 'channels' && method === 'GET')
      return ok([...channels.values()].filter((one) => one.guild_id === GUILD && one.type < 10));
    if (what === 'channels' && method === 'POST')
      return needing('ManageChannels', undefined, () => {
        const made = { id: newId(), guild_id: GUILD, position: 0, ...body };
        channels.set(made.id, made);
        return { status: 201, body: made };
      });
    if (what === 'channels')
      return needing('ManageChannels', undefined, () => {
        for (const { id: moved, ...more } of body) Object.assign(channels.get(moved), more);
        return ok();
      });
    if (what === 'members') return ofMember(call, { id: id!, sub, roleId: third });
    if (what === 'bans')
      return needing('BanMembers', undefined, () =>
        aboveOnly(id!, () => (bans.set(id!, body.delete_message_seconds), members.delete(id!), ok())),
      );
    if (what === 'threads')
      return ok({
        threads: [...channels.values()].filter((one) => one.type >= 10 && one.type <= 12),
        members: [],
        has_more: false,
      });
    if (what === 'messages') return searched(query);
    if (what === 'emojis')
      return method === 'GET'
        ? ok([{ id: '3001', name: 'party', animated: false }])
        : needing('ManageGuildExpressions', undefined, () => ok({ id: newId(), name: body.name }));
    if (what === 'stickers')
      return needing('ManageGuildExpressions', undefined, () => ok({ id: newId(), name: 'sticker' }));
    if (what === 'voice-states')
      return voice.has(id!)
        ? ok({ guild_id: GUILD, channel_id: voice.get(id!), user_id: id, session_id: 's', deaf: false, mute: false })
        : fault(404, 10065, 'Unknown Voice State');
    if (what === 'scheduled-events') {
      if (method === 'GET') return ok(events);
      return needing('ManageEvents', undefined, () => (events.push({ id: newId(), ...body }), ok(events.at(-1))));
    }
    return undefined;
  }

  function ofMember(
    { method, body }: Call,
    { id, sub, roleId }: { readonly id: string; readonly sub: string | undefined; readonly roleId: string | undefined },
  ): Answered {
    const found = members.get(id);
    if (!found) return fault(404, 10007, 'Unknown Member');
    if (method === 'GET') return ok(member(id));
    if (sub === 'roles')
      return needing('ManageRoles', undefined, () => {
        if ((roles.get(roleId!)?.position ?? Infinity) >= positionOf(BOT)) return forbidden();
        found.roles = found.roles.filter((one) => one !== roleId);
        if (method === 'PUT') found.roles.push(roleId!);
        return ok();
      });
    if (method === 'DELETE')
      return needing('KickMembers', undefined, () => aboveOnly(id, () => (members.delete(id), ok())));
    return needing('ModerateMembers', undefined, () =>
      aboveOnly(id, () => (Object.assign(found, body), ok(member(id)))),
    );
  }

  function searched(query: URLSearchParams): Answered {
    if (index.missing > 0) {
      index.missing -= 1;
      return {
        status: 202,
        body: { message: 'Index not yet available. Try again later', code: 110_000, retry_after: 0.01 },
      };
    }
    const [inside, by] = [query.getAll('channel_id'), query.getAll('author_id')];
    const hits = [...messages.values()].filter(
      (one) =>
        one.content.includes(query.get('content')!) &&
        (inside.length === 0 || inside.includes(one.channel_id)) &&
        (by.length === 0 || by.includes(one.author.id)) &&
        !lacks('ViewChannel', one.channel_id),
    );
    return ok({ total_results: hits.length, messages: hits.slice(0, Number(query.get('limit'))).map((one) => [one]) });
  }

  function inChannel(call: Call, [id, what, third, fourth]: readonly (string | undefined)[]): Answered | undefined {
    const { method, body } = call;
    const channel = channels.get(id!);
    if (channel?.guild_id !== GUILD) return undefined;
    if (lacks('ViewChannel', id!)) return noAccess();
    if (what === undefined && method === 'PATCH')
      return needing('ManageChannels', id, () => ok(Object.assign(channel, body)));
    if (what === undefined && method === 'DELETE')
      return needing('ManageChannels', id, () => (channels.delete(id!), ok(channel)));
    if (what === 'permissions')
      return needing('ManageRoles', id, () => {
        const rest = (channel.permission_overwrites ?? []).filter((one: any) => one.id !== third);
        channel.permission_overwrites = method === 'PUT' ? [...rest, { id: third, ...body }] : rest;
        return ok();
      });
    if (what === 'thread-members')
      return (inThread.get(id!) ?? []).includes(third!) ? ok({ user_id: third }) : fault(404, 10007, 'Unknown Member');
    if (what === 'threads' && third === 'archived')
      return ok({ threads: [channels.get(THREAD)], members: [], has_more: false });
    if (what === 'threads')
      return needing('CreatePublicThreads', id, () => {
        const made = { id: newId(), guild_id: GUILD, parent_id: id, owner_id: BOT, ...body, type: body.type ?? 12 };
        channels.set(made.id, made);
        return { status: 201, body: made };
      });
    const writing: Name = channel.type >= 10 && channel.type <= 12 ? 'SendMessagesInThreads' : 'SendMessages';
    if (what === 'messages' && method === 'POST') return lacks(writing, id!) ? forbidden() : undefined;
    if (what === 'messages' && third === 'pins') return pinned(call, id!, fourth);
    if (what === 'messages' && method === 'GET' && lacks('ReadMessageHistory', id!)) return forbidden();
    if (what === 'messages' && third && method === 'DELETE' && fourth === undefined)
      return messages.get(third)?.author.id === BOT
        ? undefined
        : lacks('ManageMessages', id!)
          ? forbidden()
          : undefined;
    if (what === 'messages' && method === 'PATCH' && messages.get(third!)?.author.id !== BOT)
      return fault(403, 50005, 'Cannot edit a message authored by another user');
    if (fourth === 'reactions' && method === 'PUT') return lacks('AddReactions', id!) ? forbidden() : undefined;
    return undefined;
  }

  function pinned({ method }: Call, channelId: string, messageId: string | undefined): Answered {
    const now = pins.get(channelId) ?? [];
    if (method === 'GET')
      return ok({
        items: now.map((one) => ({ pinned_at: '2026-01-02T00:00:00Z', message: messages.get(one) })),
        has_more: false,
      });
    return needing('ManageMessages', channelId, () => {
      pins.set(channelId, [...now.filter((one) => one !== messageId), ...(method === 'PUT' ? [messageId!] : [])]);
      return ok();
    });
  }

  fake.served.push((call) => {
    const limit = limits.find(({ fits, left }) => left > 0 && fits.test(`${call.method} ${call.path}`));
    if (limit) {
      limit.left -= 1;
      return {
        status: 429,
        body: { message: 'You are being rate limited.', retry_after: 0.01, global: false },
        headers: { 'retry-after': '0.01', 'x-ratelimit-scope': 'shared' },
      };
    }
    const [, kind, id, ...rest] = call.path.split('/');
    if (kind === 'guilds' && id === GUILD) return inGuild(call, rest);
    if (kind === 'guilds') return noAccess();
    return kind === 'channels' ? inChannel(call, [id, ...rest]) : undefined;
  });

  return {
    roles,
    members,
    bans,
    pins,
    events,
    voice,
    index,
    /** The next calls that fit are put off. */
    limit: (fits: RegExp, times: number) => void limits.push({ fits, left: times }),
    /** The bot's own role from now on. */
    botMay: (...names: readonly Name[]) => void (roles.get('4002')!.permissions = bits(names)),
    everybodyMay: (...names: readonly Name[]) => void (roles.get(GUILD)!.permissions = bits(names)),
  };
}
