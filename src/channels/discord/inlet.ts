/** Events of the gateway → messages of ours, per chat in order; resolves once each is taken. */
import type { APIInteraction, GatewayDispatchPayload } from '@discordjs/core';
import type { ChannelAccount, InboundMessage } from '../../sdk/index.ts';
import type { DiscordConfig } from './config.ts';
import { normalise, type RawMessage, type Self } from './inbound.ts';
import { INTERACTION, normaliseInteraction } from './interaction.ts';
import type { Lanes } from './lanes.ts';
import { isOurNonce, type Ledger } from './ledger.ts';
import { text, timeOf, type Surroundings } from './place.ts';
import type { Places } from './places.ts';
import { normaliseReaction, type RawReaction } from './reaction.ts';
import type { Responses } from './responses.ts';
import { channelOf, guildOf } from './rules.ts';
import type { Seen } from './seen.ts';

/** Our clock and Discord's may differ; what another connection of ours sent last is not held against it. */
const CLOCK_SLACK_MS = 5000;

export interface InletDeps {
  readonly account: ChannelAccount<DiscordConfig>;
  readonly self: Omit<Self, 'roles'>;
  readonly places: Places;
  readonly lanes: Lanes;
  readonly seen: Seen;
  readonly ledger: Ledger;
  readonly responses: Responses;
  /** Who wrote this message; asked only where Discord did not say it along. */
  authorOf(channelId: string, messageId: string): Promise<string | undefined>;
  /** Another program speaks with our voice. */
  onGhost(): void;
}

export interface Inlet {
  /** Resolves with false when it was cut short: then the event has to come again. */
  take(event: GatewayDispatchPayload): Promise<boolean>;
  /** One message, as part of work that is in the chat's lane already. */
  takeMessage(message: RawMessage): Promise<void>;
}

export function createInlet(deps: InletDeps): Inlet {
  const { account, places, lanes, seen, ledger, responses } = deps;
  const { config } = account;
  const startedAt = Date.now();

  const selfIn = (guildId: string | undefined): Self => ({ ...deps.self, roles: places.botRoles(guildId) });

  /** What makes no sense is logged without its content and passed over. */
  function read(kind: string, normaliseIt: () => InboundMessage | undefined): InboundMessage | undefined {
    try {
      return normaliseIt();
    } catch (error) {
      account.log.warn('discord.malformed', { kind, error: error instanceof Error ? error.name : 'unknown' });
      return undefined;
    }
  }

  async function takeMessage(raw: RawMessage): Promise<void> {
    await seen.settled();
    const around = await places.around(raw.channel_id, raw.guild_id);
    const { place } = around;
    const starter = place.thread ? await places.starterOf(place) : undefined;
    const message = read('message', () =>
      normalise(raw, {
        ...around,
        accountId: account.accountId,
        self: selfIn(place.guildId),
        names: places.names(place.guildId),
        allowBots: config.allowBots,
        starter,
        autoThread: autoThreadIn(around),
      }),
    );
    if (message) await account.receive(message);
    seen.took(raw.channel_id, raw.id, {
      ...(place.guildId ? { guildId: place.guildId } : {}),
      ...(place.kind === 'direct' && raw.author.id !== deps.self.id ? { peerId: raw.author.id } : {}),
    });
  }

  function autoThreadIn({ place, guildName }: Surroundings): 'always' | 'addressed' | undefined {
    const facts = {
      chat: { kind: place.kind, id: place.id },
      names: { ...(place.name ? { chat: place.name } : {}), ...(guildName ? { space: guildName } : {}) },
      ...(place.guildId ? { spaceId: place.guildId } : {}),
    };
    const guild = guildOf(config, facts)?.entry;
    const channel = guild && channelOf(guild, facts)?.entry;
    if (!channel?.autoThread) return undefined;
    return (channel.requireMention ?? guild?.requireMention ?? true) ? 'addressed' : 'always';
  }

  async function takeInteraction(interaction: APIInteraction): Promise<boolean> {
    const {
      id,
      type,
      token,
      application_id,
      channel_id: channelId,
      guild_id: guildId,
    } = interaction as {
      id?: string;
      type?: number;
      token?: string;
      application_id?: string;
      channel_id?: string;
      guild_id?: string;
    };
    if (
      !id ||
      !token ||
      !application_id ||
      !channelId ||
      (type !== INTERACTION.command && type !== INTERACTION.component)
    )
      return true;
    const deferred = await responses.defer(
      { id, token, application_id },
      type === INTERACTION.component ? 'update' : 'message',
    );
    return lanes.add(channelId, async () => {
      await seen.settled();
      const around = await places.around(channelId, guildId);
      const message = read('interaction', () =>
        normaliseInteraction(interaction, {
          ...around,
          accountId: account.accountId,
          self: selfIn(guildId),
          commands: account.commands,
          deferred,
        }),
      );
      if (message) await account.receive(message);
    });
  }

  async function takeReaction(reaction: RawReaction): Promise<void> {
    const { channel_id: channelId, message_id: messageId, user_id: userId, guild_id: guildId } = reaction;
    if (!channelId || !messageId || userId === deps.self.id || (reaction.member?.user?.bot && !config.allowBots))
      return;
    const around = await places.around(channelId, guildId);
    const mode =
      guildOf(config, {
        ...(guildId ? { spaceId: guildId } : {}),
        names: around.guildName ? { space: around.guildName } : {},
      })?.entry.reactionNotifications ?? config.reactionNotifications;
    if (mode === 'off') return;
    const own = (reaction.message_author_id ?? (await deps.authorOf(channelId, messageId))) === deps.self.id;
    if (mode === 'own' && !own) return;
    const message = read('reaction', () =>
      normaliseReaction(reaction, { ...around, accountId: account.accountId, own, at: Date.now() }),
    );
    if (message) await account.receive(message);
  }

  /** Discord tells here, and nowhere else, which send a message came of. */
  function ownVoice({ id, nonce }: RawMessage): void {
    if (!isOurNonce(nonce)) return;
    ledger.sent(nonce, id);
    // Said after we began, with a nonce in our manner that is none of ours.
    if (!ledger.isExpected(nonce) && (timeOf(id) ?? 0) > startedAt + CLOCK_SLACK_MS) deps.onGhost();
  }

  async function take({ t, d }: GatewayDispatchPayload): Promise<boolean> {
    const data = d as Partial<RawMessage>;
    const channelId = text(data?.channel_id);
    switch (t as string) {
      case 'MESSAGE_CREATE':
      case 'MESSAGE_UPDATE': {
        const message = data as RawMessage;
        if (channelId === undefined || text(message.id) === undefined || text(message.author?.id) === undefined)
          return true;
        if (message.author.id === deps.self.id) ownVoice(message);
        // Discord also tells of an update when it has looked up the links in a message.
        if (t === 'MESSAGE_UPDATE' && !message.edited_timestamp) return true;
        return lanes.add(channelId, () => takeMessage(message));
      }
      case 'MESSAGE_REACTION_ADD':
        return channelId === undefined ? true : lanes.add(channelId, () => takeReaction(d as RawReaction));
      case 'INTERACTION_CREATE':
        return takeInteraction(d as APIInteraction);
      default:
        return true;
    }
  }

  return {
    takeMessage,
    async take(event) {
      try {
        return await take(event);
      } catch (error) {
        account.log.warn('discord.malformed', {
          kind: String(event.t),
          error: error instanceof Error ? error.name : 'unknown',
        });
        return true; // what is in a lane never rejects: this made no sense before it got there
      }
    },
  };
}
