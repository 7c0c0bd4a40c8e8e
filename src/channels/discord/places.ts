/** What the bot knows of guilds, channels and direct chats: told by the gateway, asked for when it did not. Bounded. */
import { Routes, type APIChannel, type APIMessage, type GatewayDispatchPayload } from '@discordjs/core';
import { AppError, placeSlug, setNewest, present } from '../../sdk/index.ts';
import type { Call } from './api.ts';
import { placeOf, text, type Place, type Surroundings } from './place.ts';
import { list, nameOf, wordsOf, type Names } from './words.ts';

const MAX_PLACES = 5000;
const MAX_GUILDS = 500;

interface Guild {
  readonly id: string;
  name?: string;
  readonly roles: Map<string, string>;
  botRoles: readonly string[];
}

export interface Places {
  /** Learns from an event; tells the places it named. */
  learn(event: GatewayDispatchPayload): readonly Place[];
  /** Rejects when Discord cannot be asked; a channel the bot may not see is a place all the same. */
  around(channelId: string, guildId?: string): Promise<Surroundings>;
  /** The channel of a direct chat with this person, opened when there is none. */
  directChannel(userId: string): Promise<string>;
  starterOf(
    place: Place,
  ): Promise<{ readonly text: string; readonly sender?: string; readonly senderId?: string } | undefined>;
  names(guildId: string | undefined): Names;
  /** Roles that are the bot itself. */
  botRoles(guildId: string | undefined): readonly string[];
  /** From what was remembered across a restart. */
  know(place: Place): void;
}

export function createPlaces({ call, botId }: { readonly call: Call; readonly botId: string }): Places {
  const places = new Map<string, Place>();
  const guilds = new Map<string, Guild>();
  const directs = new Map<string, string>();
  const starters = new Map<
    string,
    { readonly text: string; readonly sender?: string; readonly senderId?: string } | undefined
  >();

  const know = (place: Place): Place => {
    setNewest(places, place.id, place, MAX_PLACES);
    if (place.peerId) setNewest(directs, place.peerId, place.id, MAX_PLACES);
    return place;
  };
  const guildOf = (id: string): Guild =>
    guilds.get(id) ?? setNewest(guilds, id, { id, roles: new Map(), botRoles: [] }, MAX_GUILDS);
  const take = (channels: readonly APIChannel[] | undefined, guildId?: string): readonly Place[] =>
    list(channels).flatMap((channel) => {
      const place = placeOf(channel, guildId);
      return place ? [know(place)] : [];
    });

  function takeGuild(raw: { id?: unknown; name?: unknown; roles?: readonly Role[] }): string | undefined {
    const id = text(raw.id);
    if (id === undefined) return undefined;
    const guild = guildOf(id);
    const name = text(raw.name);
    if (name !== undefined) guild.name = name;
    for (const role of list(raw.roles)) guild.roles.set(role.id, role.name);
    if (raw.roles)
      guild.botRoles = list(raw.roles).flatMap(({ id: role, tags }) => (tags?.bot_id === botId ? [role] : []));
    return id;
  }

  function learn({ t, d }: GatewayDispatchPayload): readonly Place[] {
    if (typeof d !== 'object' || d === null) return [];
    const data = d as unknown as Answered;
    switch (t as string) {
      case 'GUILD_CREATE': {
        const id = takeGuild(data);
        return [...take(data.channels, id), ...take(data.threads, id)];
      }
      case 'GUILD_UPDATE':
        takeGuild(data);
        return [];
      // A server that Discord has lost for a while keeps its name: nobody else is it meanwhile.
      case 'GUILD_DELETE':
        if (data.unavailable !== true) guilds.delete(data.id);
        return [];
      case 'GUILD_ROLE_CREATE':
      case 'GUILD_ROLE_UPDATE': {
        const [id, role] = [text(data.guild_id), text(data.role?.id)];
        if (id && role) guildOf(id).roles.set(role, String(data.role!.name));
        return [];
      }
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
      case 'THREAD_CREATE':
      case 'THREAD_UPDATE':
        return take([d as never]);
      case 'THREAD_LIST_SYNC':
        return take(data.threads, data.guild_id);
      case 'CHANNEL_DELETE':
      case 'THREAD_DELETE':
        places.delete(data.id);
        return [];
      default:
        return [];
    }
  }

  async function find(id: string, guildId?: string): Promise<Place> {
    const known = places.get(id);
    if (known) return known;
    try {
      const asked = placeOf(await call<APIChannel>('get', Routes.channel(id), `asking about channel ${id}`), guildId);
      if (asked) return know(asked);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'denied' && error.code !== 'not_found')) throw error;
    }
    return guildId === undefined ? { id, kind: 'direct' } : { id, kind: 'channel', guildId };
  }

  async function guildName(id: string | undefined): Promise<string | undefined> {
    if (id === undefined) return undefined;
    if (guilds.get(id)?.name === undefined) {
      try {
        takeGuild(await call<{ id: string }>('get', Routes.guild(id), `asking about server ${id}`));
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
        guildOf(id).name = ''; // it will not be told: do not ask for each message
      }
    }
    return text(guilds.get(id)?.name);
  }

  /** Settings may go by names, and anybody can found a server: a name that two of them have tells neither. */
  function sharesName(id: string, name: string): boolean {
    const slug = slugOf(name);
    return [...guilds.values()].some(
      (other) => other.id !== id && other.name !== undefined && slugOf(other.name) === slug,
    );
  }
  /** In one server the channel that is spelled like the slug is the one a slug means. */
  function calledAlone(place: Place): Place {
    const { name, ...rest } = place;
    if (name === undefined || place.thread) return place;
    const slug = slugOf(name);
    const isTwin = (other: Place): boolean =>
      other.id !== place.id &&
      other.guildId === place.guildId &&
      other.kind === place.kind &&
      !other.thread &&
      other.name !== undefined &&
      (other.name === name || (name !== slug && slugOf(other.name) === slug));
    return [...places.values()].some(isTwin) ? rest : place;
  }

  async function readStarter({
    id,
    parentId,
  }: Place): Promise<{ readonly text: string; readonly sender?: string; readonly senderId?: string } | undefined> {
    // A post's first message lies in the thread, the one a thread was opened on lies in the channel; both have the
    // thread's id.
    for (const channel of [id, parentId!]) {
      try {
        const first = await call<APIMessage>(
          'get',
          Routes.channelMessage(channel, id),
          `reading what thread ${id} began with`,
        );
        const words = wordsOf(first, self.names(undefined));
        const sender = nameOf(first.author ?? {});
        const senderId = text(first.author?.id);
        if (words !== '') return present({ text: words, sender, senderId });
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
      }
    }
    return undefined;
  }

  const self: Places = {
    learn,
    know: (place) => void know(place),
    async around(channelId, guildId) {
      const place = await find(channelId, guildId);
      const parent = place.parentId === undefined ? undefined : await find(place.parentId, place.guildId);
      const name = await guildName(place.guildId);
      return present({
        place: calledAlone(place),
        parent: parent ? calledAlone(parent) : undefined,
        guildName: name === undefined || sharesName(place.guildId!, name) ? undefined : name,
      });
    },
    async directChannel(userId) {
      const known = directs.get(userId);
      if (known !== undefined) return known;
      const opened = placeOf(
        await call<APIChannel>('post', Routes.userChannels(), `opening a direct chat with user ${userId}`, {
          body: { recipient_id: userId },
        }),
      );
      if (!opened)
        throw new AppError('bad_response', `Discord did not tell the channel of the direct chat with user ${userId}.`);
      return know({ ...opened, kind: 'direct', peerId: userId }).id;
    },
    async starterOf(place) {
      if (!place.thread || !place.parentId) return undefined;
      if (!starters.has(place.id)) setNewest(starters, place.id, await readStarter(place), MAX_GUILDS);
      return starters.get(place.id);
    },
    names: (guildId) => ({
      role: (id) => (guildId === undefined ? undefined : guilds.get(guildId)?.roles.get(id)),
      channel: (id) => places.get(id)?.name,
    }),
    botRoles: (guildId) => (guildId === undefined ? [] : (guilds.get(guildId)?.botRoles ?? [])),
  };
  return self;
}

/** A name of nothing but signs is itself. */
const slugOf = (name: string): string => placeSlug(name) || name;

/** The keys of the events below, as far as each has them. */
interface Answered {
  readonly id: string;
  readonly unavailable?: boolean;
  readonly guild_id: string;
  readonly name?: string;
  readonly role?: Role;
  readonly roles?: readonly Role[];
  readonly channels?: readonly APIChannel[];
  readonly threads?: readonly APIChannel[];
}

interface Role {
  readonly id: string;
  readonly name: string;
  readonly tags?: { readonly bot_id?: string };
}
