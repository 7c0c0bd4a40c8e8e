/** A paired node and a pairing request, as stored and as shown to clients. */
import { z } from 'zod';
import { present } from '../../../core/present.ts';
import { sameSecret } from '../../../platform/same-secret.ts';

const text = z.string().min(1);
const names = z.array(text);

const facts = {
  /** The device id of its key; chosen by the node if it pairs without a key. */
  nodeId: text,
  displayName: text.optional(),
  platform: text.optional(),
  version: text.optional(),
  clientId: text.optional(),
  clientMode: text.optional(),
  deviceFamily: text.optional(),
  modelIdentifier: text.optional(),
  remoteIp: text.optional(),
  caps: names,
  commands: names,
  permissions: z.record(z.string(), z.boolean()).optional(),
};

/** Times are milliseconds since the epoch. */
export const pairedNode = z.object({
  ...facts,
  /** 32 hexadecimal digits; replaced with every approval. */
  token: text,
  createdAtMs: z.number(),
  approvedAtMs: z.number(),
  lastConnectedAtMs: z.number().optional(),
  lastSeenAtMs: z.number().optional(),
  lastSeenReason: text.optional(),
});
/** An approved node, with its approved commands. */
export type PairedNode = Readonly<z.output<typeof pairedNode>>;

export const nodeRequest = z.object({
  ...facts,
  requestId: text,
  /** True: the node is already paired and requests again, e.g. for more commands. */
  isRepair: z.boolean(),
  /** The node asked for a request without a notification. */
  silent: z.boolean().optional(),
  /** Created by `node.pair.request`: the approver receives the token and passes it to the node. */
  byToken: z.boolean().optional(),
  ts: z.number(),
});
/** A node that waits for approval. */
export type NodeRequest = Readonly<z.output<typeof nodeRequest>>;

/** What a node declares about itself. */
export type NodeFacts = Readonly<Pick<PairedNode, keyof typeof facts>>;

const MAX_NAMES = 256;
const MAX_NAME_CHARS = 128;

/** The entries of a list, each once and in order; entries beyond the limits of length and number are dropped. */
export const nameList = (input: readonly string[]): string[] =>
  [...new Set(input.map((name) => name.trim()))]
    .filter((name) => name !== '' && name.length <= MAX_NAME_CHARS)
    .sort()
    .slice(0, MAX_NAMES);

/** Compares in constant time. */
export const hasToken = (node: PairedNode | undefined, token: string): boolean =>
  node !== undefined && sameSecret(node.token, token);

/** Without the token. */
export function shownNode({ token: _token, ...node }: PairedNode): Omit<PairedNode, 'token'> {
  return node;
}

/** Only the facts of a request or a node. */
export const factsOf = (one: NodeFacts): NodeFacts =>
  present({
    nodeId: one.nodeId,
    displayName: one.displayName,
    platform: one.platform,
    version: one.version,
    clientId: one.clientId,
    clientMode: one.clientMode,
    deviceFamily: one.deviceFamily,
    modelIdentifier: one.modelIdentifier,
    remoteIp: one.remoteIp,
    caps: one.caps,
    commands: one.commands,
    permissions: one.permissions,
  });
