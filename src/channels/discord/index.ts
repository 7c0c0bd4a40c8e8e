/** Discord: servers, threads, direct chats, slash commands. The library is loaded when an account connects. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { discordActions } from './actions.ts';
import { discordConfig, type DiscordConfig } from './config.ts';
import { review } from './review.ts';
import { discordRules } from './rules.ts';
import { DISCORD_IDS, parseTarget, senderEntry, TARGET_HINT } from './targets.ts';

const discord: ChannelPlugin<DiscordConfig> = {
  id: 'discord',
  label: 'Discord',
  order: 20,
  blurb: 'A bot in your servers and direct chats; needs a bot token.',
  config: discordConfig,
  capabilities: {
    chats: ['direct', 'group', 'channel'],
    ids: DISCORD_IDS,
    threads: true,
    edit: true,
    remove: true,
    react: true,
    typing: true,
    media: true,
    choices: true,
    voice: true,
    voiceNotes: { types: ['audio/ogg', 'audio/opus'], caption: false },
    polls: { maxOptions: 10 },
    markdown: 'full',
    maxTextLength: 2000,
    maxLines: 17,
    // Discord remembers a nonce for some minutes only: a send of unknown outcome is looked up first, then repeated with
    // the same nonce.
    idempotentSend: false,
    nativeCommands: 'on',
    elevatedBy: 'allowFrom',
    replyTo: 'off',
    streaming: 'off',
    coalesce: { minChars: 1500, idleMs: 1000 },
    deliverable: true,
  },
  credentials: [
    {
      key: 'token',
      label: 'Bot token',
      fileKey: 'tokenFile',
      env: 'DISCORD_BOT_TOKEN',
      form: {
        pattern: /^[\w-]+\.[\w-]+\.[\w-]+$/,
        words: 'three parts of letters, digits, - and _ with dots between them, without "Bot" before it',
      },
    },
  ],
  verify: async (account) => (await import('./verify.ts')).verify(account),
  connect: async (account) => (await import('./connect.ts')).connect(account),
  rules: discordRules,
  senderEntry,
  senderIdLabel: 'Discord user id',
  parseTarget,
  targetHint: TARGET_HINT,
  actions: discordActions,
  review,
  liveKeys: ['dm'],
  promptHints: [
    'Discord shows Markdown without tables; a message has at most 2000 characters. Ids are numbers: mention ' +
      'a person as <@id>, a channel as <#id>.',
  ],
};

export default discord;
