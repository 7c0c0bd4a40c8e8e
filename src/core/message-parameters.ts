/** The parameters of the `message` tool and of `clawdbot message`, the same on every channel. */

/** One parameter: its kind of value, its help text, and whether every message accepts it. */
export interface MessageParameter {
  readonly kind: 'text' | 'number' | 'flag' | 'list';
  /** What it means, in a few words. */
  readonly help: string;
  /** Every message can have it; the others belong to the actions that name them. */
  readonly always?: true;
}

/** A `ChannelAction` that takes one of these need not describe it again: an empty description stands for this one. */
export const MESSAGE_PARAMETERS = {
  channel: { kind: 'text', help: 'Channel to use; absent: this one, or the only configured one', always: true },
  accountId: { kind: 'text', help: 'Account of the channel, if it has several', always: true },
  target: { kind: 'text', help: 'Chat to write to or act in; absent: this chat', always: true },
  targets: { kind: 'list', help: 'Several chats that get the same message', always: true },
  message: { kind: 'text', help: 'Text, Markdown', always: true },
  mediaUrl: { kind: 'text', help: 'File to attach: a path you may read, or a public https URL', always: true },
  mediaUrls: { kind: 'list', help: 'Several files to attach', always: true },
  filename: { kind: 'text', help: 'File name shown to the recipient', always: true },
  asVoice: { kind: 'flag', help: 'Send a recording as a voice note', always: true },
  replyTo: { kind: 'text', help: 'Id of the message to reply to', always: true },
  threadId: { kind: 'text', help: 'Thread or topic inside the chat', always: true },
  dryRun: { kind: 'flag', help: 'Only report the target, send nothing', always: true },
  messageId: { kind: 'text', help: 'Message id' },
  emoji: { kind: 'text', help: 'Emoji; empty removes all reactions of the bot' },
  remove: { kind: 'flag', help: 'Remove the reaction' },
  pollQuestion: { kind: 'text', help: 'Question of the poll' },
  pollOption: { kind: 'list', help: 'Answers to choose from' },
  pollMulti: { kind: 'flag', help: 'Allow more than one choice' },
  pollDurationHours: { kind: 'number', help: 'Hours the poll stays open' },
  limit: { kind: 'number', help: 'Maximum number of results' },
  before: { kind: 'text', help: 'Only messages before this id' },
  after: { kind: 'text', help: 'Only messages after this id' },
  around: { kind: 'text', help: 'Messages around this id' },
  query: { kind: 'text', help: 'Search text' },
  name: { kind: 'text', help: 'Name of the item to create or change' },
  userId: { kind: 'text', help: 'Id of the person on the channel' },
  roleId: { kind: 'text', help: 'Role id' },
  reason: { kind: 'text', help: 'Reason for the audit log of the platform' },
  buttons: { kind: 'text', help: 'Rows of buttons as JSON: [[{"text":"Yes","data":"yes"}]]' },
} as const satisfies Record<string, MessageParameter>;

/** A parameter of the `message` tool, as models write it. */
export type MessageParameterName = keyof typeof MESSAGE_PARAMETERS;

/** What a parameter means; undefined for one that only a channel knows. */
export const messageParameter = (name: string): MessageParameter | undefined =>
  Object.hasOwn(MESSAGE_PARAMETERS, name) ? MESSAGE_PARAMETERS[name as MessageParameterName] : undefined;

/** Numbers count: models write ids as numbers. */
export const parameterText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : typeof value === 'number'
      ? String(value)
      : undefined;

/** The chat the parameters name. */
export const targetIn = (parameters: Readonly<Record<string, unknown>>): string | undefined =>
  parameterText(parameters['target']) ?? parameterText(parameters['to']);
