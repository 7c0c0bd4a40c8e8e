/** The actions of a channel beyond sending, from what its plugin declares and its settings allow. Pure. */
import type { ChannelAction, ChannelCapabilities, ChannelPlugin } from './channel.ts';
import { messageParameter } from './message-parameters.ts';

/** A channel's action as an account offers it, switched off ones included. */
export interface OfferedAction extends ChannelAction {
  readonly enabled: boolean;
  /** Nobody but the core carries it out: by a method of the connection, not by `act`. */
  readonly generic?: true;
}

interface Generic extends ChannelAction {
  has(capabilities: ChannelCapabilities): boolean;
}

/**
 * What a channel can by its capabilities alone. An action of the plugin's own takes the place of the one of that name.
 */
const GENERIC: readonly Generic[] = [
  {
    name: 'poll',
    summary: 'Send a poll',
    gate: 'polls',
    reach: 'chat',
    parameters: { target: '', threadId: '', pollQuestion: '', pollOption: '', pollMulti: '', pollDurationHours: '' },
    required: ['pollQuestion', 'pollOption'],
    // Where the platform has none the answers are numbered in a message.
    has: ({ deliverable }) => deliverable,
  },
  {
    name: 'react',
    summary: 'React to a message with an emoji',
    gate: 'reactions',
    reach: 'chat',
    parameters: { target: '', messageId: '', emoji: '', remove: '' },
    required: ['messageId'],
    has: ({ react }) => react,
  },
  {
    name: 'edit',
    summary: 'Edit a message of the bot',
    gate: 'messages',
    reach: 'chat',
    parameters: { target: '', messageId: '', message: '' },
    required: ['messageId', 'message'],
    has: ({ edit }) => edit,
  },
  {
    name: 'delete',
    summary: 'Delete a message of the bot',
    gate: 'messages',
    reach: 'chat',
    parameters: { target: '', messageId: '' },
    required: ['messageId'],
    has: ({ remove }) => remove === true,
  },
];

/** `gates`: `channels.<id>.actions` of one account. */
export function offeredActions(
  plugin: Pick<ChannelPlugin, 'actions' | 'capabilities'>,
  gates: Readonly<Record<string, boolean>>,
): readonly OfferedAction[] {
  const own = plugin.actions ?? [];
  const generic = GENERIC.filter(
    ({ name, has }) => has(plugin.capabilities) && !own.some((action) => action.name === name),
  );
  return [
    ...generic.map(
      ({ has: _has, ...action }): OfferedAction => ({ ...action, enabled: isOn(action, gates), generic: true }),
    ),
    ...own.map((action): OfferedAction => ({ ...action, enabled: isOn(action, gates) })),
  ];
}

const isOn = ({ gate, offByDefault }: ChannelAction, gates: Readonly<Record<string, boolean>>): boolean =>
  (gate === undefined ? undefined : gates[gate]) ?? offByDefault !== true;

/** What a parameter of an action means: in the channel's words, else in everybody's. */
export const parameterHelp = ({ parameters }: Pick<ChannelAction, 'parameters'>, name: string): string =>
  parameters[name] || messageParameter(name)?.help || name;
