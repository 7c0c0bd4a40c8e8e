/** A node as `node.list` and `node.describe` show it: stored facts, and current state. */
import { present } from '../../../core/present.ts';
import type { NodeView } from '../answers.ts';
import type { NodesConfig } from '../config.ts';
import { isAllowed } from '../invoke/command-policy.ts';
import { SENSOR_OF } from '../viewer/sensors.ts';
import type { ActiveInvoke } from '../invoke/invoker.ts';
import { coversSurface } from '../store/node-changes.ts';
import type { NodeFacts, NodeRequest, PairedNode } from '../store/node-record.ts';
import type { ConnectedNode } from './connected-nodes.ts';

/** Everything the gateway knows about a node. */
export interface KnownNode {
  readonly paired: PairedNode | undefined;
  readonly connected: ConnectedNode | undefined;
  readonly pending: NodeRequest | undefined;
  readonly active: readonly ActiveInvoke[];
}

/** The commands that can be invoked now: declared, enabled on the node, allowed by the policy, and approved. */
export function usableCommands({ paired, connected }: Pick<KnownNode, 'paired' | 'connected'>, config: NodesConfig) {
  const off = connected?.unavailable ?? {};
  const declared = (connected?.facts.commands ?? paired?.commands ?? []).filter((name) => !Object.hasOwn(off, name));
  const platform = connected?.facts.platform ?? paired?.platform;
  return declared.filter((name) => isAllowed(name, platform, config) && paired?.commands.includes(name) === true);
}

/** What a person is asked to approve: the declared commands that the configuration allows. */
export const surfaceOf = (facts: NodeFacts, config: NodesConfig): NodeFacts => ({
  ...facts,
  commands: facts.commands.filter((name) => isAllowed(name, facts.platform, config)),
});

export function viewOf(node: KnownNode, config: NodesConfig): NodeView {
  const { paired, connected, pending, active } = node;
  const facts = { ...paired, ...connected?.facts };
  const link = connected?.link;
  return present({
    nodeId: (connected ?? paired)!.nodeId,
    displayName: paired?.displayName ?? facts.displayName,
    platform: facts.platform,
    version: facts.version,
    clientId: facts.clientId,
    clientMode: facts.clientMode,
    deviceFamily: facts.deviceFamily,
    modelIdentifier: facts.modelIdentifier,
    remoteIp: facts.remoteIp,
    caps: facts.caps ?? [],
    commands: usableCommands(node, config),
    permissions: connected?.permissions ?? facts.permissions,
    unavailable: connected?.unavailable,
    inUse: inUse(active),
    background: connected?.background,
    hostStats: connected?.hostStats,
    pathEnv: connected?.pathEnv,
    approvalState: approvalState(node, config),
    requestId: pending?.requestId,
    connectedAtMs: link?.connectedAt,
    lastConnectedAtMs: link?.connectedAt ?? paired?.lastConnectedAtMs,
    lastSeenAtMs: link?.connectedAt ?? paired?.lastSeenAtMs,
    lastSeenReason: link ? 'connect' : paired?.lastSeenReason,
    approvedAtMs: paired?.approvedAtMs,
    paired: paired !== undefined,
    connected: connected !== undefined,
  });
}

function approvalState({ paired, connected, pending }: KnownNode, config: NodesConfig): NodeView['approvalState'] {
  if (!paired) return pending ? 'pending-approval' : 'unapproved';
  return connected && !coversSurface(paired, surfaceOf(connected.facts, config)) ? 'pending-reapproval' : 'approved';
}

/** Sensors in use, each with its requester. */
const inUse = (active: readonly ActiveInvoke[]): NodeView['inUse'] =>
  active.flatMap(({ command, requester, startedAt }) => {
    const what = SENSOR_OF[command];
    return what === undefined ? [] : [{ what, by: requester, sinceMs: startedAt }];
  });

/** Connected ones first, then by name. */
export const inOrder = (nodes: readonly NodeView[]): readonly NodeView[] =>
  [...nodes].sort(
    (a, b) =>
      Number(b.connected) - Number(a.connected) ||
      (a.displayName ?? a.nodeId).localeCompare(b.displayName ?? b.nodeId, 'en') ||
      (a.nodeId < b.nodeId ? -1 : 1),
  );
