/** IRC: channels and direct messages of a network, as a client. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { ircConfig, type IrcConfig } from './config.ts';
import { IRC_IDS, parseTarget, senderEntry, TARGET_HINT } from './names.ts';
import { review } from './review.ts';

const irc: ChannelPlugin<IrcConfig> = {
  id: 'irc',
  label: 'IRC',
  order: 60,
  blurb: 'Channels and direct messages of an IRC network; needs a server and a nick.',
  config: ircConfig,
  capabilities: {
    chats: ['direct', 'group'],
    ids: IRC_IDS,
    threads: false,
    edit: false,
    react: false,
    typing: true,
    media: false,
    voice: false,
    markdown: 'basic',
    maxTextLength: 1500,
    maxLines: 6,
    // Looked up where the server keeps a history; elsewhere nobody can tell whether a line arrived.
    idempotentSend: false,
    replyTo: 'off',
    replyTags: true,
    streaming: 'off',
    coalesce: { minChars: 400, idleMs: 1500 },
    mentions: true,
    deliverable: true,
  },
  credentials: [
    {
      key: 'password',
      label: "Password of the account with the network's services",
      fileKey: 'passwordFile',
      env: 'IRC_PASSWORD',
      needed: () => false,
    },
    {
      key: 'serverPassword',
      label: 'Password of the server itself',
      fileKey: 'serverPasswordFile',
      env: 'IRC_SERVER_PASSWORD',
      needed: () => false,
    },
    {
      key: 'certificate',
      label: 'Client certificate with its private key (PEM), which proves the account',
      fileKey: 'certificateFile',
      needed: () => false,
    },
  ],
  setup: [
    { key: 'host', label: 'Server, e.g. irc.libera.chat' },
    { key: 'nick', label: 'Nick of the bot' },
    { key: 'account', flag: 'servicesAccount', label: "Account with the network's services, where it is not the nick" },
    { key: 'join', label: 'Channels to be in', list: true },
    { key: 'allowFrom', label: 'Services accounts that may write directly', list: true },
  ],
  connect: async (account) => (await import('./connect.ts')).connect(account),
  senderEntry,
  senderIdLabel: 'services account',
  parseTarget,
  targetHint: TARGET_HINT,
  review,
  promptHints: [
    'IRC shows lines of plain text: be brief, write no tables and no headings, and put code into few lines. Address ' +
      'somebody as "nick: …".',
  ],
};

export default irc;
