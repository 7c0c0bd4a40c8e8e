/** Signal through signal-cli. This file is data; `connect` loads the rest. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { signalConfig, type SignalConfig } from './config.ts';
import { parseTarget, senderEntry, SIGNAL_IDS, TARGET_HINT } from './ids.ts';
import { review } from './review.ts';

const signal: ChannelPlugin<SignalConfig> = {
  id: 'signal',
  label: 'Signal',
  order: 50,
  blurb: 'Direct chats and groups through signal-cli; needs a number of its own.',
  config: signalConfig,
  capabilities: {
    chats: ['direct', 'group'],
    ids: SIGNAL_IDS,
    threads: false,
    edit: true,
    remove: true,
    react: true,
    typing: true,
    media: true,
    voice: true,
    markdown: 'basic',
    maxTextLength: 4000,
    // signal-cli numbers messages by the time it sends them, and keeps no history to look them up in.
    idempotentSend: false,
    replyTo: 'off',
    replyTags: true,
    streaming: 'off',
    coalesce: { minChars: 1500, idleMs: 1000 },
    deliverable: true,
  },
  setup: [
    { key: 'account', flag: 'signalNumber', label: 'Number of the bot, e.g. +491701234567' },
    { key: 'httpUrl', label: 'Address of a signal-cli daemon that runs already; empty: the gateway starts one' },
    { key: 'cliPath', label: 'Path of signal-cli, where it is not on PATH' },
    { key: 'allowFrom', label: 'Numbers that may write directly', list: true },
  ],
  connect: async (account) => (await import('./connect.ts')).connect(account),
  senderEntry,
  senderIdLabel: 'Signal number or uuid',
  parseTarget,
  targetHint: TARGET_HINT,
  review,
  promptHints: [
    'Signal shows bold, italic, strikethrough and monospace; it has no headings, tables and links with a label.',
  ],
};

export default signal;
