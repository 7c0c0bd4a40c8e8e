/** Runs an action: resolves its channel or server and calls the handler. */
import { AppError, type ActionCall } from '../../sdk/index.ts';
import { guildHandlers } from './act-guild.ts';
import { inputOf, wrong } from './act-input.ts';
import { messageHandlers } from './act-messages.ts';
import { guildOf, type ActDeps, type Handler } from './acting.ts';

export function createActing(deps: ActDeps): (action: string, call: ActionCall) => Promise<unknown> {
  const handlers: Readonly<Record<string, Handler>> = { ...messageHandlers, ...guildHandlers };
  return async (name, action) => {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (!handler) throw new AppError('unsupported', `Discord does not support the action ${name}.`);
    const input = inputOf(action.parameters);
    const channel = async (): Promise<string> => {
      if (!action.to) throw wrong('target', 'is required: the id of the channel');
      return deps.sending.channelOf(action.to);
    };
    return handler({ ...deps, input, action, channel, guild: () => guildOf({ ...deps, input, action, channel }) });
  };
}
