/**
 * Runs an action: resolves its channel or server, calls the handler, waits where Discord asks to, and names the
 * permission the bot lacks.
 */
import { AppError, head, type ActionCall } from '../../sdk/index.ts';
import { guildHandlers } from './act-guild.ts';
import { inputOf, wrong, type Input } from './act-input.ts';
import { manageHandlers } from './act-manage.ts';
import { messageHandlers } from './act-messages.ts';
import { postHandlers } from './act-post.ts';
import { guildOf, type ActDeps, type Acting, type Handler } from './acting.ts';
import { discordActions } from './actions.ts';
import { explainRefusal } from './missing-permissions.ts';
import { createVisibility } from './visibility.ts';
import { waitingCalls } from './rate-limited.ts';

/** What Discord's audit log takes. */
const LONGEST_REASON = 512;

const handlers: Readonly<Record<string, Handler>> = {
  ...messageHandlers,
  ...postHandlers,
  ...guildHandlers,
  ...manageHandlers,
};

export function createActing(deps: ActDeps): (action: string, call: ActionCall) => Promise<unknown> {
  return async (name, action) => {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (!handler) throw new AppError('unsupported', `Discord does not support the action ${name}.`);
    const act = actingOn(deps, action);
    try {
      return await handler(act);
    } catch (error) {
      throw await explainRefusal(error, { act, action: discordActions.find((one) => one.name === name)! });
    }
  };
}

function actingOn(deps: ActDeps, action: ActionCall): Acting {
  const input = inputOf(action.parameters);
  const channel = async (): Promise<string> => {
    if (!action.to) throw wrong('target', 'is required: the id of the channel');
    return deps.sending.channelOf(action.to);
  };
  const call = waitingCalls(deps.call, action.signal);
  const visibility = createVisibility({ call, signal: action.signal });
  return {
    ...deps,
    call,
    input,
    action,
    channel,
    guild: () => guildOf({ ...deps, input, action, channel }),
    reason: reasonOf(input, action),
    visible: async (channelIds, needs) =>
      action.requesters === undefined ? new Set(channelIds) : visibility.visible(action.requesters, channelIds, needs),
  };
}

function reasonOf(input: Input, { requestedBy = [] }: ActionCall): string {
  const who = requestedBy.length > 0 ? `asked by ${requestedBy.join(', ')}` : 'asked at the gateway';
  const why = input.optional('reason')?.trim();
  const tail = head(why ? ` (${who})` : who, LONGEST_REASON);
  return `${head(why ?? '', LONGEST_REASON - tail.length)}${tail}`;
}
