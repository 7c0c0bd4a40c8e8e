/** Changes of paired nodes and pairing requests: each returns the new records and its result. Pure. */
import type { PairingChange } from '../../../host/pairing-files.ts';
import { present } from '../../../core/present.ts';
import { randomId, uuid } from '../../../platform/ids.ts';
import { factsOf, type NodeFacts, type NodeRequest, type PairedNode } from './node-record.ts';

/** Pending requests expire after this time. */
export const REQUEST_TTL_MS = 5 * 60_000;
const MAX_PENDING = 50;

/** The complete stored state. */
export interface Nodes {
  readonly paired: Readonly<Record<string, PairedNode>>;
  readonly pending: Readonly<Record<string, NodeRequest>>;
}

/** The new state, and the result for the caller. */
export type Change<T> = PairingChange<Nodes, T>;

/** How a request was made. */
export type RequestManner = Pick<NodeRequest, 'silent' | 'byToken'>;

export const findNode = ({ paired }: Nodes, nodeId: string): PairedNode | undefined =>
  Object.hasOwn(paired, nodeId) ? paired[nodeId] : undefined;

/** Without expired ones, newest first. */
export const livePending = ({ pending }: Nodes, now: number): readonly NodeRequest[] =>
  Object.values(pending)
    .filter(({ ts }) => now - ts < REQUEST_TTL_MS)
    .sort((a, b) => b.ts - a.ts);

/**
 * An identical request is the pending one. Other commands create a new request, because nobody has reviewed them yet.
 */
export function requested(
  nodes: Nodes,
  { facts, manner }: { readonly facts: NodeFacts; readonly manner: RequestManner },
  now: number,
): Change<{ readonly request: NodeRequest; readonly created: boolean }> {
  const live = livePending(nodes, now);
  const open = live.find(({ nodeId }) => nodeId === facts.nodeId);
  if (open && sameSurface(open, facts)) return [{}, { request: open, created: false }];
  const request: NodeRequest = present({
    ...factsOf(facts),
    ...manner,
    requestId: uuid(),
    isRepair: findNode(nodes, facts.nodeId) !== undefined,
    ts: now,
  });
  const others = live.filter(({ nodeId }) => nodeId !== facts.nodeId).slice(0, MAX_PENDING - 1);
  return [{ pending: byId([request, ...others]) }, { request, created: true }];
}

export function approved(
  nodes: Nodes,
  requestId: string,
  now: number,
): Change<{ readonly request: NodeRequest; readonly node: PairedNode } | undefined> {
  const request = livePending(nodes, now).find((one) => one.requestId === requestId);
  if (!request) return [{}, undefined];
  const before = findNode(nodes, request.nodeId);
  const node: PairedNode = present({
    ...factsOf(request),
    displayName: before?.displayName ?? request.displayName,
    token: randomId(),
    createdAtMs: before?.createdAtMs ?? now,
    approvedAtMs: now,
    lastConnectedAtMs: before?.lastConnectedAtMs,
    lastSeenAtMs: before?.lastSeenAtMs,
    lastSeenReason: before?.lastSeenReason,
  });
  return [
    { paired: { ...nodes.paired, [node.nodeId]: node }, pending: without(nodes, requestId, now) },
    { request, node },
  ];
}

export function rejected(nodes: Nodes, requestId: string, now: number): Change<NodeRequest | undefined> {
  const request = livePending(nodes, now).find((one) => one.requestId === requestId);
  return request ? [{ pending: without(nodes, requestId, now) }, request] : [{}, undefined];
}

/** Removes the node and its pending request, so that a removed node does not stay in the list of requests. */
export function removed(nodes: Nodes, nodeId: string, now: number): Change<PairedNode | undefined> {
  const node = findNode(nodes, nodeId);
  const live = livePending(nodes, now);
  const others = live.filter((one) => one.nodeId !== nodeId);
  if (!node) return [others.length === live.length ? {} : { pending: byId(others) }, undefined];
  const { [nodeId]: _gone, ...paired } = nodes.paired;
  return [{ paired, pending: byId(others) }, node];
}

export function renamed(
  nodes: Nodes,
  { nodeId, displayName }: { readonly nodeId: string; readonly displayName: string },
): Change<PairedNode | undefined> {
  return changed(nodes, nodeId, { displayName });
}

/** Changes a paired node; does nothing for others. */
export function changed(nodes: Nodes, nodeId: string, patch: Partial<PairedNode>): Change<PairedNode | undefined> {
  const node = findNode(nodes, nodeId);
  if (!node) return [{}, undefined];
  const next = { ...node, ...patch };
  return [{ paired: { ...nodes.paired, [nodeId]: next } }, next];
}

/** Whether all capabilities and commands of one are also in the other. */
export const coversSurface = (
  approvedOnes: Pick<NodeFacts, 'caps' | 'commands'>,
  requested: Pick<NodeFacts, 'caps' | 'commands'>,
): boolean =>
  requested.commands.every((name) => approvedOnes.commands.includes(name)) &&
  requested.caps.every((name) => approvedOnes.caps.includes(name));

const sameSurface = (a: NodeFacts, b: NodeFacts): boolean => coversSurface(a, b) && coversSurface(b, a);

const byId = (requests: readonly NodeRequest[]): Record<string, NodeRequest> =>
  Object.fromEntries(requests.map((request) => [request.requestId, request]));

const without = (nodes: Nodes, requestId: string, now: number): Record<string, NodeRequest> =>
  byId(livePending(nodes, now).filter((one) => one.requestId !== requestId));
