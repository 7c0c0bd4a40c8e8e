/** Answers about channels and their accounts: status, capabilities, connecting and disconnecting. */
import { z } from 'zod';
import { byName, chatKind, instant, list, text } from './shapes.ts';

const problem = z.strictObject({
  kind: z.enum(['auth', 'intent', 'permissions', 'config', 'runtime', 'security']),
  message: text.describe('One sentence; never a secret.'),
  fix: text.exactOptional().describe('What to do.'),
});

/** The state of one account of a channel. */
export const accountStatus = z.strictObject({
  accountId: text,
  name: text.exactOptional(),
  enabled: z.boolean(),
  configured: z.boolean(),
  running: z.boolean().describe('The account is supervised, connected or not.'),
  connected: z.boolean().exactOptional(),
  reconnectAttempts: z.number().exactOptional(),
  lastError: text.exactOptional(),
  downSince: instant.exactOptional().describe('Time of the disconnect; absent while connected or stopped.'),
  lastConnectedAt: instant.exactOptional(),
  lastStartAt: instant.exactOptional(),
  lastStopAt: instant.exactOptional(),
  lastEventAt: instant.exactOptional().describe('Time of the last data from the platform.'),
  lastInboundAt: instant.exactOptional(),
  lastOutboundAt: instant.exactOptional(),
  sends: z
    .strictObject({ sent: z.number(), failed: z.number(), repeated: z.number() })
    .exactOptional()
    .describe('Since the start. `repeated`: sent again because it was unknown whether the message had arrived.'),
  lastProbeAt: instant.exactOptional(),
  probe: z
    .strictObject({ ok: z.boolean(), detail: text.exactOptional(), ms: z.number().exactOptional() })
    .exactOptional(),
  mode: text.exactOptional(),
  self: z.strictObject({ id: text, name: text.exactOptional(), handle: text.exactOptional() }).exactOptional(),
  dmPolicy: text.exactOptional(),
  groupPolicy: text.exactOptional(),
  credentialSources: byName(z.enum(['config', 'file', 'env', 'none']))
    .exactOptional()
    .describe('Source of each credential, never its value.'),
  problems: list(problem),
});
/** How an account of a channel stands; times are milliseconds since the epoch. */
export type AccountStatus = z.output<typeof accountStatus>;

/** Keyed by the channel's id; `channelOrder` is the order of display. */
export const channelsStatus = z.strictObject({
  ts: instant,
  channelOrder: list(text),
  channelLabels: byName(text),
  channelMeta: list(z.strictObject({ id: text, label: text, detailLabel: text })),
  channels: byName(z.strictObject({ configured: z.boolean(), ok: z.boolean(), summary: text, running: z.boolean() })),
  channelAccounts: byName(list(accountStatus)),
  channelDefaultAccountId: byName(text),
});
/** Answer of `channels.status`. */
export type ChannelsStatusResult = z.output<typeof channelsStatus>;

const channelMeta = z.strictObject({
  id: text,
  label: text,
  blurb: text.exactOptional(),
  aliases: list(text),
  configured: z.boolean(),
  chats: list(chatKind),
  targetHint: text.exactOptional(),
  actions: list(z.strictObject({ name: text, summary: text, enabled: z.boolean() })),
  login: z
    .strictObject({ methods: list(z.enum(['qr', 'code'])), steps: list(text) })
    .exactOptional()
    .describe('A login that a person confirms on another device.'),
  credentials: list(
    z.strictObject({
      key: text,
      label: text,
      needed: z.boolean().describe('Required to connect unless an alternative is set.'),
      fileKey: text.exactOptional(),
      env: text.exactOptional(),
    }),
  ),
  setup: list(z.strictObject({ key: text, label: text, list: z.boolean().describe('Takes several values.') })).describe(
    'Settings that are no secret and are needed or useful to set up an account.',
  ),
  senderIdLabel: text.exactOptional().describe('What the id of a sender is called there.'),
});

/** How a login stands; the picture and the code are what a person needs for it. */
const login = z.strictObject({
  channel: text,
  label: text,
  accountId: text,
  state: z.enum(['none', 'waiting', 'linked', 'failed']),
  connected: z.boolean(),
  message: text,
  steps: list(text).describe('What the person does on the other device.'),
  qr: text.exactOptional().describe('Content of the QR code.'),
  qrDataUrl: text.exactOptional().describe('The QR code as a PNG picture.'),
  code: text.exactOptional().describe('To be typed on the other device.'),
  expiresAt: instant.exactOptional(),
  nth: z.number().exactOptional().describe('Number of the QR code or code, for `web.login.wait`.'),
});
/** Answer of `web.login.start` and its kin. */
export type LoginResult = z.output<typeof login>;

const account = { channel: text, accountId: text.exactOptional() };
const begun = z.strictObject({
  ...account,
  running: z.boolean(),
  connected: z.boolean(),
  lastError: text.exactOptional(),
});

/** Payload of the event that says which account is connected, gone or mended, or got messages. */
export const channelEvents = { 'channels.changed': z.strictObject({ channel: text, accountId: text }) };

/** Answers of the methods about channels and their accounts. */
export const channelAnswers = {
  'channels.status': channelsStatus,
  'channels.capabilities': z.strictObject({ channels: list(channelMeta) }),
  'channels.start': begun,
  'channels.restart': begun,
  'web.login.start': login,
  'web.login.wait': login,
  'web.login.cancel': login,
  'channels.stop': z.strictObject({ ...account, running: z.literal(false) }),
  'channels.logout': z.strictObject({
    ...account,
    cleared: z.boolean(),
    loggedOut: z.boolean(),
    envToken: z.boolean().exactOptional(),
    kept: list(text).exactOptional(),
  }),
};
