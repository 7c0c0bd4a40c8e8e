/** Microsoft Teams as an Azure bot. This file is data; `connect` loads the rest. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { teamsConfig, type TeamsConfig } from './config.ts';
import { parseTarget, senderEntry, TARGET_HINT, TEAMS_IDS } from './ids.ts';
import { review } from './review.ts';

const msteams: ChannelPlugin<TeamsConfig> = {
  id: 'msteams',
  label: 'Microsoft Teams',
  aliases: ['teams'],
  order: 40,
  blurb: 'An Azure bot: personal chats, group chats, channels and their threads.',
  config: teamsConfig,
  capabilities: {
    chats: ['direct', 'group', 'channel'],
    ids: TEAMS_IDS,
    threads: true,
    edit: true,
    remove: true,
    react: false,
    typing: true,
    media: true,
    choices: true,
    voice: false,
    polls: { maxOptions: 12 },
    markdown: 'full',
    maxTextLength: 4000,
    // The connector numbers what it takes, and shows a bot no history.
    idempotentSend: false,
    replyTo: 'off',
    replyTags: true,
    streaming: 'off',
    coalesce: { minChars: 1500, idleMs: 1000 },
    deliverable: true,
  },
  credentials: [
    {
      key: 'appPassword',
      label: 'Client secret of the Azure bot',
      fileKey: 'appPasswordFile',
      env: 'MSTEAMS_APP_PASSWORD',
    },
    { key: 'appId', label: 'Application (client) id of the Azure bot', env: 'MSTEAMS_APP_ID' },
  ],
  setup: [
    { key: 'tenantId', label: 'Directory (tenant) id' },
    { key: 'webhookPath', label: 'Path on the gateway that the messaging endpoint leads to' },
    { key: 'allowFrom', label: 'AAD object ids that may write directly', list: true },
  ],
  actions: [
    {
      name: 'buttons',
      summary: 'Send text with buttons; a press arrives as the message `callback_data: <data>`',
      gate: 'buttons',
      reach: 'chat',
      parameters: { target: '', threadId: '', message: '', buttons: '' },
      required: ['message', 'buttons'],
    },
  ],
  connect: async (account) => (await import('./connect.ts')).connect(account),
  senderEntry,
  senderIdLabel: 'AAD object id',
  parseTarget,
  targetHint: TARGET_HINT,
  review,
  promptHints: ['Teams shows Markdown without headings and tables. Files go to direct chats only.'],
};

export default msteams;
