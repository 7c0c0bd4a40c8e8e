/** The CLI commands of devices. */
import type { Command } from '../../cli/command.ts';
import { client, json, text } from '../../cli/options.ts';

const request = { name: 'request', help: 'Request id, from `devices list`.' };
const end = { ...json, ...client };
const run = async () => import('./commands.ts');

export const heading = 'Channels and people';

export const commands: readonly Command[] = [
  {
    name: 'devices list',
    aliases: ['devices'],
    summary: 'List paired devices and pending requests.',
    options: end,
    load: async () => (await run()).devicesList,
  },
  {
    name: 'devices qr',
    summary: 'Show a QR code that makes a phone or browser a node. It works once, for ten minutes.',
    options: {
      address: text('<url>', 'Address at which the device reaches this gateway. Default: from the configuration.'),
      ...end,
    },
    examples: ['devices qr', 'devices qr --address https://desk.tail1234.ts.net'],
    load: async () => (await run()).devicesQr,
  },
  {
    name: 'devices approve',
    summary: 'Approve a device.',
    args: [request],
    options: end,
    load: async () => (await run()).devicesApprove,
  },
  {
    name: 'devices reject',
    summary: 'Reject a device.',
    args: [request],
    options: end,
    load: async () => (await run()).devicesReject,
  },
  {
    name: 'devices revoke',
    summary: "Revoke a device's token.",
    args: [{ name: 'device', help: 'Device id, from `devices list`.' }],
    options: { role: text('<role>', 'Role: operator or node. Default: operator.'), ...end },
    load: async () => (await run()).devicesRevoke,
  },
];
