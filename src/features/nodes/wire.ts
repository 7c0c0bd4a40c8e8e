/** Parameter schemas of `node.*`: pairing, capabilities, invocations, results. */
import { z } from 'zod';
import { ignored, milliseconds, noParams, text } from '../../protocol/fields.ts';
import { PIECE_CHARS } from '../../protocol/node-invoke.ts';

const short = text.max(256);
const name = z.string().trim().min(1).max(200);
const names = z.array(short).max(1024);

export const nodeListParams = noParams;
export const nodeDescribeParams = z.strictObject({ nodeId: short });
export const nodeRenameParams = z.strictObject({ nodeId: short, displayName: name });
export const nodePairListParams = noParams;
export const nodePairDecisionParams = z.strictObject({ requestId: short });
export const nodePairRemoveParams = z.strictObject({ nodeId: short });
export const nodePairVerifyParams = z.strictObject({ nodeId: short, token: text.max(512) });
export const nodePairRequestParams = z.strictObject({
  nodeId: short,
  displayName: name.optional(),
  platform: short.optional(),
  version: short.optional(),
  deviceFamily: short.optional(),
  modelIdentifier: short.optional(),
  remoteIp: short.optional(),
  caps: names.optional(),
  commands: names.optional(),
  permissions: z.record(z.string().max(128), z.boolean()).optional(),
  silent: z.boolean().optional(),
});

export const nodeInvokeParams = z.strictObject({
  nodeId: short,
  command: text.max(128),
  params: z.unknown().optional(),
  timeoutMs: milliseconds.optional(),
  idempotencyKey: text.max(512),
  sessionKey: ignored,
  turnSourceChannel: ignored,
  turnSourceTo: ignored,
  turnSourceAccountId: ignored,
  turnSourceThreadId: ignored,
});

export const nodeInvokeResultParams = z.strictObject({
  id: short,
  nodeId: short,
  ok: z.boolean(),
  payload: z.unknown().optional(),
  payloadJSON: z.string().nullish(),
  error: z.strictObject({ code: text.max(256).optional(), message: text.optional() }).nullish(),
});
export const nodeInvokeProgressParams = z.strictObject({
  invokeId: short,
  nodeId: short,
  seq: z.number().int().min(0),
  chunk: z.string().max(PIECE_CHARS),
});
export const nodeEventParams = z.strictObject({
  event: text.max(128),
  payload: z.unknown().optional(),
  payloadJSON: z
    .string()
    .max(512 * 1024)
    .nullish(),
});

export const nodeSkillsUpdateParams = z.strictObject({ skills: z.array(z.unknown()).max(64) });
export const nodePluginToolsUpdateParams = z.strictObject({ tools: z.array(z.unknown()).max(256) });
export const nodeRunnerInventoryParams = z.looseObject({});

export const nodeApprovalsGetParams = z.strictObject({ nodeId: short });
export const nodeApprovalsSetParams = z.strictObject({
  nodeId: short,
  file: z.looseObject({ version: z.literal(1) }).optional(),
  native: z.unknown().optional(),
  baseHash: text.optional(),
});
