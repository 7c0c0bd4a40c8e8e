/** Fetches messages sent while the bot was offline in known chats; the journal drops duplicates. */
import { Routes, type APIGuildMember, type APIMessage } from '@discordjs/core';
import { AppError, type Intake, type Log, present } from '../../sdk/index.ts';
import type { Call } from './api.ts';
import type { Place } from './place.ts';
import { isNewer } from './place.ts';
import type { Places } from './places.ts';
import type { Receiver } from './receiver.ts';
import type { Seen } from './seen.ts';

const MAX_CHATS = 50;
const PAGE = 100;
const MAX_PAGES = 3;

export interface CatchUpDeps {
  readonly call: Call;
  readonly seen: Seen;
  readonly intake: Intake;
  readonly places: Places;
  readonly receiver: Receiver;
  readonly log: Log;
}

/** Each in its chat's own turn, so that what is said from now on waits behind it. */
export function catchUp(deps: CatchUpDeps): void {
  for (const { channelId, last, guildId, peerId } of deps.seen.chats().slice(-MAX_CHATS)) {
    if (peerId) deps.places.know({ id: channelId, kind: 'direct', peerId } satisfies Place);
    deps.intake
      .take(channelId, () => inChat(deps, { channelId, last, guildId }))
      // The intake was closed; the next start fetches it.
      .catch((error: unknown) => deps.log.debug('discord.catchup', { error }));
  }
}

async function inChat(
  { call, seen, receiver, log }: CatchUpDeps,
  { channelId, last, guildId }: { channelId: string; last: string; guildId: string | undefined },
): Promise<void> {
  const members = new Map<string, APIGuildMember | undefined>();
  for (let page = 0, after = last; page < MAX_PAGES; page++) {
    const messages = await pageAfter(after);
    for (const message of messages.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1))) {
      const member =
        guildId === undefined || !message.author?.id ? undefined : await memberOf(guildId, message.author.id);
      await receiver.takeMessage({ ...message, ...present({ guild_id: guildId, member }) });
      after = message.id;
    }
    if (messages.length < PAGE) return;
  }
  log.warn('discord.catch-up', { channel: channelId, skipped: `more than ${MAX_PAGES * PAGE} messages` });

  async function pageAfter(after: string): Promise<readonly APIMessage[]> {
    try {
      return await call<APIMessage[]>(
        'get',
        Routes.channelMessages(channelId),
        `reading what was missed in channel ${channelId}`,
        { query: { limit: PAGE, after } },
      );
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'denied' && error.code !== 'not_found')) throw error;
      seen.forget(channelId);
      return [];
    }
  }

  /** Messages of the API come without what the sender may do in the server. */
  async function memberOf(guild: string, user: string): Promise<APIGuildMember | undefined> {
    if (members.has(user)) return members.get(user);
    const pending = call<APIGuildMember>('get', Routes.guildMember(guild, user), `reading the roles of user ${user}`);
    const member = await pending.catch((error: unknown) => {
      if (error instanceof AppError && !error.retryable) return undefined; // left the server
      throw error;
    });
    members.set(user, member);
    return member;
  }
}
