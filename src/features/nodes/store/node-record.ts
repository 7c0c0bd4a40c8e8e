/** A paired node and a pairing request, as stored and as shown to clients. */
import { z } from 'zod';
import { present } from '../../../core/present.ts';
import { sameSecret } from '../../../platform/same-secret.ts';

const text = z.string().min(1);
const names = z.array(text);

const facts = {
  /** The device id of its key; chosen by the node where it pairs without one. */
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
  /** 32 hexadecimal digits; new with every approval. */
  token: text,
  createdAtMs: z.number(),
  approvedAtMs: z.number(),
  lastConnectedAtMs: z.number().optional(),
  lastSeenAtMs: z.number().optional(),
  lastSeenReason: text.optional(),
});
/** A node a person approved, with the commands they approved. */
export type PairedNode = Readonly<z.output<typeof pairedNode>>;

export const nodeRequest = z.object({
  ...facts,
  requestId: text,
  /** True: the node is paired already and asks anew, e.g. for more commands. */
  isRepair: z.boolean(),
  /** The node asked not to disturb anybody with it. */
  silent: z.boolean().optional(),
  /** It came by `node.pair.request`: whoever approves it is given the token to hand on. */
  byToken: z.boolean().optional(),
  ts: z.number(),
});
/** A node that waits for approval. */
export type NodeRequest = Readonly<z.output<typeof nodeRequest>>;

/** What a node says of itself when it asks. */
export type NodeFacts = Readonly<Pick<PairedNode, keyof typeof facts>>;

const MAX_NAMES = 256;
const MAX_NAME_CHARS = 128;

/** The names of a list, in order, each once; what is too long or too many is left out. */
export const nameList = (input: readonly string[]): string[] =>
  [...new Set(input.map((name) => name.trim()))]
    .filter((name) => name !== '' && name.length <= MAX_NAME_CHARS)
    .sort()
    .slice(0, MAX_NAMES);

/** Constant time. */
export const hasToken = (node: PairedNode | undefined, token: string): boolean =>
  node !== undefined && sameSecret(node.token, token);

/** Without its secret. */
export function shownNode({ token: _token, ...node }: PairedNode): Omit<PairedNode, 'token'> {
  return node;
}

/** The facts alone, of a request or of a node. */
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
