/** The command lines of devices. */
import type { Command } from '../../cli/command.ts';
import { client, json, text } from '../../cli/options.ts';

const request = { name: 'request', help: 'Request id, from `devices list`.' };
const end = { ...json, ...client };
const run = async () => import('./commands.ts');

export const commands: readonly Command[] = [
  {
    name: 'devices list',
    aliases: ['devices'],
    summary: 'Paired devices and those that ask to be.',
    options: end,
    load: async () => (await run()).devicesList,
  },
  {
    name: 'devices approve',
    summary: 'Admit a device.',
    args: [request],
    options: end,
    load: async () => (await run()).devicesApprove,
  },
  {
    name: 'devices reject',
    summary: 'Refuse a device.',
    args: [request],
    options: end,
    load: async () => (await run()).devicesReject,
  },
  {
    name: 'devices revoke',
    summary: "Take a device's token away.",
    args: [{ name: 'device', help: 'Device id, from `devices list`.' }],
    options: { role: text('<role>', 'operator or node; operator by default.'), ...end },
    load: async () => (await run()).devicesRevoke,
  },
];
