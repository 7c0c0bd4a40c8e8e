/** Bounded cache of guilds, channels and direct messages, filled from gateway events. */
import type { APIChannel, GatewayDispatchPayload } from '@discordjs/core';
import { placeSlug, setNewest } from '../../sdk/index.ts';
import { placeOf, text, type Place } from './place.ts';
import { list } from './words.ts';

const MAX_PLACES = 5000;
export const MAX_GUILDS = 500;

interface Guild {
  readonly id: string;
  name?: string;
  readonly roles: Map<string, string>;
  botRoles: readonly string[];
}

export interface KnownPlaces {
  /** Learns from an event; tells the places it named. */
  learn(event: GatewayDispatchPayload): readonly Place[];
  know(place: Place): Place;
  find(id: string): Place | undefined;
  guild(id: string): Readonly<Guild> | undefined;
  takeGuild(raw: RawGuild): void;
  /** It will not be told: nobody asks for each message. */
  namelessGuild(id: string): void;
  /** The channel of a direct chat. */
  direct(userId: string): string | undefined;
  /** Settings may go by names, and anybody can found a server: a name that two of them have tells neither. */
  sharesName(id: string, name: string): boolean;
  /** Without its name where another place has it: in one server the channel that is spelled like the slug is meant. */
  calledAlone(place: Place): Place;
}

interface RawGuild {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly roles?: readonly Role[];
}

export function createKnownPlaces(botId: string): KnownPlaces {
  const places = new Map<string, Place>();
  const guilds = new Map<string, Guild>();
  const directs = new Map<string, string>();

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

  function takeGuild(raw: RawGuild): string | undefined {
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

  return {
    know,
    takeGuild,
    learn: (event) => learnFrom(event, { take, takeGuild, guildOf, places, guilds }),
    find: (id) => places.get(id),
    guild: (id) => guilds.get(id),
    namelessGuild: (id) => void (guildOf(id).name = ''),
    direct: (userId) => directs.get(userId),
    sharesName(id, name) {
      const slug = slugOf(name);
      return [...guilds.values()].some(
        (other) => other.id !== id && other.name !== undefined && slugOf(other.name) === slug,
      );
    },
    calledAlone(place) {
      const { name, ...rest } = place;
      if (name === undefined || place.thread) return place;
      return [...places.values()].some((other) => isTwin(other, { ...place, name })) ? rest : place;
    },
  };
}

interface Learning {
  take(channels: readonly APIChannel[] | undefined, guildId?: string): readonly Place[];
  takeGuild(raw: RawGuild): string | undefined;
  guildOf(id: string): Guild;
  readonly places: Map<string, Place>;
  readonly guilds: Map<string, Guild>;
}

function learnFrom(
  { t, d }: GatewayDispatchPayload,
  { take, takeGuild, guildOf, places, guilds }: Learning,
): readonly Place[] {
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

/** Another place of the same server that the same name means. */
function isTwin(other: Place, { name, ...place }: Place & { readonly name: string }): boolean {
  const slug = slugOf(name);
  return (
    other.id !== place.id &&
    other.guildId === place.guildId &&
    other.kind === place.kind &&
    !other.thread &&
    other.name !== undefined &&
    (other.name === name || (name !== slug && slugOf(other.name) === slug))
  );
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
