/** WhatsApp: direct messages and groups of a phone number, as a linked device. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { ACTIONS } from './action-list.ts';
import { whatsappConfig, type WhatsappConfig } from './config.ts';
import { parseTarget, senderEntry, TARGET_HINT, WHATSAPP_IDS } from './ids.ts';
import { review } from './review.ts';
import { rules } from './rules.ts';

const whatsapp: ChannelPlugin<WhatsappConfig> = {
  id: 'whatsapp',
  label: 'WhatsApp',
  aliases: ['wa'],
  order: 15,
  blurb: 'Chats and groups of a phone number; the gateway is one of its linked devices.',
  config: whatsappConfig,
  capabilities: {
    chats: ['direct', 'group'],
    ids: WHATSAPP_IDS,
    threads: false,
    edit: true,
    remove: true,
    react: true,
    typing: true,
    media: true,
    voice: true,
    polls: { maxOptions: 12 },
    markdown: 'basic',
    maxTextLength: 4000,
    maxCaptionLength: 1024,
    // Ids are ours to choose, and WhatsApp shows one message per id.
    idempotentSend: true,
    replyTo: 'off',
    replyTags: true,
    // An edited message is marked as edited, and only for a quarter of an hour: not while it is written.
    streaming: 'off',
    mentions: true,
    elevatedBy: 'allowFrom',
    deliverable: true,
  },
  login: {
    methods: ['qr', 'code'],
    steps: [
      'Open WhatsApp on the phone whose number the agent uses.',
      'Open Settings → Linked devices → Link a device.',
      'Scan the QR code, or choose "Link with phone number instead" and type the code.',
    ],
    state: async (account) => (await import('./login.ts')).loginState(account),
    run: async (account, request, show) => (await import('./login.ts')).logIn(account, request, show),
  },
  secretPaths: ({ authDir }) => (authDir === undefined ? [] : [authDir]),
  setup: [{ key: 'allowFrom', label: 'Phone numbers that may write directly, e.g. +491511234567', list: true }],
  connect: async (account) => (await import('./connect.ts')).connect(account),
  logout: async (account) => (await import('./login.ts')).logOut(account),
  senderEntry,
  senderIdLabel: 'phone number',
  parseTarget,
  targetHint: TARGET_HINT,
  actions: ACTIONS,
  rules,
  liveKeys: ['selfChatMode'],
  review,
  promptHints: [
    'WhatsApp shows *bold*, _italic_, ~struck~ and monospace, and no headings or tables: write short paragraphs. In ' +
      'groups, mention somebody as @ and their phone number.',
  ],
};

export default whatsapp;
