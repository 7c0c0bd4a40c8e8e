/** What the `message` tool asks of the gateway: a send, an action; as far as whoever asked for it may reach. */
import type { MessageToolConfig } from '../config/message-tool-config.ts';
import type { Opening, Verb } from '../core/access-table.ts';
import { actsForOwner, sendersOf } from '../core/authority.ts';
import { AppError } from '../core/errors.ts';
import { insist, may, type Belongs, type KeepVerdict } from '../core/may.ts';
import type { ChatAddress } from '../core/message.ts';
import { targetIn } from '../core/message-parameters.ts';
import type { MessageActRequest, MessageSent, MessageSendRequest } from '../core/message-tool.ts';
import { normaliseAccountId } from '../core/session-key.ts';
import type { Turn } from '../core/turn.ts';
import type { ChannelService, LookedUpAction } from '../host/channel-services.ts';
import type { KeepFiles } from '../pipeline/outbound/keep-files.ts';
import { publicUrl } from '../pipeline/outbound/reply-media.ts';
import { sameChat } from '../host/delivery-target.ts';
import { crossing, namesChannel, stayInside } from '../host/message-guard.ts';
import { openChats } from '../agent/toolbox/opened.ts';
import { present } from '../core/present.ts';
import { createSentFiles, staysInOutbox } from './sent-files.ts';

export interface ToolMessagingDeps {
  readonly turn: Turn;
  readonly channels: ChannelService;
  isDeliverable(channel: string): boolean;
  /** For people at the product's own chat, which shows the result of the tool. */
  keepFiles: KeepFiles['all'];
  config(): MessageToolConfig;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  keep?: KeepVerdict | undefined;
  /** What the turn sent in an earlier run. */
  sentBefore(turnId: string): Promise<readonly MessageSent[]>;
}

/** The one asking is our own tool, whose arguments the loop has checked. */
interface Messaging {
  send(params: MessageSendRequest): Promise<MessageSent>;
  act(params: MessageActRequest): Promise<unknown>;
}

export function createToolMessaging({
  turn,
  channels,
  isDeliverable,
  keepFiles,
  config,
  open,
  keep,
  sentBefore,
}: ToolMessagingDeps): Messaging {
  const here = turn.route.replyTo;
  const { authority } = turn;
  // The product's own surface is no chat of a channel: who speaks there is bound to none.
  const unbound = !isDeliverable(here.channel);
  const sentFiles = createSentFiles(() => sentBefore(turn.id));

  function reach(verb: Verb, address: Belongs['address'], what: string): void {
    const verdict = may(authority, verb, { kind: 'conversation', of: { address } }, openChats(open(), config()));
    insist(verdict, what);
    keep?.(turn, verdict);
  }

  async function send({
    target,
    channel,
    accountId,
    threadId,
    runId,
    dryRun,
    signal,
    ...what
  }: MessageSendRequest): Promise<MessageSent> {
    const address = addressOf({ target, channel, accountId, threadId });
    reach('send', address, 'It was not sent.');
    const mark = crossing({ here, to: address, config: config(), unbound });
    const text = what.text?.trim() ? `${mark}${what.text}` : what.text;
    const media = await Promise.all(
      (what.media ?? []).map((file) =>
        file.from === 'url' ? publicUrl(file.url).then(({ url }) => ({ ...file, url })) : file,
      ),
    );
    if (dryRun) return { address, text: text ?? '', messageIds: [] };
    return sentFiles.oneByOne(address, () => post({ ...what, media, text, runId, signal }, address));
  }

  async function post(
    { text, ...request }: Omit<MessageSendRequest, 'target'>,
    address: ChatAddress,
  ): Promise<MessageSent> {
    const { media = [], files = [], marks, repeated } = sentFiles.unsent(address, request);
    const outcome = present({
      address,
      text: text ?? '',
      media: marks.length > 0 ? marks : undefined,
      repeated: repeated.length > 0 ? repeated : undefined,
    });
    // Words that only came with these files came with them before.
    if (repeated.length > 0 && marks.length === 0 && (!text?.trim() || sentFiles.said(address, text)))
      return { ...outcome, text: '', messageIds: [] };
    if (unbound && address === here) {
      const kept = await keepFiles(media, files, turn.route.sessionKey);
      request.signal.throwIfAborted();
      const shown = { ...outcome, messageIds: [], files: kept };
      sentFiles.add(shown);
      return shown;
    }
    try {
      const sent = {
        ...outcome,
        messageIds: (
          await channels.send({ ...request, media, files, text, address, to: '', fromSession: turn.route.sessionKey })
        ).messageIds,
      };
      sentFiles.add(sent);
      return sent;
    } catch (error) {
      if (staysInOutbox(error)) sentFiles.add({ ...outcome, messageIds: [] });
      throw error;
    }
  }

  /** The chat named; this one where none is and no other channel is meant. By its own name too, at our own surface. */
  function addressOf({
    target,
    channel,
    accountId,
    threadId,
  }: Pick<MessageSendRequest, 'target' | 'channel' | 'accountId' | 'threadId'>): ChatAddress {
    const name =
      channel?.trim().toLowerCase() || (unbound || namesChannel(target, isDeliverable) ? undefined : here.channel);
    const own = unbound && (name === undefined || name === here.channel);
    if (own && (target === undefined || target === here.chat.id)) return here;
    const stays = !unbound && name === here.channel;
    if (target === undefined && stays) return sameChat(here, { accountId, threadId });
    if (target === undefined) throw new AppError('invalid', 'send needs target: the chat to write to.');
    return channels.resolve({
      to: target,
      channel: name,
      accountId: accountId ?? (stays ? here.accountId : undefined),
      threadId,
    });
  }

  async function act({ action, channel, accountId, parameters, signal }: MessageActRequest): Promise<unknown> {
    const target = targetIn(parameters);
    const name = channel?.trim().toLowerCase() || undefined;
    if (target !== undefined)
      crossing({ here, to: addressOf({ target, channel, accountId, threadId: undefined }), config: config(), unbound });
    else if (name !== undefined || accountId !== undefined)
      crossing({
        here,
        to: present({
          channel: name ?? here.channel,
          accountId: accountId !== undefined ? normaliseAccountId(accountId) : undefined,
        }),
        config: config(),
        unbound,
      });
    stayInside({ here, config: config(), unbound, parameters });
    const request = {
      action,
      channel: name ?? (unbound ? undefined : here.channel),
      accountId,
      parameters,
      ...present({ here: unbound ? undefined : here }),
    };
    const looked = channels.lookUp(request);
    reach(verbOf(looked), reachOf(looked, parameters), `${action} was not done.`);
    return channels.act({
      ...request,
      signal,
      ...present({
        requesters: actsForOwner(authority) || authority.requester.kind === 'operator' ? undefined : requesters(looked),
      }),
    });
  }

  /** The platform is asked what these people may there; nobody in particular may nothing. */
  function requesters({ moderates }: LookedUpAction): readonly string[] {
    const ids = sendersOf(authority);
    if (moderates && ids.length === 0)
      throw new AppError('denied', 'Nobody can be found who asked for it, so nobody can be asked for their rights.');
    return ids;
  }

  return { send, act };
}

const verbOf = ({ readOnly, moderates }: LookedUpAction): Verb => (moderates ? 'moderate' : readOnly ? 'read' : 'act');

/** What goes beyond one chat belongs to none. */
function reachOf(
  { reach, to, channel }: LookedUpAction,
  parameters: Readonly<Record<string, unknown>>,
): Belongs['address'] {
  const thread = parameters['threadId'];
  const threadId =
    typeof thread === 'number'
      ? String(thread)
      : typeof thread === 'string' && thread.trim() !== ''
        ? thread.trim()
        : to?.threadId;
  return reach === 'chat' && to ? { ...to, ...present({ threadId }) } : { channel };
}
