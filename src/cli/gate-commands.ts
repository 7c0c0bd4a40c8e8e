/** The rows of pairing and who is let in: the command lines about access. */
import type { Command } from './command.ts';
import { client, flag, json, number, text } from './options.ts';

export const onChannel = { name: 'channel', help: 'Channel id, for example `telegram`.' };

export const code = { name: 'code', help: 'The eight characters the person was sent.' };

export const pairingCommands: readonly Command[] = [
  {
    name: 'pairing list',
    aliases: ['pairing'],
    summary: 'Who asks to write to you in direct chats; for a channel also who may.',
    args: [{ ...onChannel, optional: true }],
    options: { ...json, ...client },
    load: async () => (await import('./commands/pairing.ts')).pairingList,
  },
  {
    name: 'pairing approve',
    summary: 'Let a person write in direct chats, and tell them. Groups are not affected.',
    examples: ['pairing approve telegram ABCD2345', 'pairing approve telegram ABCD2345 --owner'],
    args: [onChannel, code],
    options: {
      owner: flag('It is you: they may use the commands of the owner and answer approvals.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/pairing.ts')).pairingApprove,
  },
  {
    name: 'pairing reject',
    summary: 'Drop a request without a word to the person.',
    args: [onChannel, code],
    options: { ...json, ...client },
    load: async () => (await import('./commands/pairing.ts')).pairingReject,
  },
  {
    name: 'pairing revoke',
    summary: 'Take back what an approval gave.',
    args: [onChannel, { name: 'id', help: 'Sender id, from `pairing list <channel>`.' }],
    options: { ...json, ...client },
    load: async () => (await import('./commands/pairing.ts')).pairingRevoke,
  },
];

export const message = {
  channel: text('<id>', 'Channel it comes from.'),
  account: text('<id>', 'Account it comes to; the default one by default.'),
  kind: text('<kind>', 'direct, group or channel; direct by default.'),
  chat: text('<id>', 'Chat id.'),
  thread: text('<id>', 'Thread or topic id.'),
  space: text('<id>', 'Server, workspace or team id.'),
  sender: text('<id>', 'Who writes, by the id the channel gives.'),
  roles: text('<ids>', 'Roles of the sender, with commas.'),
  text: text('<text>', 'What they write.'),
  mentioned: flag('The agent is mentioned.'),
};

export const doorCommands: readonly Command[] = [
  {
    name: 'route explain',
    summary: 'Say which agent and session a message would reach, and why.',
    options: { ...message, ...json, ...client },
    load: async () => (await import('./commands/route-explain.ts')).routeExplain,
  },
  {
    name: 'access explain',
    summary:
      'Say why a message would be answered or not, who would ask and what they may, or why the newest ones were.',
    options: {
      ...message,
      verb: text(
        '<verb>',
        'What they would do, with --resource: each look at the table of who may what, and what would change it.',
      ),
      resource: text('<kind[:id]>', 'To which thing, for example received-file, or job:<id>.'),
      scopes: text('<scopes>', 'With --channel webchat: a device with these scopes, with commas.'),
      through: text('<hands>', 'Through whom it would come, with commas, for example job:7.'),
      last: flag('The newest messages that really came.'),
      refused: flag('Only those that were not answered.'),
      limit: number('<n>', 'At most so many of them; 5 by default.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/access-explain.ts')).accessExplain,
  },
];
