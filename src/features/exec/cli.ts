/** The CLI rows of approvals, processes and the sandbox. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json, number, text } from '../../cli/options.ts';

const approval = { name: 'id', help: 'Approval id from `approvals list`; a unique prefix is enough.' };
const process = { name: 'id', help: 'Process id (two words), from `processes list`.' };
const decided = { ...json, ...client };

export const heading = 'Commands and tools of agents';

export const commands: readonly Command[] = [
  {
    name: 'approvals list',
    aliases: ['approvals'],
    summary: 'List the commands that need your approval, each in full.',
    options: decided,
    load: async () => (await import('./commands/approvals.ts')).approvalsList,
  },
  {
    name: 'approvals approve',
    summary: 'Approve a command.',
    examples: ['approvals approve 1a2b3c4d', 'approvals approve 1a2b --always'],
    args: [approval],
    options: { always: flag('Also allow it in the future without asking.'), ...decided },
    load: async () => (await import('./commands/approvals.ts')).approvalsApprove,
  },
  {
    name: 'approvals deny',
    summary: 'Deny a command.',
    args: [approval],
    options: decided,
    load: async () => (await import('./commands/approvals.ts')).approvalsDeny,
  },
  {
    name: 'approvals watch',
    summary: 'Watch for commands that need approval and answer them here.',
    options: { json: flag('Print one JSON object per event and do not ask.'), ...client },
    load: async () => (await import('./commands/watch.ts')).approvalsWatch,
  },
  {
    name: 'approvals allowlist list',
    aliases: ['approvals allowlist'],
    summary: 'List the programs agents may run without asking.',
    options: decided,
    load: async () => (await import('./commands/allowlist.ts')).allowlistList,
  },
  {
    name: 'approvals allowlist add',
    summary: 'Allow an agent to run a program without asking.',
    args: [
      {
        name: 'pattern',
        help: 'Resolved path of the program; `*` matches within a folder, `**` across folders, `?` one character.',
      },
    ],
    options: { agent: text('<id>', 'Agent id, `*` for all agents. Default: main.'), ...client },
    load: async () => (await import('./commands/allowlist.ts')).allowlistAdd,
  },
  {
    name: 'approvals allowlist remove',
    summary: 'Remove an allowlist entry.',
    args: [{ name: 'entry', help: 'Pattern or id, from `approvals allowlist`.' }],
    options: { agent: text('<id>', 'Only this agent.'), ...client },
    load: async () => (await import('./commands/allowlist.ts')).allowlistRemove,
  },
  {
    name: 'processes list',
    aliases: ['processes'],
    summary: 'List commands that run in the background.',
    options: { agent: text('<id>', 'Only this agent.'), ...json, ...client },
    load: async () => (await import('./commands/processes.ts')).processesList,
  },
  {
    name: 'processes log',
    summary: 'Print the output of a background command.',
    args: [process],
    options: {
      follow: flag('Keep printing new output until the command ends.'),
      limit: number('<n>', 'Number of existing lines to print first. Default: 200.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/processes.ts')).processesLog,
  },
  {
    name: 'processes kill',
    summary: 'Stop a background command and everything it started.',
    args: [process],
    options: { ...json, ...client },
    load: async () => (await import('./commands/processes.ts')).processesKill,
  },
  {
    name: 'sandbox explain',
    summary: 'Explain whether commands of a session run in a sandbox, why, and what they can access.',
    options: {
      agent: text('<id>', 'Agent id. Default: the default agent.'),
      session: text('<key>', 'Session key. Default: the main session of the agent.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/sandbox-explain.ts')).sandboxExplain,
  },
];
