/** Telegram over the Bot API, by long polling or webhook. This file is data; `connect` loads the library. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { ACTIONS } from './action-list.ts';
import { telegramConfigSchema, type TelegramConfig } from './config.ts';
import { review } from './review.ts';
import { parseTarget, senderEntry, TELEGRAM_IDS } from './targets.ts';

const telegram: ChannelPlugin<TelegramConfig> = {
  id: 'telegram',
  label: 'Telegram',
  aliases: ['tg'],
  order: 10,
  blurb: 'A bot from @BotFather; direct chats, groups, topics and channels.',
  config: telegramConfigSchema,
  capabilities: {
    chats: ['direct', 'group', 'channel'],
    ids: TELEGRAM_IDS,
    threads: true,
    threadWord: 'topic',
    edit: true,
    remove: true,
    react: true,
    typing: true,
    media: true,
    choices: true,
    voice: true,
    voiceNotes: { types: ['audio/ogg', 'audio/opus', 'audio/mpeg', 'audio/mp4'] },
    markdownPictures: true,
    polls: { maxOptions: 12 },
    markdown: 'full',
    maxTextLength: 4000,
    maxCaptionLength: 1024,
    idempotentSend: false,
    nativeCommands: 'on',
    replyTo: 'first',
    streaming: 'preview',
    deliverable: true,
  },
  credentials: [
    {
      key: 'botToken',
      label: 'Bot token from @BotFather',
      fileKey: 'tokenFile',
      env: 'TELEGRAM_BOT_TOKEN',
      form: { pattern: /^\d+:[\w-]+$/, words: 'a number, a colon, then letters, digits, - and _' },
    },
    { key: 'webhookSecret', label: 'Webhook secret', needed: ({ webhookUrl }) => webhookUrl !== undefined },
  ],
  senderEntry,
  senderIdLabel: 'Telegram user id',
  parseTarget,
  targetHint: '<chat id>, @channelname, <chat id>:topic:<topic id>',
  actions: ACTIONS,
  review,
  setup: [
    { key: 'allowFrom', label: 'Telegram user ids that may write directly', list: true },
    { key: 'webhookUrl', label: 'Public https address for a webhook, in place of polling' },
  ],
  promptHints: [
    'Telegram shows bold, italic, strikethrough, code, links and quotes; it has no tables and no headings.',
  ],
  verify: async (account) => (await import('./verify.ts')).verify(account),
  connect: async (account) => (await import('./connect.ts')).connect(account),
};

export default telegram;
