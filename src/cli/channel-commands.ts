/** The `channels` commands: rows of the command table; what a channel needs is asked of the channels that are there. */
import type { Command } from './command.ts';
import { client, flag, json, text } from './options.ts';

const which = {
  channel: { ...text('<id>', 'Which channel; `channels list` names them.'), required: true },
  account: text('<id>', 'Which account; default when absent.'),
};

const look = async () => import('./commands/channels.ts');
const edit = async () => import('./commands/channels-edit.ts');
const choices = async (env: Parameters<NonNullable<Command['more']>>[0]) => {
  const { channel } = await (await import('./channel-registry.ts')).channelOptions(env);
  return { channel: channel! };
};

const rows: readonly Command[] = [
  {
    name: 'channels list',
    aliases: ['channels'],
    summary: 'The messaging channels there are and which are configured; no gateway needed.',
    options: json,
    load: async () => (await look()).channelsList,
  },
  {
    name: 'channels status',
    summary: 'How every account stands, its problems and how to mend them.',
    options: { probe: flag('Ask the platforms whether they really answer.'), ...json, ...client },
    load: async () => (await look()).channelsStatus,
  },
  {
    name: 'channels add',
    summary: 'Configure an account of a channel; the running gateway connects it at once.',
    examples: [
      'channels add --channel telegram',
      'channels add --channel telegram --token - --probe < token.txt',
      'channels add --channel slack --use-env',
    ],
    options: {
      channel: which.channel,
      account: which.account,
      name: text('<text>', 'What people call this account.'),
      token: text(
        '<token>',
        'Its first secret, whatever the channel calls it; `-` reads it from standard input. Absent, on a terminal: asked for, and not shown.',
      ),
      'token-file': text('<file>', 'File that holds its first secret.'),
      'use-env': flag('Its secrets are in the environment of the gateway.'),
      probe: flag('Then ask the platform whether it answers.'),
      force: flag('Write the secret although the platform does not accept it, or cannot be asked.'),
    },
    more: async (env) => (await import('./channel-registry.ts')).channelOptions(env),
    load: async () => (await edit()).channelsAdd,
  },
  {
    name: 'channels remove',
    summary: 'Turn an account off; with --delete forget its settings.',
    options: { ...which, delete: flag('Remove its settings from the configuration.') },
    more: choices,
    load: async () => (await edit()).channelsRemove,
  },
  {
    name: 'channels login',
    summary: 'Say how an account of a channel gets in.',
    options: which,
    more: choices,
    load: async () => (await look()).channelsLogin,
  },
  {
    name: 'channels logout',
    summary: 'Stop an account and forget its secrets in the configuration.',
    options: { ...which, ...json, ...client },
    more: choices,
    load: async () => (await look()).channelsLogout,
  },
  {
    name: 'channels capabilities',
    summary: 'What can be done on a channel, and which actions are on.',
    args: [{ name: 'channel', optional: true, help: 'Default: all of them.' }],
    options: json,
    load: async () => (await look()).channelsCapabilities,
  },
  {
    name: 'channels restart',
    summary: 'Connect an account anew.',
    options: { ...which, ...json, ...client },
    more: choices,
    load: async () => (await look()).channelsRestart,
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
