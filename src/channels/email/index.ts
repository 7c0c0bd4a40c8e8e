/** E-mail: a mailbox of the bot's own, read over IMAP and answered over SMTP. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { EMAIL_IDS, parseTarget, senderEntry, TARGET_HINT } from './addresses.ts';
import { emailConfig, type EmailConfig } from './config.ts';
import { review } from './review.ts';

const email: ChannelPlugin<EmailConfig> = {
  id: 'email',
  label: 'E-mail',
  aliases: ['mail'],
  order: 70,
  blurb: 'A mailbox for the agent, over IMAP and SMTP; needs both servers and a password or OAuth 2.',
  config: emailConfig,
  capabilities: {
    chats: ['direct', 'group'],
    ids: EMAIL_IDS,
    threads: true,
    directThreads: true,
    edit: false,
    react: false,
    typing: false,
    media: true,
    voice: false,
    markdown: 'full',
    maxTextLength: 100_000,
    // SMTP has no way to look: the same message bears the same Message-ID, which many mail systems show once.
    idempotentSend: false,
    replyTo: 'all',
    streaming: 'off',
    mentions: true,
    deliverable: true,
  },
  credentials: [
    {
      key: 'password',
      label: 'Password of the mailbox, mostly an app password',
      fileKey: 'passwordFile',
      env: 'EMAIL_PASSWORD',
      needed: ({ auth }) => auth !== 'oauth2',
    },
    {
      key: 'refreshToken',
      label: 'Refresh token, for auth oauth2',
      fileKey: 'refreshTokenFile',
      env: 'EMAIL_REFRESH_TOKEN',
      needed: ({ auth, tokenCommand }) => auth === 'oauth2' && tokenCommand === undefined,
    },
    { key: 'clientSecret', label: 'Client secret, for auth oauth2', needed: () => false },
  ],
  setup: [
    { key: 'address', label: 'Address of the mailbox' },
    { key: 'imapHost', label: 'IMAP server, e.g. imap.example.com' },
    { key: 'smtpHost', label: 'SMTP server, e.g. smtp.example.com' },
    { key: 'auth', label: 'password or oauth2' },
    { key: 'clientId', label: 'Client id, for auth oauth2' },
    { key: 'username', label: 'User name, if it is not the address' },
    { key: 'authservIds', label: 'Name of your server in Authentication-Results, e.g. mx.google.com', list: true },
    { key: 'allowFrom', label: 'Addresses that may write', list: true },
  ],
  verify: async (account) => (await import('./connect.ts')).verify(account),
  connect: async (account) => (await import('./connect.ts')).connect(account),
  logout: async (account) => (await import('./access-token.ts')).forgetTokens(account),
  senderEntry,
  senderIdLabel: 'e-mail address',
  parseTarget,
  targetHint: TARGET_HINT,
  review,
  promptHints: [
    'This conversation is by e-mail: answer in one complete message, as in a letter, with a greeting where it fits. ' +
      'Everybody the mail is addressed to reads the answer.',
  ],
};

export default email;
