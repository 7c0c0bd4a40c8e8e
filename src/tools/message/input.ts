/**
 * The parameters of `message` as one flat object, out of the channels there are: nothing that no channel can do is
 * offered. Pure.
 */
import { z } from 'zod';
import {
  MESSAGE_PARAMETERS,
  messageParameter,
  parameterHelp,
  type MessageParameter,
  type ReachableAction,
  type ReachableChannel,
} from '../../sdk/messaging.ts';

/** What the schema lets through; parameters only a channel knows come as text. */
export interface MessageInput {
  /** Absent: send. */
  readonly action?: string;
  readonly channel?: string;
  readonly accountId?: string;
  readonly target?: string;
  readonly targets?: readonly string[];
  readonly message?: string;
  readonly mediaUrl?: string;
  readonly mediaUrls?: readonly string[];
  /** As a channel's own action may call it. */
  readonly media?: string;
  /** The same, as other tools of the family write it. */
  readonly attachments?: readonly { readonly media: string }[];
  readonly filename?: string;
  readonly asVoice?: boolean;
  readonly replyTo?: string;
  readonly threadId?: string;
  readonly dryRun?: boolean;
  readonly [parameter: string]: unknown;
}

export const SEND = 'send';

export function messageInput(channels: readonly ReachableChannel[]): z.ZodType<MessageInput> {
  const actions = actionsOf(channels);
  const named = new Map<string, ReachableAction>(
    actions.flatMap(({ action }) => Object.keys(action.parameters).map((name) => [name, action] as const)),
  );
  const always = Object.entries<MessageParameter>(MESSAGE_PARAMETERS).flatMap(([name, parameter]) =>
    parameter.always && (channels.length > 0 || ALONE.has(name)) ? [[name, leaf(parameter)] as const] : [],
  );
  const shape = {
    action: z
      .enum([SEND, ...actions.map(({ action }) => action.name)])
      .optional()
      .describe(manual(channels)),
    ...Object.fromEntries(always),
    attachments: z
      .array(z.object({ media: z.string().describe('A path you may read, or a public https URL') }))
      .optional()
      .describe('Several files to attach'),
    ...Object.fromEntries(
      [...named].flatMap(([name, action]) =>
        messageParameter(name)?.always || name === 'action'
          ? []
          : [[name, leaf(messageParameter(name) ?? { kind: 'text', help: parameterHelp(action, name) })]],
      ),
    ),
  };
  return z.object(shape) as unknown as z.ZodType<MessageInput>;
}

/** Without a channel there is one chat, and nothing in it to point at; who names another one is told. */
const ALONE: ReadonlySet<string> = new Set(['channel', 'target', 'message', 'mediaUrl', 'mediaUrls', 'filename']);

function leaf({ kind, help }: MessageParameter): z.ZodType {
  const type = {
    text: () => z.string(),
    number: () => z.number(),
    flag: () => z.boolean(),
    list: () => z.array(z.string()),
  }[kind]();
  return type.optional().describe(help);
}

interface Offered {
  readonly action: ReachableAction;
  readonly on: readonly string[];
}

/** By name, with the channels that have it. */
function actionsOf(channels: readonly ReachableChannel[]): readonly Offered[] {
  const found = new Map<string, Offered>();
  for (const { id, actions } of channels) {
    for (const action of actions) {
      const known = found.get(action.name);
      if (action.name !== SEND)
        found.set(action.name, { action: known?.action ?? action, on: [...(known?.on ?? []), id] });
    }
  }
  return [...found.values()];
}

/** `react: React to a message (messageId*, emoji, remove)`; a star marks what it cannot do without. */
function manual(channels: readonly ReachableChannel[]): string {
  const lines = actionsOf(channels).map(({ action, on }) => {
    const parameters = Object.keys(action.parameters)
      .map((name) => `${name}${action.required?.includes(name) ? '*' : ''}`)
      .join(', ');
    return (
      `${action.name}: ` +
      `${action.summary}${parameters ? ` (${parameters})` : ''}${on.length < channels.length ? ` [only ${on.join(', ')}]` : ''}`
    );
  });
  return [`${SEND}: write a message (message or mediaUrl*; what it does when absent)`, ...lines].join('; ');
}
