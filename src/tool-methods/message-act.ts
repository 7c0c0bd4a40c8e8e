/** Performs an action of the `message` tool: found, checked against the requester's rights, and run by the channel. */
import type { Verb } from '../core/access-table.ts';
import { actsForOwner, sendersOf, type Authority } from '../core/authority.ts';
import { AppError } from '../core/errors.ts';
import type { Ownership } from '../core/may.ts';
import { targetIn } from '../core/message-parameters.ts';
import type { MessageActRequest } from '../core/message-tool.ts';
import { present } from '../core/present.ts';
import { normaliseAccountId } from '../core/session-key.ts';
import type { MessageToolConfig } from '../config/message-tool-config.ts';
import type { ChannelService, ResolvedAction } from '../host/channel-services.ts';
import { assertSameChat } from '../host/message-guard.ts';
import type { MessageScope } from './message-scope.ts';

export interface MessageActDeps {
  readonly authority: Authority;
  readonly channels: Pick<ChannelService, 'lookup' | 'act'>;
  config(): MessageToolConfig;
}

export function createMessageAct(
  { authority, channels, config }: MessageActDeps,
  { here, unbound, requireAccess, crossChatMarker, addressOf }: MessageScope,
): (params: MessageActRequest) => Promise<unknown> {
  /** Rejects where the action names a place it may not leave this chat for. */
  function assertPlaceAllowed({ channel, accountId, parameters }: MessageActRequest): void {
    const target = targetIn(parameters);
    const name = nameOf(channel);
    if (target !== undefined) crossChatMarker(addressOf({ target, channel, accountId, threadId: undefined }));
    else if (name !== undefined || accountId !== undefined)
      crossChatMarker(
        present({
          channel: name ?? here.channel,
          accountId: accountId !== undefined ? normaliseAccountId(accountId) : undefined,
        }),
      );
    assertSameChat({ here, config: config(), unbound, parameters });
  }

  /** The platform is asked what these people may there; nobody in particular may nothing. */
  function requesters({ asksPlatform }: ResolvedAction): readonly string[] {
    const ids = sendersOf(authority);
    if (asksPlatform && ids.length === 0)
      throw new AppError('denied', 'The requester is unknown, so their rights cannot be checked.');
    return ids;
  }

  return async (requested) => {
    assertPlaceAllowed(requested);
    const { action, channel, accountId, parameters, signal } = requested;
    const request = {
      action,
      channel: nameOf(channel) ?? (unbound ? undefined : here.channel),
      accountId,
      parameters,
      ...present({ here: unbound ? undefined : here }),
    };
    const resolved = channels.lookup(request);
    requireAccess(verbOf(resolved), addressOfAction(resolved, parameters), `${action} was not done.`);
    return channels.act({
      ...request,
      signal,
      ...present({
        requestedBy: sendersOf(authority).length > 0 ? sendersOf(authority) : undefined,
        requesters:
          actsForOwner(authority) || authority.requester.kind === 'operator' ? undefined : requesters(resolved),
      }),
    });
  };
}

const nameOf = (channel: string | undefined): string | undefined => channel?.trim().toLowerCase() || undefined;

const verbOf = ({ readOnly, moderates }: ResolvedAction): Verb => (moderates ? 'moderate' : readOnly ? 'read' : 'act');

/** What goes beyond one chat belongs to none. */
function addressOfAction(
  { reach, to, channel }: ResolvedAction,
  parameters: Readonly<Record<string, unknown>>,
): Ownership['address'] {
  const thread = parameters['threadId'];
  const threadId =
    typeof thread === 'number'
      ? String(thread)
      : typeof thread === 'string' && thread.trim() !== ''
        ? thread.trim()
        : to?.threadId;
  return reach === 'chat' && to ? { ...to, ...present({ threadId }) } : { channel };
}
