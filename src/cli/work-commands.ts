/** The command rows for tools and system events. */
import type { Command } from './command.ts';
import { client, json, text } from './options.ts';

export const tool = { name: 'tool', help: 'Tool name, for example `bash`.' };

export const place = {
  agent: text('<id>', 'Agent id. Default: the default agent.'),
  session: text('<key>', 'Session key. Default: the main session.'),
  channel: text('<id>', 'Channel of the message.'),
  account: text('<id>', 'Account that receives the message.'),
  group: text('<id>', 'Group id on that channel.'),
  sender: text('<id>', 'Sender id on that channel.'),
  model: text('<provider/model>', 'Model that answers.'),
  ...json,
  ...client,
};

export const toolCommands: readonly Command[] = [
  {
    name: 'tools list',
    aliases: ['tools'],
    summary: 'List the tools an agent may use, and which rule removed the others.',
    options: place,
    load: async () => (await import('./commands/tools.ts')).toolsList,
  },
  {
    name: 'tools explain',
    summary: 'Explain which setting keeps or removes a tool, what its calls may do, and how to change that.',
    args: [tool],
    options: place,
    load: async () => (await import('./commands/tools.ts')).toolsExplain,
  },
  {
    name: 'tools invoke',
    summary: 'Run one tool under the policy of a session.',
    args: [tool],
    options: {
      args: text('<json>', 'Tool arguments as a JSON object.'),
      agent: place.agent,
      session: place.session,
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/tools.ts')).toolsInvoke,
  },
];

export const systemCommands: readonly Command[] = [
  {
    name: 'system event',
    summary: 'Send a system event to the agent.',
    options: {
      text: { ...text('<text>', 'Text of the event; `-` reads it from standard input.'), required: true },
      mode: text('<mode>', 'When the agent reads it: now or next-heartbeat. Default: next-heartbeat.'),
      session: text('<key>', 'Session key. Default: the main session of the default agent.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/system.ts')).systemEvent,
  },
];
