/** The rows of approvals, processes and tools: what agents do on this machine; and of what they are told. */
import type { Command } from './command.ts';
import { client, flag, json, number, text } from './options.ts';

export const approval = { name: 'id', help: 'Approval id, or the beginning of it, from `approvals list`.' };

export const decided = { ...json, ...client };

export const approvalCommands: readonly Command[] = [
  {
    name: 'approvals list',
    aliases: ['approvals'],
    summary: 'Commands of agents that wait for your word, each in full.',
    options: decided,
    load: async () => (await import('./commands/approvals.ts')).approvalsList,
  },
  {
    name: 'approvals approve',
    summary: 'Let a waiting command run.',
    examples: ['approvals approve 1a2b3c4d', 'approvals approve 1a2b --always'],
    args: [approval],
    options: { always: flag('Also from now on, without asking.'), ...decided },
    load: async () => (await import('./commands/approvals.ts')).approvalsApprove,
  },
  {
    name: 'approvals deny',
    summary: 'Refuse a waiting command.',
    args: [approval],
    options: decided,
    load: async () => (await import('./commands/approvals.ts')).approvalsDeny,
  },
  {
    name: 'approvals watch',
    summary: 'Show each command that waits as it comes, and ask here.',
    options: { json: flag('Print one JSON object per event and ask nothing.'), ...client },
    load: async () => (await import('./commands/approvals-watch.ts')).approvalsWatch,
  },
  {
    name: 'approvals allowlist list',
    aliases: ['approvals allowlist'],
    summary: 'Programs agents may run without asking.',
    options: decided,
    load: async () => (await import('./commands/approvals-allowlist.ts')).allowlistList,
  },
  {
    name: 'approvals allowlist add',
    summary: 'Let an agent run a program without asking.',
    args: [
      {
        name: 'pattern',
        help: 'Real path of the program; `*` stands for anything in one folder, `**` across folders, `?` for one character.',
      },
    ],
    options: { agent: text('<id>', 'Agent it is for, `*` for all; main by default.'), ...client },
    load: async () => (await import('./commands/approvals-allowlist.ts')).allowlistAdd,
  },
  {
    name: 'approvals allowlist remove',
    summary: 'Take a permission back.',
    args: [{ name: 'entry', help: 'Pattern or id, from `approvals allowlist`.' }],
    options: { agent: text('<id>', 'Only of this agent.'), ...client },
    load: async () => (await import('./commands/approvals-allowlist.ts')).allowlistRemove,
  },
];

export const process = { name: 'id', help: 'Two words, from `processes list`.' };

export const processCommands: readonly Command[] = [
  {
    name: 'processes list',
    aliases: ['processes'],
    summary: 'Commands that agents left running in the background.',
    options: { agent: text('<id>', 'Only of this agent.'), ...json, ...client },
    load: async () => (await import('./commands/processes.ts')).processesList,
  },
  {
    name: 'processes log',
    summary: 'The output of a background command.',
    args: [process],
    options: {
      follow: flag('Keep printing until it ends.'),
      limit: number('<n>', 'Lines to begin with; 200 by default.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/processes.ts')).processesLog,
  },
  {
    name: 'processes kill',
    summary: 'End a background command with everything it started.',
    args: [process],
    options: { ...json, ...client },
    load: async () => (await import('./commands/processes.ts')).processesKill,
  },
  {
    name: 'sandbox explain',
    summary: 'Say whether commands of a session are sandboxed, why, and what they see.',
    options: {
      agent: text('<id>', 'Agent; the default agent by default.'),
      session: text('<key>', 'Session key; the main session of the agent by default.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/sandbox-explain.ts')).sandboxExplain,
  },
];

export const tool = { name: 'tool', help: 'Its name, for example `bash`.' };

export const place = {
  agent: text('<id>', 'Agent that would use it; the default agent by default.'),
  session: text('<key>', 'Session key; the main session by default.'),
  channel: text('<id>', 'Channel the message would come from.'),
  account: text('<id>', 'Account it would come to.'),
  group: text('<id>', 'Group on that channel.'),
  sender: text('<id>', 'Who would write, by the id the channel gives.'),
  model: text('<provider/model>', 'Model that would answer.'),
  ...json,
  ...client,
};

export const toolCommands: readonly Command[] = [
  {
    name: 'tools list',
    aliases: ['tools'],
    summary: 'The tools an agent may use, and what removed the others.',
    options: place,
    load: async () => (await import('./commands/tools.ts')).toolsList,
  },
  {
    name: 'tools explain',
    summary:
      'Say stage by stage which setting keeps or removes a tool, what its calls may do there, and how to change it.',
    args: [tool],
    options: place,
    load: async () => (await import('./commands/tools.ts')).toolsExplain,
  },
  {
    name: 'tools invoke',
    summary: 'Run one tool by hand, under the policy of a session.',
    args: [tool],
    options: {
      args: text('<json>', 'Its arguments as a JSON object.'),
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
    summary: 'Tell the agent something.',
    options: {
      text: { ...text('<text>', 'What it is told; `-` reads it from standard input.'), required: true },
      mode: text('<mode>', 'now, or next-heartbeat (default).'),
      session: text('<key>', 'Session; the main session of the default agent by default.'),
      ...decided,
    },
    load: async () => (await import('./commands/system.ts')).systemEvent,
  },
];
