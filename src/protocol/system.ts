/** Parameters of the methods about the gateway itself: health, logs, presence, restart. */
import { z } from 'zod';
import { count, ignored, milliseconds, noParams, positive, text } from './fields.ts';

/** `health`: how the gateway and its channels are. */
export const healthParams = z.strictObject({
  probe: z.boolean().optional().describe('Send a test request to each platform.'),
});
/** `status`: takes nothing. */
export const statusParams = noParams;
/** `performance`: takes nothing; answers how fast the gateway was in the last hour. */
export const performanceParams = noParams;
/** `journal.copy`: takes nothing; writes a copy of the journal and answers its path. */
export const journalCopyParams = noParams;
/** `system-presence`: takes nothing; answers who is connected. */
export const presenceParams = noParams;
/** `gateway.restart`: restarts in place once running turns have reached a point to go on from. */
export const restartParams = z.strictObject({
  reason: z.string().max(200).optional(),
  delayMs: milliseconds.max(60_000).optional().describe('Default 2000.'),
  sessionKey: z.string().optional().describe('Session to notify after the restart.'),
  note: z.string().optional(),
});

/** `logs.tail`: the newest lines of the log. */
export const logsTailParams = z.strictObject({
  cursor: count.optional().describe('`cursor` of the previous response: return only newer lines.'),
  limit: positive.max(5000).optional().describe('Lines; default 500.'),
  maxBytes: positive.max(1_000_000).optional().describe('Bytes; default 250 000.'),
});

/** `logs.subscribe` and its end: take nothing; from then on `logs.lines` comes. */
export const logsSubscribeParams = noParams;

/** Loose, as published: senders add facts of their own. */
export const wakeParams = z.looseObject({
  mode: z.enum(['now', 'next-heartbeat']),
  text: z.string().describe('If blank, no event is sent and `ok` is false.'),
  sessionKey: text.optional(),
  agentId: text.optional(),
});

/** `system-event`: tells agents, or who is connected, that something happened. */
export const systemEventParams = z.strictObject({
  text: z.string(),
  idempotencyKey: ignored,
  sessionKey: z.string().optional(),
  wake: z.boolean().optional(),
  deviceId: z.string().optional(),
  instanceId: z.string().optional(),
  host: z.string().optional(),
  ip: z.string().optional(),
  mode: z.string().optional(),
  version: z.string().optional(),
  platform: z.string().optional(),
  deviceFamily: z.string().optional(),
  modelIdentifier: z.string().optional(),
  lastInputSeconds: z.number().optional(),
  reason: z.string().optional(),
  roles: z.array(z.string()).optional(),
  scopes: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
});
/** What `systemEventParams` reads. */
export type SystemEventParams = z.output<typeof systemEventParams>;

/** `channels.list`: takes nothing. */
export const channelsListParams = noParams;
/** Methods about one account of a channel. */
export const channelAccountParams = z.strictObject({
  channel: text.describe('Channel id or alias.'),
  accountId: z.string().optional().describe('Default: the default account.'),
});
const loginAccount = {
  channel: text.optional().describe('Channel id or alias. Default: the only one with a login.'),
  accountId: z.string().optional().describe('Default: the default account.'),
};
/** `web.login.start`: by which method, and whether a login that is there is replaced. */
export const loginStartParams = z.strictObject({
  ...loginAccount,
  method: z.enum(['qr', 'code']).optional().describe('Default: the first the channel has.'),
  phone: text.optional().describe('Number of the phone with its country code; required for a code.'),
  force: z.boolean().optional().describe('True: log in again although there is a login.'),
  timeoutMs: milliseconds.optional(),
  verbose: z.boolean().optional().describe('Ignored.'),
});
/** `web.login.wait`: until it is over, or something newer than `after` is to be shown. */
export const loginWaitParams = z.strictObject({
  ...loginAccount,
  after: z.number().int().min(0).optional().describe('`nth` of the answer before; also resolves for a newer one.'),
  timeoutMs: milliseconds.optional(),
});
/** `web.login.cancel`. */
export const loginCancelParams = z.strictObject(loginAccount);
/** `channels.status`: how accounts stand; with `probe` they are asked, at most `timeoutMs` long. */
export const channelsStatusParams = z.strictObject({
  probe: z.boolean().optional(),
  timeoutMs: milliseconds.optional(),
  channel: text.optional(),
});
