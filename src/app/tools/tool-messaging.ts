/** What the `message` tool asks of the gateway: a send, an action; within the bounds of the conversation its turn came from. */
import type { MessageToolConfig } from '../../config/message-tool-config.ts';
import { isForeign } from '../../core/errand.ts';
import { AppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { MessageActRequest, MessageSent, MessageSendRequest } from '../../core/message-tool.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import type { Turn } from '../../core/turn.ts';
import type { ChannelService } from '../../gateway/channel-services.ts';
import { targetIn } from '../channels/channel-act.ts';
import { sameChat } from '../delivery/delivery-target.ts';
import { crossing, namesChannel, stayInside } from './message-guard.ts';

export interface ToolMessagingDeps {
  readonly turn: Turn;
  channels(): ChannelService;
  isDeliverable(channel: string): boolean;
  config(): MessageToolConfig;
}

/** The one asking is our own tool, whose arguments the loop has checked. */
interface Messaging { send(params: MessageSendRequest): Promise<MessageSent>; act(params: MessageActRequest): Promise<unknown> }

export function createToolMessaging({ turn, channels, isDeliverable, config }: ToolMessagingDeps): Messaging {
  const here = turn.route.replyTo;
  const unbound = !isDeliverable(here.channel) && !isForeign(turn.errand);

  async function send({ target, channel, accountId, threadId, runId, dryRun, signal, ...what }: MessageSendRequest): Promise<MessageSent> {
    const address = addressOf({ target, channel, accountId, threadId });
    const mark = crossing({ here, to: address, config: config(), unbound });
    const text = what.text?.trim() ? `${mark}${what.text}` : what.text;
    if (dryRun) return { address, text: text ?? '', messageIds: [] };
    const sent = await channels().send({ ...what, text, address, to: '', runId, fromSession: turn.route.sessionKey, signal });
    return { address, text: text ?? '', messageIds: sent.messageIds };
  }

  /** The chat named; this one where none is and no other channel is meant. */
  function addressOf({ target, channel, accountId, threadId }: Pick<MessageSendRequest, 'target' | 'channel' | 'accountId' | 'threadId'>): ChatAddress {
    const name = channel?.trim().toLowerCase() || (unbound || namesChannel(target, isDeliverable) ? undefined : here.channel);
    const stays = !unbound && name === here.channel;
    if (target === undefined && stays) return sameChat(here, { accountId, threadId });
    if (target === undefined) throw new AppError('invalid', 'send needs target: the chat to write to.');
    return channels().resolve({ to: target, channel: name, accountId: accountId ?? (stays ? here.accountId : undefined), threadId });
  }

  async function act({ action, channel, accountId, parameters, signal }: MessageActRequest): Promise<unknown> {
    const target = targetIn(parameters);
    const name = channel?.trim().toLowerCase() || undefined;
    if (target !== undefined) crossing({ here, to: addressOf({ target, channel, accountId, threadId: undefined }), config: config(), unbound });
    else if (name !== undefined || accountId !== undefined) crossing({ here, to: { channel: name ?? here.channel, ...(accountId === undefined ? {} : { accountId: normaliseAccountId(accountId) }) }, config: config(), unbound });
    stayInside({ here, config: config(), unbound, parameters });
    return channels().act({ action, channel: name ?? (unbound ? undefined : here.channel), accountId, parameters, signal, ...(unbound ? {} : { here }) });
  }

  return { send, act };
}
