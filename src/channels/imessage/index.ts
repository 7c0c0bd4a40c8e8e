/** iMessage through a Mac: imsg or BlueBubbles. This file is data; `connect` loads the rest. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { imessageConfig, type ImessageConfig } from './config.ts';
import { IMESSAGE_IDS, parseTarget, senderEntry, TARGET_HINT } from './handles.ts';
import { review } from './review.ts';

const imessage: ChannelPlugin<ImessageConfig> = {
  id: 'imessage',
  label: 'iMessage',
  aliases: ['imsg', 'bluebubbles'],
  order: 55,
  blurb: 'iMessage and SMS through a Mac: imsg, also by ssh, or a BlueBubbles server.',
  config: imessageConfig,
  capabilities: {
    chats: ['direct', 'group'],
    ids: IMESSAGE_IDS,
    threads: false,
    edit: true,
    remove: true,
    react: true,
    typing: true,
    media: true,
    voice: true,
    markdown: 'none',
    maxTextLength: 4000,
    // A file is a message of its own.
    maxCaptionLength: 0,
    // What was sent is looked up in the database of Messages.
    idempotentSend: false,
    replyTo: 'off',
    replyTags: true,
    streaming: 'off',
    mentions: false,
    deliverable: true,
  },
  credentials: [
    {
      key: 'password',
      label: 'Password of the BlueBubbles server',
      fileKey: 'passwordFile',
      env: 'BLUEBUBBLES_PASSWORD',
      needed: ({ serverUrl }) => serverUrl !== undefined,
    },
  ],
  setup: [
    { key: 'remoteHost', label: 'Mac that imsg runs on, reached by ssh: user@mac.local; empty: this machine' },
    { key: 'cliPath', label: 'Path of imsg, where it is not on PATH' },
    { key: 'serverUrl', label: 'Address of a BlueBubbles server, in place of imsg' },
    { key: 'webhookUrl', label: 'Address under which BlueBubbles reaches the gateway; empty: the gateway polls' },
    { key: 'allowFrom', label: 'Numbers and e-mail addresses that may write directly', list: true },
  ],
  connect: async (account) => (await import('./connect.ts')).connect(account),
  senderEntry,
  senderIdLabel: 'number or e-mail address',
  parseTarget,
  targetHint: TARGET_HINT,
  review,
  promptHints: ['iMessage shows plain text: write no Markdown, no tables and no headings.'],
};

export default imessage;
