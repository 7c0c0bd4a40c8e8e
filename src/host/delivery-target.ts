/**
 * Resolves where work without a message sends its answer: the named chat, or the chat from which a session was last
 * written to.
 */
import { AppError } from '../core/errors.ts';
import type { ChatAddress, ChatKind } from '../core/message.ts';
import { DEFAULT_ACCOUNT_ID, OWN_CHANNEL } from '../core/product.ts';
import { normaliseAccountId } from '../core/session-key.ts';
import type { TargetRequest } from '../core/target-request.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import { head } from '../core/cut.ts';
import { present } from '../core/present.ts';

/** The target as configuration or a job names it. */
export interface DeliveryRequest {
  /** A channel's id or alias; `last` or absent: where the session was written from last. */
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
  /** `to` is the bare id of such a chat; absent: a target as people write it. */
  readonly chatKind?: ChatKind | undefined;
}

/** What resolving a target needs of the channels. */
export interface DeliveryTargetDeps {
  /** `invalid` for channels and targets nobody knows. */
  resolve(target: TargetRequest): ChatAddress;
  /** The id of a channel that is configured and can be written to. */
  channelId(name: string): string | undefined;
}

/**
 * Undefined: nobody wrote to the session from there yet. Unknown channels and targets: `invalid`. An explicit channel
 * never borrows the chat of another one.
 */
export function deliveryTarget(
  { channel, to, accountId, threadId, chatKind }: DeliveryRequest,
  entry: SessionEntry | undefined,
  deps: DeliveryTargetDeps,
): ChatAddress | undefined {
  const named = channel?.trim().toLowerCase();
  const wanted = named === undefined || named === '' || named === 'last' ? undefined : known(named, deps);
  const last = lastAddress(entry, deps);
  if (to === undefined || to.trim() === '')
    return last && (wanted === undefined || wanted === last.channel)
      ? sameChat(last, { accountId, threadId })
      : undefined;
  const there = wanted ?? (to.includes(':') ? undefined : last?.channel);
  if (chatKind !== undefined && there !== undefined)
    return {
      channel: there,
      accountId: normaliseAccountId(accountId ?? DEFAULT_ACCOUNT_ID),
      chat: { kind: chatKind, id: to },
      ...present({ threadId: threadId || undefined }),
    };
  return deps.resolve({ to, channel: there, accountId, threadId });
}

function known(name: string, { channelId }: DeliveryTargetDeps): string {
  const id = channelId(name);
  if (id === undefined) throw new AppError('invalid', `Channel "${head(name, 64)}" is unknown or not configured.`);
  return id;
}

/** The same chat, from another account or in another thread. */
export const sameChat = (
  address: ChatAddress,
  { accountId, threadId }: Pick<DeliveryRequest, 'accountId' | 'threadId'>,
): ChatAddress => ({
  ...address,
  ...present({ accountId: accountId ? normaliseAccountId(accountId) : undefined, threadId: threadId || undefined }),
});

/** Where a session was written from last, when that channel is still there. */
export function lastAddress(
  entry: SessionEntry | undefined,
  { channelId }: Pick<DeliveryTargetDeps, 'channelId'>,
): ChatAddress | undefined {
  const last = rememberedAddress(entry);
  return last && channelId(last.channel) !== undefined ? last : undefined;
}

/** The same whatever became of that channel. */
export function rememberedAddress(entry: SessionEntry | undefined): ChatAddress | undefined {
  if (entry?.lastChannel === undefined || entry.lastTo === undefined) return undefined;
  const thread = entry.lastThreadId === undefined ? {} : { threadId: entry.lastThreadId };
  return {
    channel: entry.lastChannel,
    accountId: entry.lastAccountId ?? DEFAULT_ACCOUNT_ID,
    chat: { kind: entry.chatType ?? 'direct', id: entry.lastTo },
    ...thread,
  };
}

/** The product's own chat of a session: what is said there stands in its history and goes nowhere else. */
export const ownChat = (sessionKey: string): ChatAddress => ({
  channel: OWN_CHANNEL,
  accountId: DEFAULT_ACCOUNT_ID,
  chat: { kind: 'direct', id: sessionKey },
});
