/** What the bot knows of guilds, channels and direct chats: told by the gateway, asked for when it did not. Bounded. */
import { Routes, type APIChannel, type APIMessage, type GatewayDispatchPayload } from '@discordjs/core';
import { AppError, placeSlug } from '../../sdk/index.ts';
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

export function createPlaces(deps: { readonly call: Call; readonly botId: string }): Places {
  return new KnownPlaces(deps);
}

class KnownPlaces implements Places {
  readonly #deps: { readonly call: Call; readonly botId: string };
  readonly #places = new Map<string, Place>();
  readonly #guilds = new Map<string, Guild>();
  readonly #directs = new Map<string, string>();
  readonly #starters = new Map<
    string,
    { readonly text: string; readonly sender?: string; readonly senderId?: string } | undefined
  >();

  constructor(deps: { readonly call: Call; readonly botId: string }) {
    this.#deps = deps;
  }

  know(place: Place): void {
    this.#know(place);
  }

  async around(channelId: string, guildId?: string): Promise<Surroundings> {
    const place = await this.#find(channelId, guildId);
    const parent = place.parentId === undefined ? undefined : await this.#find(place.parentId, place.guildId);
    const name = await this.#guildName(place.guildId);
    return {
      place: this.#calledAlone(place),
      ...(parent ? { parent: this.#calledAlone(parent) } : {}),
      ...(name === undefined || this.#sharesName(place.guildId!, name) ? {} : { guildName: name }),
    };
  }

  async directChannel(userId: string): Promise<string> {
    const known = this.#directs.get(userId);
    if (known !== undefined) return known;
    const opened = placeOf(
      await this.#deps.call<APIChannel>('post', Routes.userChannels(), `opening a direct chat with user ${userId}`, {
        body: { recipient_id: userId },
      }),
    );
    if (!opened)
      throw new AppError('bad_response', `Discord did not tell the channel of the direct chat with user ${userId}.`);
    return this.#know({ ...opened, kind: 'direct', peerId: userId }).id;
  }

  async starterOf(
    place: Place,
  ): Promise<{ readonly text: string; readonly sender?: string; readonly senderId?: string } | undefined> {
    if (!place.thread || !place.parentId) return undefined;
    if (!this.#starters.has(place.id)) bounded(this.#starters, place.id, await this.#readStarter(place), MAX_GUILDS);
    return this.#starters.get(place.id);
  }

  botRoles(guildId: string | undefined): readonly string[] {
    return guildId === undefined ? [] : (this.#guilds.get(guildId)?.botRoles ?? []);
  }

  learn({ t, d }: GatewayDispatchPayload): readonly Place[] {
    if (typeof d !== 'object' || d === null) return [];
    const data = d as unknown as Told;
    switch (t as string) {
      case 'GUILD_CREATE': {
        const id = this.#takeGuild(data);
        return [...this.#take(data.channels, id), ...this.#take(data.threads, id)];
      }
      case 'GUILD_UPDATE':
        this.#takeGuild(data);
        return [];
      // A server that Discord has lost for a while keeps its name: nobody else is it meanwhile.
      case 'GUILD_DELETE':
        if (data.unavailable !== true) this.#guilds.delete(data.id);
        return [];
      case 'GUILD_ROLE_CREATE':
      case 'GUILD_ROLE_UPDATE': {
        const [id, role] = [text(data.guild_id), text(data.role?.id)];
        if (id && role) this.#guildOf(id).roles.set(role, String(data.role!.name));
        return [];
      }
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
      case 'THREAD_CREATE':
      case 'THREAD_UPDATE':
        return this.#take([d as never]);
      case 'THREAD_LIST_SYNC':
        return this.#take(data.threads, data.guild_id);
      case 'CHANNEL_DELETE':
      case 'THREAD_DELETE':
        this.#places.delete(data.id);
        return [];
      default:
        return [];
    }
  }

  names(guildId: string | undefined): Names {
    return {
      role: (id) => (guildId === undefined ? undefined : this.#guilds.get(guildId)?.roles.get(id)),
      channel: (id) => this.#places.get(id)?.name,
    };
  }

  #know(place: Place): Place {
    bounded(this.#places, place.id, place, MAX_PLACES);
    if (place.peerId) bounded(this.#directs, place.peerId, place.id, MAX_PLACES);
    return place;
  }

  #guildOf(id: string): Guild {
    return this.#guilds.get(id) ?? bounded(this.#guilds, id, { id, roles: new Map(), botRoles: [] }, MAX_GUILDS);
  }

  #take(channels: readonly APIChannel[] | undefined, guildId?: string): readonly Place[] {
    return list(channels).flatMap((channel) => {
      const place = placeOf(channel, guildId);
      return place ? [this.#know(place)] : [];
    });
  }

  #takeGuild(raw: { id?: unknown; name?: unknown; roles?: readonly Role[] }): string | undefined {
    const id = text(raw.id);
    if (id === undefined) return undefined;
    const guild = this.#guildOf(id);
    const name = text(raw.name);
    if (name !== undefined) guild.name = name;
    for (const role of list(raw.roles)) guild.roles.set(role.id, role.name);
    if (raw.roles)
      guild.botRoles = list(raw.roles).flatMap(({ id: role, tags }) =>
        tags?.bot_id === this.#deps.botId ? [role] : [],
      );
    return id;
  }

  async #find(id: string, guildId?: string): Promise<Place> {
    const known = this.#places.get(id);
    if (known) return known;
    try {
      const asked = placeOf(
        await this.#deps.call<APIChannel>('get', Routes.channel(id), `asking about channel ${id}`),
        guildId,
      );
      if (asked) return this.#know(asked);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'denied' && error.code !== 'not_found')) throw error;
    }
    return guildId === undefined ? { id, kind: 'direct' } : { id, kind: 'channel', guildId };
  }

  async #guildName(id: string | undefined): Promise<string | undefined> {
    if (id === undefined) return undefined;
    if (this.#guilds.get(id)?.name === undefined) {
      try {
        this.#takeGuild(await this.#deps.call<{ id: string }>('get', Routes.guild(id), `asking about server ${id}`));
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
        this.#guildOf(id).name = ''; // it will not be told: do not ask for each message
      }
    }
    return text(this.#guilds.get(id)?.name);
  }

  /** Settings may go by names, and anybody can found a server: a name that two of them have tells neither. */
  #sharesName(id: string, name: string): boolean {
    const slug = slugOf(name);
    return [...this.#guilds.values()].some(
      (other) => other.id !== id && other.name !== undefined && slugOf(other.name) === slug,
    );
  }

  /** In one server the channel that is spelled like the slug is the one a slug means. */
  #calledAlone(place: Place): Place {
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
    return [...this.#places.values()].some(isTwin) ? rest : place;
  }

  async #readStarter({
    id,
    parentId,
  }: Place): Promise<{ readonly text: string; readonly sender?: string; readonly senderId?: string } | undefined> {
    // A post's first message lies in the thread, the one a thread was opened on lies in the channel; both have the
    // thread's id.
    for (const channel of [id, parentId!]) {
      try {
        const first = await this.#deps.call<APIMessage>(
          'get',
          Routes.channelMessage(channel, id),
          `reading what thread ${id} began with`,
        );
        const words = wordsOf(first, this.names(undefined));
        const sender = nameOf(first.author ?? {});
        const senderId = text(first.author?.id);
        if (words !== '')
          return {
            text: words,
            ...(sender === undefined ? {} : { sender }),
            ...(senderId === undefined ? {} : { senderId }),
          };
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
      }
    }
    return undefined;
  }
}

/** A name of nothing but signs is itself. */
const slugOf = (name: string): string => placeSlug(name) || name;

/** The keys of the events below, as far as each has them. */
interface Told {
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

/** Puts it last; the oldest go when there are too many. */
export function bounded<K, V>(map: Map<K, V>, key: K, value: V, most: number): V {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
  return value;
}
