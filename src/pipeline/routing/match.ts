/** Matches one binding against one message: result, specificity, or the missing condition. Pure. */
import type { InboundMessage } from '../../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { Route } from '../../core/route.ts';
import type { Binding } from './config.ts';

/** What a binding needs to know of the channel a message comes from. */
export interface RoutedChannel {
  readonly aliases?: readonly string[] | undefined;
  readonly threadWord?: 'thread' | 'topic' | undefined;
  readonly directThreads?: boolean | undefined;
}

export type Placed = Pick<InboundMessage, 'address' | 'spaceId' | 'roles'>;

/** Most specific first; a binding belongs to the first one whose field it carries. */
export const TIERS = [
  { tier: 'peer', of: 'peer' },
  { tier: 'parent-peer', of: 'peer' },
  { tier: 'any-peer', of: 'peer' },
  { tier: 'guild-roles', of: 'guild' },
  { tier: 'guild', of: 'guild' },
  { tier: 'team', of: 'team' },
  { tier: 'account', of: 'account' },
  { tier: 'channel', of: 'channel' },
] as const satisfies readonly { tier: string; of: Route['matchedBy'] }[];
export type Tier = (typeof TIERS)[number]['tier'];

export type Field = 'channel' | 'account' | 'peer' | 'guild' | 'team' | 'roles';
export type BindingMatch = { readonly tier: Tier } | { readonly missing: Field };

/** All fields of a binding must hold; ids compare exactly, the channel's name without regard to case. */
export function matchBinding({ match }: Binding, message: Placed, channel: RoutedChannel): BindingMatch {
  const { address, spaceId, roles = [] } = message;
  if (!isNamed(match.channel, address.channel, channel)) return { missing: 'channel' };
  if (!anyAccount(match.accountId) && match.accountId!.trim() !== (address.accountId || DEFAULT_ACCOUNT_ID))
    return { missing: 'account' };
  if (match.guildId !== undefined && match.guildId.trim() !== spaceId) return { missing: 'guild' };
  if (match.teamId !== undefined && match.teamId.trim() !== spaceId) return { missing: 'team' };
  const wanted = rolesOf(match);
  if (wanted.length > 0 && !wanted.some((role) => roles.includes(role))) return { missing: 'roles' };
  if (match.peer) {
    const tier = peerTier(match.peer, message, channel);
    return tier ? { tier } : { missing: 'peer' };
  }
  if (wanted.length > 0) return { tier: 'guild-roles' };
  if (match.guildId !== undefined) return { tier: 'guild' };
  if (match.teamId !== undefined) return { tier: 'team' };
  return { tier: anyAccount(match.accountId) ? 'channel' : 'account' };
}

export const anyAccount = (accountId: string | undefined): boolean =>
  accountId === undefined || accountId.trim() === '*' || accountId.trim() === '';

const rolesOf = ({ roles = [] }: Binding['match']): readonly string[] =>
  roles.map((role) => role.trim()).filter(Boolean);

export function isNamed(written: string, channelId: string, { aliases = [] }: RoutedChannel): boolean {
  const name = written.trim().toLowerCase();
  return name === channelId || aliases.includes(name);
}

/** A thread goes the way of the chat it hangs in, unless it is bound by an id of its own. */
function peerTier(
  peer: NonNullable<Binding['match']['peer']>,
  { address: { chat, threadId } }: Placed,
  channel: RoutedChannel,
): Tier | undefined {
  const id = peer.id.trim();
  if ((peer.kind === 'dm' ? 'direct' : peer.kind) !== chat.kind) return undefined;
  if (threadId !== undefined && threadIds(chat.id, threadId, channel).includes(id)) return 'peer';
  if (id === chat.id) return threadId === undefined || chat.kind === 'direct' ? 'peer' : 'parent-peer';
  return id === '*' ? 'any-peer' : undefined;
}

/** The ways a thread is named in configuration. Topics are counted per chat, so their bare number names none. */
export function threadIds(
  chatId: string,
  threadId: string,
  { threadWord = 'thread' }: RoutedChannel,
): readonly string[] {
  const qualified = [`${chatId}:topic:${threadId}`, `${chatId}:thread:${threadId}`];
  return threadWord === 'topic' ? qualified : [threadId, ...qualified];
}
