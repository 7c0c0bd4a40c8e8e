/** The command rows for pairing, routes and access. */
import type { Command } from './command.ts';
import { client, flag, json, number, text } from './options.ts';

export const onChannel = { name: 'channel', help: 'Channel id, for example `telegram`.' };

export const code = { name: 'code', help: 'The eight-character pairing code the person received.' };

export const pairingCommands: readonly Command[] = [
  {
    name: 'pairing list',
    aliases: ['pairing'],
    summary: 'List pending pairing requests; with a channel also the people already approved.',
    args: [{ ...onChannel, optional: true }],
    options: { ...json, ...client },
    load: async () => (await import('./commands/pairing.ts')).pairingList,
  },
  {
    name: 'pairing approve',
    summary: 'Approve a pairing request: the person may send direct messages and is notified. Groups are not affected.',
    examples: ['pairing approve telegram ABCD2345', 'pairing approve telegram ABCD2345 --owner'],
    args: [onChannel, code],
    options: {
      owner: flag('Make this person an owner: they may use owner commands and answer approvals.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/pairing.ts')).pairingApprove,
  },
  {
    name: 'pairing reject',
    summary: 'Reject a pairing request; the person is not notified.',
    args: [onChannel, code],
    options: { ...json, ...client },
    load: async () => (await import('./commands/pairing.ts')).pairingReject,
  },
  {
    name: 'pairing revoke',
    summary: 'Revoke a pairing approval.',
    args: [onChannel, { name: 'id', help: 'Sender id, from `pairing list <channel>`.' }],
    options: { ...json, ...client },
    load: async () => (await import('./commands/pairing.ts')).pairingRevoke,
  },
];

export const message = {
  channel: text('<id>', 'Channel of the message.'),
  account: text('<id>', 'Account that receives the message. Default: the default account.'),
  kind: text('<kind>', 'Chat type: direct, group or channel. Default: direct.'),
  chat: text('<id>', 'Chat id.'),
  thread: text('<id>', 'Thread or topic id.'),
  space: text('<id>', 'Server, workspace or team id.'),
  sender: text('<id>', 'Sender id on that channel.'),
  roles: text('<ids>', 'Role ids of the sender, comma-separated.'),
  text: text('<text>', 'Text of the message.'),
  mentioned: flag('The message mentions the agent.'),
};

export const accessCommands: readonly Command[] = [
  {
    name: 'route explain',
    summary: 'Explain which agent and session a message would reach, and why.',
    options: { ...message, ...json, ...client },
    load: async () => (await import('./commands/route-explain.ts')).routeExplain,
  },
  {
    name: 'access explain',
    summary:
      'Explain whether a message would be answered, who the sender is and what they may do, or how recent ' +
      'messages were decided.',
    options: {
      ...message,
      verb: text(
        '<verb>',
        'Action to check, with --resource: shows each rule that applies and what would change the result.',
      ),
      resource: text('<kind[:id]>', 'Resource to check, for example received-file or job:<id>.'),
      scopes: text('<scopes>', 'With --channel webchat: scopes of the device, comma-separated.'),
      through: text('<hands>', 'Who passes the request on, comma-separated, for example job:7.'),
      last: flag('Show the newest received messages instead.'),
      refused: flag('Only messages that were not answered.'),
      limit: number('<n>', 'Maximum number of messages. Default: 5.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/access-explain.ts')).accessExplain,
  },
];
