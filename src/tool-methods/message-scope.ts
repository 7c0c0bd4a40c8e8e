/** Resolves the source and target chat of the `message` tool, and how far the requester's rights extend. */
import type { MessageToolConfig } from '../config/message-tool-config.ts';
import type { Opening, Verb } from '../core/access-table.ts';
import { AppError } from '../core/errors.ts';
import { assertAllowed, may, type Ownership, type RecordAccess } from '../core/may.ts';
import type { ChatAddress } from '../core/message.ts';
import type { MessageSendRequest } from '../core/message-tool.ts';
import type { Turn } from '../core/turn.ts';
import type { ChannelService } from '../host/channel-services.ts';
import { sameChat } from '../host/delivery-target.ts';
import { crossChatMarker, namesChannel } from '../host/message-guard.ts';
import { openChats } from '../agent/toolbox/opened.ts';

export interface MessageScopeDeps {
  readonly turn: Turn;
  readonly channels: Pick<ChannelService, 'resolve'>;
  isDeliverable(channel: string): boolean;
  config(): MessageToolConfig;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  keep?: RecordAccess | undefined;
}

export interface MessageScope {
  readonly here: ChatAddress;
  /** The product's own surface is no chat of a channel: who speaks there is bound to none. */
  readonly unbound: boolean;
  /** Rejects what nobody who asked may do there. */
  requireAccess(verb: Verb, address: Ownership['address'], what: string): void;
  /** What a message to another chat is marked with; rejects where it may not leave this one. */
  crossChatMarker(to: Parameters<typeof crossChatMarker>[0]['to']): string;
  /** The chat named; this one where none is and no other channel is meant. By its own name too, at our own surface. */
  addressOf(named: Pick<MessageSendRequest, 'target' | 'channel' | 'accountId' | 'threadId'>): ChatAddress;
}

export function createMessageScope({
  turn,
  channels,
  isDeliverable,
  config,
  open,
  keep,
}: MessageScopeDeps): MessageScope {
  const here = turn.route.replyTo;
  const unbound = !isDeliverable(here.channel);

  return {
    here,
    unbound,
    requireAccess(verb, address, what) {
      const of = { kind: 'conversation', of: { address } } as const;
      const check = may(turn.authority, verb, of, openChats(open(), config()));
      assertAllowed(check, what);
      keep?.(turn, check);
    },
    crossChatMarker: (to) => crossChatMarker({ here, to, config: config(), unbound }),
    addressOf({ target, channel, accountId, threadId }) {
      const name =
        channel?.trim().toLowerCase() || (unbound || namesChannel(target, isDeliverable) ? undefined : here.channel);
      const own = unbound && (name === undefined || name === here.channel);
      if (own && (target === undefined || target === here.chat.id)) return here;
      const stays = !unbound && name === here.channel;
      if (target === undefined && stays) return sameChat(here, { accountId, threadId });
      if (target === undefined) throw new AppError('invalid', 'send needs target, the chat to write to.');
      return channels.resolve({
        to: target,
        channel: name,
        accountId: accountId ?? (stays ? here.accountId : undefined),
        threadId,
      });
    },
  };
}
