/** Decides whether the turn of one chat may write in another, and how the message is marked there. Pure. */
import type { MessageToolConfig } from '../config/message-tool-config.ts';
import { AppError } from '../core/errors.ts';
import type { ChatAddress } from '../core/message.ts';

/** A message that may leave the chat its turn came from, and the settings that decide. */
export interface CrossChatMessage {
  /** The chat the turn came from. */
  readonly here: ChatAddress;
  readonly to: Pick<ChatAddress, 'channel'> & Partial<ChatAddress>;
  readonly config: MessageToolConfig;
  /** The turn came from a surface of the product itself: it is the owner's word, and bound to no chat. */
  readonly unbound: boolean;
}

/** What goes before the text; empty where nothing is marked. `denied` names the setting. */
export function crossChatMarker({ here, to, config, unbound }: CrossChatMessage): string {
  if (unbound) return '';
  const { allowAcrossProviders, allowWithinProvider, marker } = config.crossContext;
  const elsewhere = to.channel !== here.channel;
  if (!elsewhere && isSameChat(here, to)) {
    // On some channels a thread's id could be that of any channel.
    if (to.threadId !== undefined && to.threadId !== here.threadId)
      assertSameChat({ config, unbound, parameters: { threadId: to.threadId } });
    return '';
  }
  if (!config.allowCrossContextSend) {
    if (elsewhere && !allowAcrossProviders)
      throw new AppError(
        'denied',
        `This conversation is on ${here.channel} and may not write to ${to.channel}. The owner can allow it: ` +
          'tools.message.crossContext.allowAcrossProviders.',
      );
    if (!elsewhere && !allowWithinProvider)
      throw new AppError(
        'denied',
        'This conversation may not write to other chats. The owner can allow it: ' +
          'tools.message.crossContext.allowWithinProvider.',
      );
  }
  return marker.enabled ? `[from ${here.channel}] ` : '';
}

/** Parameters by which an action reaches beyond the chat it is asked in. */
const REACHING = ['guildId', 'channelId', 'channelIds', 'threadId', 'messageLink', 'query'];

/** For turns that must stay in their chat: they may not read other chats either. */
export function assertSameChat({
  here,
  config,
  unbound,
  parameters,
}: Pick<CrossChatMessage, 'config' | 'unbound'> & {
  readonly here?: ChatAddress;
  readonly parameters: Readonly<Record<string, unknown>>;
}): void {
  if (unbound || config.allowCrossContextSend || config.crossContext.allowWithinProvider) return;
  const reaching = REACHING.find(
    (name) =>
      parameters[name] !== undefined &&
      parameters[name] !== '' &&
      !(name === 'threadId' && String(parameters[name]).trim() === here?.threadId),
  );
  if (reaching !== undefined)
    throw new AppError(
      'denied',
      `This conversation may not write to other chats, which ${reaching} does. The owner can allow it: ` +
        'tools.message.crossContext.allowWithinProvider.',
    );
}

/** `telegram:1` means Telegram wherever it is said; `user:1` is of the channel it is said on. */
export const namesChannel = (target: string | undefined, isDeliverable: (channel: string) => boolean): boolean =>
  target?.includes(':') === true && isDeliverable(target.split(':')[0]!.trim().toLowerCase());

/** Threads of a chat belong to it. */
const isSameChat = (here: ChatAddress, to: CrossChatMessage['to']): boolean =>
  here.channel === to.channel &&
  (to.accountId === undefined || here.accountId === to.accountId) &&
  (to.chat === undefined || here.chat.id === to.chat.id);
