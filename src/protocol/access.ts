/** Parameters of `channel.pairing.*`, `route.explain` and `access.*`. */
import { OPERATOR_SCOPES } from '../core/principal.ts';
import { z } from 'zod';
import { text } from './fields.ts';

const name = text.max(64);
const id = text.max(512);

/** `channel.pairing.list`: pairing requests of one channel or of all. */
export const pairingListParams = z.strictObject({ channel: name.optional() });
/** `channel.pairing.reject`: turns down the request with this code. */
export const pairingDecisionParams = z.strictObject({ channel: name, code: text.max(64) });
/** `channel.pairing.approve`: lets in who has this code. */
export const pairingApprovalParams = pairingDecisionParams.extend({
  /** It is the owner's own account. */ owner: z.boolean().optional(),
});
/** `channel.pairing.revoke`: revokes an approval, by the channel's id of the person. */
export const pairingRevokeParams = z.strictObject({ channel: name, id });

/** A message nobody sent. */
export const hypotheticalParams = z.strictObject({
  channel: name,
  accountId: id.optional(),
  chatKind: z.enum(['direct', 'group', 'channel']).optional(),
  chatId: id.optional(),
  threadId: id.optional(),
  spaceId: id.optional(),
  senderId: id.optional(),
  roles: z.array(id).max(256).optional(),
  names: z.strictObject({ chat: id.optional(), space: id.optional(), thread: id.optional() }).optional(),
  text: z.string().max(100_000).optional(),
  mentioned: z.boolean().optional(),
});

/** A binding as somebody writes it: which agent answers, and where. */
export const bindingFields = z.strictObject({
  agentId: name.min(1),
  match: z.strictObject({
    channel: name.min(1),
    accountId: id.optional(),
    peer: z.strictObject({ kind: z.enum(['dm', 'direct', 'group', 'channel']), id: id.min(1) }).optional(),
    guildId: id.optional(),
    teamId: id.optional(),
    roles: z.array(id).max(256).optional(),
  }),
  session: z
    .strictObject({ dmScope: z.enum(['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer']).optional() })
    .optional(),
});

/** One of them, parsed. */
export type WrittenBinding = z.output<typeof bindingFields>;

/** The most bindings one list may have. */
export const MAX_BINDINGS = 1000;
/** `route.explain`: a message, and where wanted bindings that are not saved. */
export const routeExplainParams = hypotheticalParams.extend({
  bindings: z
    .array(bindingFields)
    .max(MAX_BINDINGS)
    .optional()
    .describe('Bindings to try instead of those of the configuration; nothing is saved.'),
});

const MAX_HANDS = 8;
/** The same, and what its sender might want. */
export const accessExplainParams = hypotheticalParams.extend({
  verb: text.max(64).optional().describe('Action to check, with `resource`. See the access table.'),
  resource: text.max(1024).optional().describe('`<kind>[:<id>]`, e.g. `received-file` or `session:agent:main:main`.'),
  scopes: z
    .array(z.enum(OPERATOR_SCOPES))
    .max(OPERATOR_SCOPES.length)
    .optional()
    .describe('For web chat: a device with these scopes instead of the owner.'),
  hands: z.array(id).max(MAX_HANDS).optional().describe('Who passes the request on, in order, e.g. `job:7`.'),
});

const MAX_RECENT = 200;
/** `access.recent`: the newest decisions of the access gate. */
export const accessRecentParams = z.strictObject({
  channel: name.optional(),
  refusedOnly: z.boolean().optional(),
  limit: z.number().int().min(1).max(MAX_RECENT).optional(),
});
