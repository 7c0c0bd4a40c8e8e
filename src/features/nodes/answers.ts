/** Answer types of the node methods. */
import { z } from 'zod';
import { byName, instant, list, text } from '../../protocol/answers/shapes.ts';

const facts = {
  nodeId: text,
  displayName: text.optional(),
  platform: text.optional(),
  version: text.optional(),
  clientId: text.optional(),
  clientMode: text.optional(),
  deviceFamily: text.optional(),
  modelIdentifier: text.optional(),
  remoteIp: text.optional(),
  caps: list(text),
  commands: list(text),
  permissions: byName(z.boolean()).optional().describe('By name; true: granted by the person at the device.'),
};

const request = z.strictObject({
  ...facts,
  requestId: text,
  isRepair: z.boolean().describe('True: the node is paired already and asks anew, e.g. for more commands.'),
  silent: z.boolean().optional(),
  requiredApproveScopes: list(text).describe('Scopes whoever approves it must have.'),
  ts: instant,
});
/** A node that waits for approval. */
export type WireNodeRequest = z.output<typeof request>;

const paired = z.strictObject({
  ...facts,
  token: text.optional().describe('Of a node that asked by `node.pair.request`: to be handed to it.'),
  createdAtMs: instant,
  approvedAtMs: instant,
  lastConnectedAtMs: instant.optional(),
  lastSeenAtMs: instant.optional(),
  lastSeenReason: text.optional(),
});
/** A paired node. */
export type WirePairedNode = z.output<typeof paired>;

const hostStats = z.strictObject({
  cpuCount: z.number(),
  loadAverage: list(z.number()),
  memoryTotalBytes: z.number(),
  memoryFreeBytes: z.number(),
  diskTotalBytes: z.number().optional(),
  diskAvailableBytes: z.number().optional(),
  updatedAtMs: instant,
});

const view = z.strictObject({
  ...facts,
  commands: list(text).describe('Declared by the node, allowed by the configuration and approved by a person.'),
  unavailable: byName(text).optional().describe('Command → why the node does not offer it, in its own words.'),
  inUse: list(z.strictObject({ what: text, by: text, sinceMs: instant })).describe(
    'Camera, microphone, screen or location in use now, and who asked.',
  ),
  background: z.boolean().optional().describe('It cannot use its sensors now, e.g. a page in the background.'),
  hostStats: hostStats.optional(),
  pathEnv: text.optional(),
  approvalState: z
    .enum(['approved', 'pending-approval', 'pending-reapproval', 'unapproved'])
    .describe('`pending-reapproval`: it declares more than was approved; the approved commands work.'),
  requestId: text.optional().describe('The open request, for `node.pair.approve`.'),
  connectedAtMs: instant.optional(),
  lastConnectedAtMs: instant.optional(),
  lastSeenAtMs: instant.optional(),
  lastSeenReason: text.optional(),
  approvedAtMs: instant.optional(),
  paired: z.boolean(),
  connected: z.boolean(),
});
/** One node as it is now. */
export type NodeView = z.output<typeof view>;

const received = z.strictObject({ ok: z.literal(true), ignored: z.literal(true).optional() });

/** Answers of the methods about nodes. */
export const answers = {
  'node.list': z.strictObject({ ts: instant, nodes: list(view) }),
  'node.describe': view.extend({ ts: instant }),
  'node.rename': z.strictObject({ nodeId: text, displayName: text }),
  'node.invoke': z.strictObject({
    ok: z.literal(true),
    nodeId: text,
    command: text,
    payload: z.unknown(),
    payloadJSON: text.nullable(),
  }),
  'node.invoke.result': received,
  'node.invoke.progress': received,
  'node.event': z.strictObject({
    ok: z.literal(true),
    event: text,
    handled: z.boolean(),
    reason: text.optional(),
  }),
  'node.skills.update': z.strictObject({ nodeId: text, skills: list(z.unknown()) }),
  'node.pluginTools.update': z.strictObject({ nodeId: text, tools: list(z.unknown()) }),
  'node.runnerInventory.update': z.strictObject({ nodeId: text }),
  'node.pair.request': z.strictObject({ status: z.literal('pending'), request, created: z.boolean() }),
  'node.pair.list': z.strictObject({ pending: list(request), paired: list(paired) }),
  'node.pair.approve': z.strictObject({ requestId: text, node: paired }),
  'node.pair.reject': z.strictObject({ requestId: text, nodeId: text }),
  'node.pair.remove': z.strictObject({ nodeId: text }),
  'node.pair.verify': z.strictObject({ ok: z.boolean(), node: paired.optional() }),
  'exec.approvals.node.get': z.looseObject({}),
  'exec.approvals.node.set': z.looseObject({}),
};

/** Payloads of the events about nodes. */
export const payloads = {
  'node.pair.requested': request,
  'node.pair.resolved': z.strictObject({
    requestId: text,
    nodeId: text,
    decision: z.enum(['approved', 'rejected', 'removed']),
    ts: instant,
  }),
  'node.changed': z.strictObject({ nodeId: text }),
  'node.hostStats': z.strictObject({ nodeId: text, hostStats }),
  'node.invoke.request': z.strictObject({
    id: text,
    nodeId: text,
    command: text,
    paramsJSON: text.optional(),
    timeoutMs: z.number(),
    idempotencyKey: text,
    requester: text.optional().describe('Who asked; only to nodes with the capability `requester`.'),
  }),
  'node.invoke.cancel': z.strictObject({ id: text, nodeId: text, reason: text }),
};

type Answered = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };
type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends Answered {}
  interface FeatureEvents extends Payloads {}
}
