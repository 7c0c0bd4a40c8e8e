/** The rows of `clawdbot message …`: writing and acting on channels from scripts. */
import type { Command, Option } from './command.ts';
import { flag, number, text } from './options.ts';

const list = (value: string, help: string): Option => ({
  kind: 'list',
  value,
  help: `${help} Can be given several times.`,
});

const where = {
  channel: text('<id>', 'Channel; not needed while only one is configured.'),
  account: text('<id>', 'Account of the channel; the default one by default.'),
  to: text('<target>', 'Chat, as the channel spells it: a number, `user:<id>`, `channel:<id>` …'),
  thread: text('<id>', 'Thread or topic inside the chat.'),
};
const end = {
  json: flag('Print JSON and nothing else.'),
  url: text('<url>', 'Gateway to talk to. Default: the one the configuration describes.'),
  token: text('<token>', 'Its token. Default: from the environment or the configuration.'),
};
const needed = (option: Option): Option => ({ ...option, required: true });
const messageId = { 'message-id': needed(text('<id>', 'Message that is meant.')) };
const page = {
  limit: number('<n>', 'At most so many.'),
  before: text('<id>', 'Only messages before this one.'),
  after: text('<id>', 'Only messages after this one.'),
};
const param = { param: list('<name=value>', 'A parameter of the action, e.g. `userId=1`.') };

/** The channels of this installation as the choices of `--channel`; for help, since the gateway knows best. */
const choices: Command['more'] = async (env) => {
  const { channel } = await (await import('./channel-registry.ts')).channelOptions(env);
  return { channel: { ...where.channel, ...(channel?.value === undefined ? {} : { value: channel.value }) } };
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
      message: text('<text>', 'What to say, Markdown; `-` reads it from standard input.'),
      media: list('<file|address>', 'A file of this machine or an https address.'),
      'reply-to': text('<id>', 'Message it answers.'),
      voice: flag('Send a recording as a voice note.'),
      session: text('<key>', 'Session that notes what was sent; by default the one of the chat.'),
      key: text('<key>', 'The same key again sends nothing again.'),
      'dry-run': flag('Only print what would be asked of the gateway.'),
      ...end,
    },
    load: () => run('messageSend'),
  },
  {
    name: 'message poll',
    summary: 'Ask a question with answers to choose from.',
    options: {
      ...where,
      to: needed(where.to),
      question: needed(text('<text>', 'The question.')),
      option: { ...list('<text>', 'An answer.'), required: true },
      multi: flag('More than one answer may be chosen.'),
      hours: number('<n>', 'Hours it stays open.'),
      key: text('<key>', 'The same key again asks nothing again.'),
      ...end,
    },
    load: () => run('messagePoll'),
  },
  action('react', 'React to a message.', {
    ...messageId,
    emoji: text('<emoji>', 'The emoji; empty takes away all of ours.'),
    remove: flag('Take the reaction away.'),
  }),
  action('edit', 'Change a message of ours.', { ...messageId, message: needed(text('<text>', 'The new text.')) }),
  action('delete', 'Take a message back.', messageId),
  action('read', 'The newest messages of a chat, where the platform lets a bot read.', {
    ...page,
    around: text('<id>', 'Messages around this one.'),
  }),
  action('search', 'Look for messages.', { query: needed(text('<text>', 'What to look for.')), limit: page.limit }),
  action('pin', 'Pin a message.', messageId),
  action('unpin', 'Unpin a message.', messageId),
  action('pins', 'The pinned messages of a chat.', { limit: page.limit }),
  action('reactions', 'Who reacted to a message.', { ...messageId, limit: page.limit }),
  action('thread create', 'Open a thread.', {
    'message-id': text('<id>', 'Message it hangs on.'),
    name: needed(text('<text>', 'Its name.')),
    message: text('<text>', 'Its first message.'),
  }),
  action('thread list', 'The threads of a chat.', page),
  {
    name: 'message action',
    summary: 'Do any action of a channel; `channels capabilities` lists them.',
    args: [{ name: 'action', help: 'For example `sticker` or `member-info`.' }],
    options: { ...where, ...param, ...end },
    load: () => run('messageAct'),
  },
];

export const messageCommands: readonly Command[] = rows.map((row) => ({ ...row, more: choices }));
