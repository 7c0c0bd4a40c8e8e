/** Slack: direct messages, channels and threads over Socket Mode or HTTP; `connect` loads the libraries. */
import type { ChannelPlugin, Credential } from '../../sdk/index.ts';
import { ACTIONS } from './action-list.ts';
import { slackSchema, type SlackSettings } from './config.ts';
import { review } from './review.ts';
import { rules } from './rules.ts';
import { parseTarget, senderEntry, SLACK_IDS } from './target.ts';

const isHttp = (settings: Readonly<Record<string, unknown>>): boolean => settings['mode'] === 'http';

/** Tokens that are renewed have `xoxe.` before them. */
const FORMS = {
  bot: { pattern: /^(?:xoxe\.)?xoxb-[\w-]+$/, words: 'xoxb- and then letters, digits and -' },
  user: { pattern: /^(?:xoxe\.)?xoxp-[\w-]+$/, words: 'xoxp- and then letters, digits and -' },
  app: { pattern: /^(?:xoxe\.)?xapp-[\w-]+$/, words: 'xapp- and then letters, digits and -' },
} satisfies Record<string, NonNullable<Credential['form']>>;

const slack: ChannelPlugin<SlackSettings> = {
  id: 'slack',
  label: 'Slack',
  order: 40,
  blurb: 'A Slack app in your workspace: direct messages, channels and threads.',
  config: slackSchema,
  capabilities: {
    chats: ['direct', 'group', 'channel'],
    ids: SLACK_IDS,
    threads: true,
    edit: true,
    remove: true,
    react: true,
    typing: false,
    media: true,
    choices: true,
    voice: false,
    markdown: 'basic',
    maxTextLength: 4000,
    idempotentSend: false,
    nativeCommands: 'off',
    replyTo: 'off',
    replyTags: true,
    streaming: 'off',
    coalesce: { minChars: 1500, idleMs: 1000 },
    mentions: true,
    deliverable: true,
  },
  credentials: [
    { key: 'botToken', label: 'Bot token (xoxb-…)', env: 'SLACK_BOT_TOKEN', form: FORMS.bot },
    {
      key: 'appToken',
      label: 'App-level token (xapp-…) for Socket Mode',
      env: 'SLACK_APP_TOKEN',
      form: FORMS.app,
      needed: (settings) => !isHttp(settings),
    },
    { key: 'signingSecret', label: 'Signing secret, for HTTP mode', needed: isHttp },
    { key: 'userToken', label: 'User token (xoxp-…), for searching only', form: FORMS.user, needed: () => false },
  ],
  rules,
  review,
  senderEntry,
  senderIdLabel: 'Slack user id',
  parseTarget,
  targetHint: 'user:U012AB3CD, channel:C012AB3CD, or channel:C012AB3CD:<thread ts>',
  actions: ACTIONS,
  setup: [
    { key: 'mode', label: 'socket or http' },
    { key: 'webhookPath', label: 'Path Slack posts to, for HTTP mode' },
    { key: 'allowFrom', label: 'Slack user ids that may write directly', list: true },
  ],
  promptHints: [
    'Slack shows a subset of Markdown; write Markdown, it is converted. Mention a person as <@USERID> only ' +
      'with an id you were given.',
    'Threads are separate conversations; answer in the thread you were asked in.',
  ],
  verify: async (account) => (await import('./verify.ts')).verify(account),
  connect: async (account) => (await import('./connect.ts')).connect(account),
};

export default slack;
