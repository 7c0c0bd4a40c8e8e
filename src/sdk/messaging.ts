/** The interface of the `message` tool: the channels, their actions, and the calls between tool and gateway. */
export { offeredActions, parameterHelp } from '../core/channel-actions.ts';
export type { ReachableAction, ReachableChannel } from '../core/reachable-channel.ts';
export { MESSAGE_PARAMETERS, messageParameter, type MessageParameter } from '../core/message-parameters.ts';
export {
  MESSAGE_TOOL,
  type MessageActRequest,
  type MessageDetails,
  type MessageSendRequest,
  type MessageSent,
} from '../core/message-tool.ts';
export { isSilent } from '../core/reply.ts';
