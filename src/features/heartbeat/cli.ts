/** The CLI commands of heartbeats. */
import type { Command } from '../../cli/command.ts';
import { client, json, text } from '../../cli/options.ts';

const end = { ...json, ...client };
const run = async () => import('./commands.ts');

export const commands: readonly Command[] = [
  {
    name: 'system heartbeat last',
    aliases: ['system heartbeat'],
    summary: 'Show the result of the last heartbeat.',
    options: { agent: text('<id>', 'Only this agent.'), ...end },
    load: async () => (await run()).heartbeatLast,
  },
  {
    name: 'system heartbeat enable',
    summary: 'Enable heartbeats.',
    options: end,
    load: async () => (await run()).heartbeatEnable,
  },
  {
    name: 'system heartbeat disable',
    summary: 'Disable heartbeats until the gateway restarts.',
    options: end,
    load: async () => (await run()).heartbeatDisable,
  },
];
