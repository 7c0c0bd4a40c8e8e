/** The `channels` rows of the command table; options for secrets come from the installed channels. */
import type { Command } from './command.ts';
import { client, flag, json, text } from './options.ts';

const which = {
  channel: { ...text('<id>', 'Channel id, from `channels list`.'), required: true },
  account: text('<id>', 'Account id. Default: default.'),
};

const loadChannels = async () => import('./commands/channels.ts');
const edit = async () => import('./commands/channels-edit.ts');
const choices = async (env: Parameters<NonNullable<Command['more']>>[0]) => {
  const { channel } = await (await import('./channel-registry.ts')).channelOptions(env);
  return { channel: channel! };
};

const rows: readonly Command[] = [
  {
    name: 'channels list',
    aliases: ['channels'],
    summary: 'List the channels and which are configured. Works without a gateway.',
    options: json,
    load: async () => (await loadChannels()).channelsList,
  },
  {
    name: 'channels status',
    summary: 'Show the status of every account, its problems and how to fix them.',
    options: { probe: flag('Also send a test request to each platform.'), ...json, ...client },
    load: async () => (await loadChannels()).channelsStatus,
  },
  {
    name: 'channels add',
    summary: 'Configure a channel account; a running gateway connects it immediately.',
    examples: [
      'channels add --channel telegram',
      'channels add --channel telegram --token - --probe < token.txt',
      'channels add --channel slack --use-env',
    ],
    options: {
      channel: which.channel,
      account: which.account,
      name: text('<text>', 'Display name of the account.'),
      token: text(
        '<token>',
        'The first secret of the channel; `-` reads it from standard input. Without this option a terminal ' +
          'prompts for it without echo.',
      ),
      'token-file': text('<file>', 'File with the first secret of the channel.'),
      'use-env': flag('Take the secrets from the environment of the gateway.'),
      probe: flag('Then test the connection to the platform.'),
      force: flag('Write the secret even if the platform rejects it or cannot be reached.'),
    },
    more: async (env) => (await import('./channel-registry.ts')).channelOptions(env),
    load: async () => (await edit()).channelsAdd,
  },
  {
    name: 'channels remove',
    summary: 'Disable a channel account; --delete also removes its settings.',
    options: { ...which, delete: flag('Also remove its settings from the configuration.') },
    more: choices,
    load: async () => (await edit()).channelsRemove,
  },
  {
    name: 'channels login',
    summary:
      'Log an account in with a QR code or a code on the phone, if the channel supports it; otherwise explain how.',
    examples: ['channels login --channel whatsapp', 'channels login --channel whatsapp --phone +491511234567'],
    options: {
      ...which,
      phone: text('<number>', 'Phone number: link with a code to type on that phone, instead of a QR code.'),
      force: flag('Log in again even if the account is logged in.'),
      ...client,
    },
    more: choices,
    load: async () => (await import('./commands/channels-login.ts')).channelsLogin,
  },
  {
    name: 'channels logout',
    summary: 'Stop an account and remove its secrets from the configuration.',
    options: { ...which, ...json, ...client },
    more: choices,
    load: async () => (await loadChannels()).channelsLogout,
  },
  {
    name: 'channels capabilities',
    summary: 'List what a channel can do and which actions are enabled.',
    args: [{ name: 'channel', optional: true, help: 'Channel id. Default: all channels.' }],
    options: json,
    load: async () => (await loadChannels()).channelsCapabilities,
  },
  {
    name: 'channels restart',
    summary: 'Reconnect an account.',
    options: { ...which, ...json, ...client },
    more: choices,
    load: async () => (await loadChannels()).channelsRestart,
  },
];

/** What is a channel today was called a provider once, and people have it in their scripts. */
export const channelCommands: readonly Command[] = rows.map((row) => ({
  ...row,
  aliases: [
    ...(row.aliases ?? []),
    ...[row.name, ...(row.aliases ?? [])].map((name) => name.replace('channels', 'providers')),
  ],
}));
