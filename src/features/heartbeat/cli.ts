/** The command lines of heartbeats. */
import type { Command } from '../../cli/command.ts';
import { client, json, text } from '../../cli/options.ts';

const end = { ...json, ...client };
const run = async () => import('./commands.ts');

export const commands: readonly Command[] = [
  {
    name: 'system heartbeat last',
    aliases: ['system heartbeat'],
    summary: 'How the agent’s last look went.',
    options: { agent: text('<id>', 'Of this agent.'), ...end },
    load: async () => (await run()).heartbeatLast,
  },
  {
    name: 'system heartbeat enable',
    summary: 'Let the agent look by itself again.',
    options: end,
    load: async () => (await run()).heartbeatEnable,
  },
  {
    name: 'system heartbeat disable',
    summary: 'No heartbeats until the gateway starts again.',
    options: end,
    load: async () => (await run()).heartbeatDisable,
  },
];
