/** Paired nodes and pending requests, in two private files: `nodes/paired.json` and `nodes/pending.json`. */
import { z } from 'zod';
import type { Log } from '../../../core/log.ts';
import type { Clock } from '../../../platform/clock.ts';
import { openPairingFiles } from '../../../host/pairing-files.ts';
import {
  approved,
  changed,
  findNode,
  livePending,
  rejected,
  removed,
  renamed,
  requested,
  type Nodes,
  type RequestManner,
} from './node-changes.ts';
import { hasToken, nodeRequest, pairedNode, type NodeFacts, type NodeRequest, type PairedNode } from './node-record.ts';

/** The paired nodes and pending requests. A change is used only after it is on disk. */
export interface NodeStore {
  find(nodeId: string): PairedNode | undefined;
  paired(): readonly PairedNode[];
  /** Newest first, without expired ones. */
  pending(): readonly NodeRequest[];
  request(
    facts: NodeFacts,
    manner?: RequestManner,
  ): Promise<{ readonly request: NodeRequest; readonly created: boolean }>;
  approve(requestId: string): Promise<{ readonly request: NodeRequest; readonly node: PairedNode } | undefined>;
  reject(requestId: string): Promise<NodeRequest | undefined>;
  remove(nodeId: string): Promise<PairedNode | undefined>;
  rename(what: { readonly nodeId: string; readonly displayName: string }): Promise<PairedNode | undefined>;
  /** Records that the node connected or disconnected. */
  seen(nodeId: string, patch: Partial<PairedNode>): Promise<PairedNode | undefined>;
  verify(nodeId: string, token: string): PairedNode | undefined;
}

/** Dependencies of the store. */
export interface NodeStoreDeps {
  /** Absolute path. */
  readonly dir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export async function openNodeStore({ dir, clock, log }: NodeStoreDeps): Promise<NodeStore> {
  const { state, change } = await openPairingFiles<Nodes>({
    dir,
    clock,
    log,
    schemas: { paired: z.record(z.string(), pairedNode), pending: z.record(z.string(), nodeRequest) },
    empty: { paired: {}, pending: {} },
    damagedEvent: 'nodes.corrupt',
  });

  return {
    find: (nodeId) => findNode(state(), nodeId),
    paired: () => Object.values(state().paired),
    pending: () => livePending(state(), clock.now()),
    request: (facts, manner = {}) => change((nodes, now) => requested(nodes, { facts, manner }, now)),
    approve: (requestId) => change((nodes, now) => approved(nodes, requestId, now)),
    reject: (requestId) => change((nodes, now) => rejected(nodes, requestId, now)),
    remove: (nodeId) => change((nodes, now) => removed(nodes, nodeId, now)),
    rename: (what) => change((nodes) => renamed(nodes, what)),
    seen: (nodeId, patch) => change((nodes) => changed(nodes, nodeId, patch)),
    verify(nodeId, token) {
      const node = findNode(state(), nodeId);
      return hasToken(node, token) ? node : undefined;
    },
  };
}
