/** Converts gateway events to messages, in order per chat; resolves when each one is recorded. */
import type { APIInteraction, GatewayDispatchPayload } from '@discordjs/core';
import { AppError, type ChannelAccount, type InboundMessage, type Intake, present } from '../../sdk/index.ts';
import { autoThreadIn } from './auto-thread.ts';
import type { DiscordConfig } from './config.ts';
import { normalise, type RawMessage, type Self } from './inbound.ts';
import { INTERACTION, normaliseInteraction } from './interaction.ts';
import { isOurNonce, type Ledger } from './ledger.ts';
import { text, timeOf } from './place.ts';
import type { Places } from './places.ts';
import { normaliseReaction, type RawReaction } from './reaction.ts';
import type { Responses } from './responses.ts';
import { guildOf } from './rules.ts';
import type { Seen } from './seen.ts';

/** Our clock and Discord's may differ; what another connection of ours sent last is not held against it. */
const CLOCK_SLACK_MS = 5000;

export interface ReceiverDeps {
  readonly account: ChannelAccount<DiscordConfig>;
  readonly self: Omit<Self, 'roles'>;
  readonly places: Places;
  readonly intake: Intake;
  readonly seen: Seen;
  readonly ledger: Ledger;
  readonly responses: Responses;
  /** Who wrote this message; asked only where Discord did not say it along. */
  authorOf(channelId: string, messageId: string): Promise<string | undefined>;
  /** Another program speaks with our voice. */
  onGhost(): void;
}

export interface Receiver {
  /** Resolves with false when it was cut short: then the event has to come again. */
  take(event: GatewayDispatchPayload): Promise<boolean>;
  /** One message, as part of work that is in the chat's turn already. */
  takeMessage(message: RawMessage): Promise<void>;
}

export function createReceiver(deps: ReceiverDeps): Receiver {
  const startedAt = Date.now();
  return {
    takeMessage: (message) => takeMessage(deps, message),
    async take(event) {
      try {
        await dispatch(deps, event, startedAt);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'aborted') return false;
        malformed(deps, String(event.t), error); // what is in a chat's turn rejects with nothing else
        return true;
      }
    },
  };
}

async function dispatch(deps: ReceiverDeps, { t, d }: GatewayDispatchPayload, startedAt: number): Promise<void> {
  const data = d as Partial<RawMessage>;
  const channelId = text(data?.channel_id);
  switch (t as string) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE': {
      const message = data as RawMessage;
      if (channelId === undefined || text(message.id) === undefined || text(message.author?.id) === undefined) return;
      if (message.author.id === deps.self.id) acceptOwn(deps, message, startedAt);
      // Discord also tells of an update when it has looked up the links in a message.
      if (t === 'MESSAGE_UPDATE' && !message.edited_timestamp) return;
      return deps.intake.take(channelId, () => takeMessage(deps, message));
    }
    case 'MESSAGE_REACTION_ADD':
      if (channelId !== undefined) await deps.intake.take(channelId, () => takeReaction(deps, d as RawReaction));
      return;
    case 'INTERACTION_CREATE':
      return takeInteraction(deps, d as APIInteraction);
  }
}

/** What makes no sense is logged without its content and passed over. */
function malformed({ account }: ReceiverDeps, kind: string, error: unknown): undefined {
  account.log.warn('discord.malformed', { kind, error: error instanceof Error ? error.name : 'unknown' });
}

function read(
  deps: ReceiverDeps,
  kind: string,
  normaliseIt: () => InboundMessage | undefined,
): InboundMessage | undefined {
  try {
    return normaliseIt();
  } catch (error) {
    return malformed(deps, kind, error);
  }
}

const selfIn = ({ self, places }: ReceiverDeps, guildId: string | undefined): Self => ({
  ...self,
  roles: places.botRoles(guildId),
});

async function takeMessage(deps: ReceiverDeps, raw: RawMessage): Promise<void> {
  const { account, places, seen, self } = deps;
  await seen.settled();
  const around = await places.around(raw.channel_id, raw.guild_id);
  const { place } = around;
  const starter = place.thread ? await places.starterOf(place) : undefined;
  const message = read(deps, 'message', () =>
    normalise(raw, {
      ...around,
      accountId: account.accountId,
      self: selfIn(deps, place.guildId),
      names: places.names(place.guildId),
      allowBots: account.config.allowBots,
      starter,
      autoThread: autoThreadIn(account.config, around),
    }),
  );
  if (message) await account.receive(message);
  seen.took(
    raw.channel_id,
    raw.id,
    present({
      guildId: place.guildId || undefined,
      peerId: place.kind === 'direct' && raw.author.id !== self.id ? raw.author.id : undefined,
    }),
  );
}

type Interaction = Partial<
  Record<'id' | 'token' | 'application_id' | 'channel_id' | 'guild_id', string> & { type: number }
>;

async function takeInteraction(deps: ReceiverDeps, interaction: APIInteraction): Promise<void> {
  const { account, places, seen, responses, intake } = deps;
  const { id, type, token, application_id, channel_id: channelId, guild_id: guildId } = interaction as Interaction;
  if (!id || !token || !application_id || !channelId) return;
  if (type !== INTERACTION.command && type !== INTERACTION.component) return;
  const kind = type === INTERACTION.component ? 'update' : 'message';
  const deferred = await responses.defer({ id, token, application_id }, kind);
  await intake.take(channelId, async () => {
    await seen.settled();
    const around = await places.around(channelId, guildId);
    const message = read(deps, 'interaction', () =>
      normaliseInteraction(interaction, {
        ...around,
        accountId: account.accountId,
        self: selfIn(deps, guildId),
        commands: account.commands,
        deferred,
      }),
    );
    if (message) await account.receive(message);
  });
}

async function takeReaction(deps: ReceiverDeps, reaction: RawReaction): Promise<void> {
  const { account, places, self } = deps;
  const { config } = account;
  const { channel_id: channelId, message_id: messageId, user_id: userId, guild_id: guildId } = reaction;
  if (!channelId || !messageId || userId === self.id || (reaction.member?.user?.bot && !config.allowBots)) return;
  const around = await places.around(channelId, guildId);
  const mode =
    guildOf(config, {
      ...present({ spaceId: guildId || undefined }),
      names: around.guildName ? { space: around.guildName } : {},
    })?.entry.reactionNotifications ?? config.reactionNotifications;
  if (mode === 'off') return;
  const own = (reaction.message_author_id ?? (await deps.authorOf(channelId, messageId))) === self.id;
  if (mode === 'own' && !own) return;
  const message = read(deps, 'reaction', () =>
    normaliseReaction(reaction, { ...around, accountId: account.accountId, own, at: Date.now() }),
  );
  if (message) await account.receive(message);
}

/** Discord tells here, and nowhere else, which send a message came of. */
function acceptOwn({ ledger, onGhost }: ReceiverDeps, { id, nonce }: RawMessage, startedAt: number): void {
  if (!isOurNonce(nonce)) return;
  ledger.sent(nonce, id);
  // Said after we began, with a nonce in our manner that is none of ours.
  if (!ledger.isExpected(nonce) && (timeOf(id) ?? 0) > startedAt + CLOCK_SLACK_MS) onGhost();
}
