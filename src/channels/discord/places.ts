/** Bounded lookup of guilds, channels and direct messages: from gateway events, else from the API. */
import { Routes, type APIChannel, type APIMessage, type GatewayDispatchPayload } from '@discordjs/core';
import { AppError, setNewest, present } from '../../sdk/index.ts';
import type { Call } from './api.ts';
import { createKnownPlaces, MAX_GUILDS } from './known-places.ts';
import { placeOf, text, type Place, type ProcessScanner } from './place.ts';
import { nameOf, wordsOf, type Names } from './words.ts';

/** The message a thread began with. */
export interface Starter {
  readonly text: string;
  readonly sender?: string;
  readonly senderId?: string;
}

export interface Places {
  /** Learns from an event; tells the places it named. */
  learn(event: GatewayDispatchPayload): readonly Place[];
  /** Rejects when Discord cannot be asked; a channel the bot may not see is a place all the same. */
  around(channelId: string, guildId?: string): Promise<ProcessScanner>;
  /** The channel of a direct chat with this person, opened when there is none. */
  directChannel(userId: string): Promise<string>;
  starterOf(place: Place): Promise<Starter | undefined>;
  names(guildId: string | undefined): Names;
  /** Roles that are the bot itself. */
  botRoles(guildId: string | undefined): readonly string[];
  /** From what was remembered across a restart. */
  know(place: Place): void;
}

export function createPlaces({ call, botId }: { readonly call: Call; readonly botId: string }): Places {
  const known = createKnownPlaces(botId);
  const starters = new Map<string, Starter | undefined>();

  const names = (guildId: string | undefined): Names => ({
    role: (id) => (guildId === undefined ? undefined : known.guild(guildId)?.roles.get(id)),
    channel: (id) => known.find(id)?.name,
  });

  async function find(id: string, guildId?: string): Promise<Place> {
    const place = known.find(id);
    if (place) return place;
    try {
      const fetched = placeOf(await call<APIChannel>('get', Routes.channel(id), `asking about channel ${id}`), guildId);
      if (fetched) return known.know(fetched);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'denied' && error.code !== 'not_found')) throw error;
    }
    return guildId === undefined ? { id, kind: 'direct' } : { id, kind: 'channel', guildId };
  }

  async function guildName(id: string | undefined): Promise<string | undefined> {
    if (id === undefined) return undefined;
    if (known.guild(id)?.name === undefined) {
      try {
        known.takeGuild(await call<{ id: string }>('get', Routes.guild(id), `asking about server ${id}`));
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
        known.namelessGuild(id);
      }
    }
    return text(known.guild(id)?.name);
  }

  return {
    learn: known.learn,
    know: (place) => void known.know(place),
    async around(channelId, guildId) {
      const place = await find(channelId, guildId);
      const parent = place.parentId === undefined ? undefined : await find(place.parentId, place.guildId);
      const name = await guildName(place.guildId);
      return present({
        place: known.calledAlone(place),
        parent: parent ? known.calledAlone(parent) : undefined,
        guildName: name === undefined || known.sharesName(place.guildId!, name) ? undefined : name,
      });
    },
    async directChannel(userId) {
      const channelId = known.direct(userId);
      if (channelId !== undefined) return channelId;
      const opened = placeOf(
        await call<APIChannel>('post', Routes.userChannels(), `opening a direct chat with user ${userId}`, {
          body: { recipient_id: userId },
        }),
      );
      if (!opened)
        throw new AppError(
          'bad_response',
          `Discord did not return the channel of the direct chat with user ${userId}.`,
        );
      return known.know({ ...opened, kind: 'direct', peerId: userId }).id;
    },
    async starterOf(place) {
      if (!place.thread || !place.parentId) return undefined;
      if (!starters.has(place.id))
        setNewest(starters, place.id, await readStarter(place, { call, names: names(undefined) }), MAX_GUILDS);
      return starters.get(place.id);
    },
    names,
    botRoles: (guildId) => (guildId === undefined ? [] : (known.guild(guildId)?.botRoles ?? [])),
  };
}

async function readStarter(
  { id, parentId }: Place,
  { call, names }: { readonly call: Call; readonly names: Names },
): Promise<Starter | undefined> {
  // A post's first message lies in the thread, the one a thread was opened on lies in the channel; both have the
  // thread's id.
  for (const channel of [id, parentId!]) {
    try {
      const first = await call<APIMessage>(
        'get',
        Routes.channelMessage(channel, id),
        `reading what thread ${id} began with`,
      );
      const words = wordsOf(first, names);
      const sender = nameOf(first.author ?? {});
      const senderId = text(first.author?.id);
      if (words !== '') return present({ text: words, sender, senderId });
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
    }
  }
  return undefined;
}
