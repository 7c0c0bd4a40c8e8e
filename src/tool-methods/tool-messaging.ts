/** Serves the `message` tool: sends and actions within the rights of the requester. */
import type { ChatAddress } from '../core/message.ts';
import type { MessageActRequest, MessageSent, MessageSendRequest } from '../core/message-tool.ts';
import { present } from '../core/present.ts';
import type { ChannelService } from '../host/channel-services.ts';
import type { KeepFiles } from '../pipeline/outbound/keep-files.ts';
import { publicUrl } from '../pipeline/outbound/reply-media.ts';
import { createMessageAct } from './message-act.ts';
import { createMessageScope, type MessageScopeDeps } from './message-scope.ts';
import { createSentFiles, staysInOutbox } from './sent-files.ts';

export interface ToolMessagingDeps extends MessageScopeDeps {
  readonly channels: ChannelService;
  /** For people at the product's own chat, which shows the result of the tool. */
  keepFiles: KeepFiles['all'];
  /** What the turn sent in an earlier run. */
  sentBefore(turnId: string): Promise<readonly MessageSent[]>;
}

/** The one asking is our own tool, whose arguments the loop has checked. */
interface Messaging {
  send(params: MessageSendRequest): Promise<MessageSent>;
  act(params: MessageActRequest): Promise<unknown>;
}

export function createToolMessaging(deps: ToolMessagingDeps): Messaging {
  const { turn, channels, config } = deps;
  const scope = createMessageScope(deps);
  const sentFiles = createSentFiles(() => deps.sentBefore(turn.id));

  async function send({
    target,
    channel,
    accountId,
    threadId,
    runId,
    dryRun,
    signal,
    as,
    ...what
  }: MessageSendRequest): Promise<MessageSent> {
    const address = scope.addressOf({ target, channel, accountId, threadId });
    scope.requireAccess('send', address, 'It was not sent.');
    if (as !== undefined) assertActionAllowed(as, address);
    const mark = scope.crossChatMarker(address);
    const text = what.text?.trim() ? `${mark}${what.text}` : what.text;
    const media = await Promise.all(
      (what.media ?? []).map((file) =>
        file.from === 'url' ? publicUrl(file.url).then(({ url }) => ({ ...file, url })) : file,
      ),
    );
    if (dryRun) return { address, text: text ?? '', messageIds: [] };
    return sentFiles.oneByOne(address, () => post({ ...what, media, text, runId, signal }, address));
  }

  /** Rejects where the owner turned the action off that it stands for. */
  function assertActionAllowed(action: string, { channel, accountId, chat, threadId = chat.id }: ChatAddress): void {
    channels.lookup({ action, channel, accountId, parameters: { threadId } });
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
    if (scope.unbound && address === scope.here) {
      const kept = await deps.keepFiles(media, files, turn.route.sessionKey);
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

  return { send, act: createMessageAct({ authority: turn.authority, channels, config }, scope) };
}
