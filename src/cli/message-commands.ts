/** The rows of `clawdbot message …`: sending and channel actions from scripts. */
import { present } from '../core/present.ts';
import type { Command, Option } from './command.ts';
import { flag, number, text } from './options.ts';

const list = (value: string, help: string): Option => ({
  kind: 'list',
  value,
  help: `${help} Can be repeated.`,
});

const where = {
  channel: text('<id>', 'Channel id. Not needed if only one channel is configured.'),
  account: text('<id>', 'Account id. Default: the default account.'),
  to: text('<target>', 'Target chat in the format of the channel: a number, `user:<id>`, `channel:<id>` …'),
  thread: text('<id>', 'Thread or topic id in the chat.'),
};
const end = {
  json: flag('Print only JSON.'),
  url: text('<url>', 'Gateway URL. Default: the gateway in the configuration.'),
  token: text('<token>', 'Gateway token. Default: from the environment or the configuration.'),
};
const needed = (option: Option): Option => ({ ...option, required: true });
const messageId = { 'message-id': needed(text('<id>', 'Message id.')) };
const page = {
  limit: number('<n>', 'Maximum number of results.'),
  before: text('<id>', 'Only messages before this one.'),
  after: text('<id>', 'Only messages after this one.'),
};
const param = { param: list('<name=value>', 'A parameter of the action, e.g. `userId=1`.') };

/** The channels of this installation as the choices of `--channel`; for help, since the gateway knows best. */
const choices: Command['more'] = async (env) => {
  const { channel } = await (await import('./channel-registry.ts')).channelOptions(env);
  return { channel: { ...where.channel, ...present({ value: channel?.value }) } };
};

const run = async (name: 'messageSend' | 'messagePoll' | 'messageAct'): Promise<Awaited<ReturnType<Command['load']>>> =>
  (await import('./commands/message.ts'))[name];

/** Does what its last word says, with whatever the channel offers under that name. */
const action = (name: string, summary: string, options: Readonly<Record<string, Option>>): Command => ({
  name: `message ${name}`,
  summary,
  options: { ...where, ...options, ...param, ...end },
  load: async () => {
    const act = (await import('./commands/message.ts')).messageAct;
    return (call) => act({ ...call, args: [name.replaceAll(' ', '-')] });
  },
});

const rows: readonly Command[] = [
  {
    name: 'message send',
    summary: 'Send a text, a file or both to a chat.',
    examples: [
      'message send --to 4711 --message "Backup done."',
      'message send --channel discord --to channel:99 --message Report --media report.pdf',
    ],
    options: {
      ...where,
      to: needed(where.to),
      message: text('<text>', 'Text in Markdown; `-` reads it from standard input.'),
      media: list('<file|address>', 'File on this machine or an https URL.'),
      'reply-to': text('<id>', 'Id of the message to reply to.'),
      voice: flag('Send a recording as a voice note.'),
      session: text('<key>', 'Session whose transcript records the message. Default: the session of the chat.'),
      key: text('<key>', 'Idempotency key: the same key is sent only once.'),
      'dry-run': flag('Print the request without sending it.'),
      ...end,
    },
    load: () => run('messageSend'),
  },
  {
    name: 'message poll',
    summary: 'Send a poll.',
    options: {
      ...where,
      to: needed(where.to),
      question: needed(text('<text>', 'The question.')),
      option: { ...list('<text>', 'An option of the poll.'), required: true },
      multi: flag('Allow more than one choice.'),
      hours: number('<n>', 'Hours the poll stays open.'),
      key: text('<key>', 'Idempotency key: the same key is sent only once.'),
      ...end,
    },
    load: () => run('messagePoll'),
  },
  action('react', 'React to a message.', {
    ...messageId,
    emoji: text('<emoji>', 'Emoji; an empty value removes all reactions of the bot.'),
    remove: flag('Remove the reaction.'),
  }),
  action('edit', 'Edit a message the bot sent.', { ...messageId, message: needed(text('<text>', 'The new text.')) }),
  action('delete', 'Delete a message.', messageId),
  action('read', 'Read the newest messages of a chat, if the platform allows bots to read.', {
    ...page,
    around: text('<id>', 'Only messages around this one.'),
  }),
  action('search', 'Search messages.', { query: needed(text('<text>', 'Search text.')), limit: page.limit }),
  action('pin', 'Pin a message.', messageId),
  action('unpin', 'Unpin a message.', messageId),
  action('pins', 'List the pinned messages of a chat.', { limit: page.limit }),
  action('reactions', 'List the reactions to a message.', { ...messageId, limit: page.limit }),
  action('thread create', 'Create a thread.', {
    'message-id': text('<id>', 'Message to start the thread from.'),
    name: needed(text('<text>', 'Name of the thread.')),
    message: text('<text>', 'First message of the thread.'),
  }),
  action('thread list', 'List the threads of a chat.', page),
  {
    name: 'message action',
    summary: 'Run any action of a channel; `channels capabilities` lists them.',
    args: [{ name: 'action', help: 'Action name, for example `sticker` or `member-info`.' }],
    options: { ...where, ...param, ...end },
    load: () => run('messageAct'),
  },
];

export const messageCommands: readonly Command[] = rows.map((row) => ({ ...row, more: choices }));
