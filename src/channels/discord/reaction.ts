/** Converts a reaction to a one-sentence silent message for the agent. Pure. */
import { NOTHING_SAID } from '../../sdk/said.ts';
import type { GatewayMessageReactionAddDispatchData } from '@discordjs/core';
import type { InboundMessage, Sender } from '../../sdk/index.ts';
import { addressOf, defined, namesOf, text, type ProcessScanner } from './place.ts';
import { nameOf } from './words.ts';

export type RawReaction = Partial<GatewayMessageReactionAddDispatchData>;

export interface Reacted extends ProcessScanner {
  readonly accountId: string;
  /** It stands on a message of ours. */
  readonly own: boolean;
  /** Milliseconds since the epoch; Discord does not tell. */
  readonly at: number;
}

export function normaliseReaction(reaction: RawReaction, where: Reacted): InboundMessage | undefined {
  const { user_id: userId, message_id: messageId, member } = reaction;
  const emoji = emojiText(reaction.emoji);
  if (!userId || !messageId || emoji === undefined) return undefined;
  const name = member?.user ? nameOf({ ...member.user, member }) : undefined;
  const address = addressOf(where.place, { accountId: where.accountId, peer: userId });
  return {
    id: messageId,
    key: `reaction:${messageId}:${userId}:${reaction.emoji?.id ?? emoji}`,
    address,
    sender: defined<Sender>({ id: userId, name, handle: text(member?.user?.username), isBot: undefined }),
    quiet: true,
    said: NOTHING_SAID,
    text: `${name ?? 'Somebody'} reacted with ${emoji} to ${where.own ? 'your' : 'a'} message ${messageId}.`,
    attachments: [],
    addressesBot: where.own,
    ...defined<Pick<InboundMessage, 'spaceId' | 'place' | 'roles'>>({
      spaceId: where.place.guildId,
      place: namesOf(where),
      roles: member?.roles,
    }),
    receivedAt: where.at,
  };
}

/** `👍`, or `:wave:` for an emoji of a server. */
function emojiText(emoji: RawReaction['emoji']): string | undefined {
  const name = text(emoji?.name);
  return name === undefined ? undefined : emoji?.id ? `:${name}:` : name;
}

/** `<:wave:1>` → `wave:1`; a Unicode emoji without the selectors Discord does not know it by. */
export function emojiPath(emoji: string): string {
  const custom = /^<?a?:?(\w+:\d+)>?$/.exec(emoji.trim())?.[1];
  return encodeURIComponent(custom ?? emoji.trim().replace(/[\uFE0E\uFE0F]/gu, ''));
}
