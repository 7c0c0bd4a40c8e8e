/** Parameters of `connect`, the first request of a client. */
import { z } from 'zod';
import { CLIENT_IDS, CLIENT_MODES } from './client-info.ts';
import { count, ignored, positive, text } from './fields.ts';

const clientId = z.string().refine((id) => CLIENT_IDS.includes(id), {
  error: (issue) => `unknown client id ${JSON.stringify(String(issue.input).slice(0, 64))}`,
});

const client = z.strictObject({
  id: clientId,
  displayName: text.max(200).optional(),
  version: text.max(200),
  buildId: text.max(96).optional(),
  platform: text.max(200),
  deviceFamily: text.max(200).optional(),
  modelIdentifier: text.max(200).optional(),
  timeZone: text.max(64).optional(),
  mode: z.enum(CLIENT_MODES),
  instanceId: text.max(200).optional(),
});

const device = z.strictObject({
  id: text.max(256),
  publicKey: text.max(1024),
  signature: text.max(1024),
  signedAt: count,
  nonce: text.max(256),
});

const auth = z.strictObject({
  token: z.string().optional(),
  bootstrapToken: z.string().optional(),
  deviceToken: z.string().optional(),
  password: z.string().optional(),
  approvalRuntimeToken: z.string().optional(),
  agentRuntimeIdentityToken: z.string().optional(),
});

/** The first request on every connection: who connects, with which proof, for what. */
export const connectParams = z.strictObject({
  minProtocol: positive,
  maxProtocol: positive,
  client,
  caps: z.array(text).optional(),
  commands: z.array(text).optional(),
  computerUse: ignored,
  workerRuns: ignored,
  permissions: z.record(z.string(), z.boolean()).optional(),
  pathEnv: z.string().optional(),
  role: text.optional(),
  scopes: z.array(text).optional(),
  device: device.optional(),
  auth: auth.optional(),
  locale: z.string().optional(),
  userAgent: z.string().optional(),
});
/** What `connectParams` reads. */
export type ConnectParams = z.output<typeof connectParams>;
/** The proof of a device: its key, and a signature over the challenge. */
export type DeviceParams = z.output<typeof device>;
