/** Connected nodes: one connection each, with the commands it declared and the machine facts it reported. */
import type { ClientLink } from '../../../host/clients.ts';
import { nameList, type NodeFacts } from '../store/node-record.ts';
import { present } from '../../../core/present.ts';

/** Load and free resources of a node's machine, with the time of the report. */
export interface HostStats {
  readonly cpuCount: number;
  readonly loadAverage: readonly number[];
  readonly memoryTotalBytes: number;
  readonly memoryFreeBytes: number;
  readonly diskTotalBytes?: number | undefined;
  readonly diskAvailableBytes?: number | undefined;
  readonly updatedAtMs: number;
}

/** One connected node. */
export interface ConnectedNode {
  readonly nodeId: string;
  readonly link: ClientLink;
  /** The commands declared in `connect`, bounded. */
  readonly facts: NodeFacts;
  readonly pathEnv?: string | undefined;
  hostStats?: HostStats;
  /** The node's reason for each command it normally has but cannot offer. */
  unavailable?: Readonly<Record<string, string>>;
  /** The current permissions, if they changed since the node connected. */
  permissions?: Readonly<Record<string, boolean>>;
  /** Sensors cannot be used at the moment, e.g. because the page is in the background. */
  background?: boolean;
}

export interface ConnectedNodes {
  get(nodeId: string): ConnectedNode | undefined;
  all(): readonly ConnectedNode[];
  /** Closes an older connection of the same node: only the newest is used. */
  joined(link: ClientLink): ConnectedNode;
  /** Undefined: a newer connection had already replaced it. */
  left(link: ClientLink): ConnectedNode | undefined;
}

const MAX_PATH_CHARS = 8192;
const MAX_PERMISSIONS = 64;

export function createConnectedNodes(): ConnectedNodes {
  const nodes = new Map<string, ConnectedNode>();
  return {
    get: (nodeId) => nodes.get(nodeId),
    all: () => [...nodes.values()],
    joined(link) {
      const nodeId = nodeIdOf(link);
      nodes.get(nodeId)?.link.close(4000, 'replaced by a newer connection of this node');
      const node: ConnectedNode = present({
        nodeId,
        link,
        facts: factsOfLink(nodeId, link),
        pathEnv: link.offers.pathEnv?.slice(0, MAX_PATH_CHARS),
      });
      nodes.set(nodeId, node);
      return node;
    },
    left(link) {
      const node = nodes.get(nodeIdOf(link));
      if (node?.link !== link) return undefined;
      nodes.delete(node.nodeId);
      return node;
    },
  };
}

/** The id of the device key. A node without one is identified by its client id, which can never be paired. */
export const nodeIdOf = ({ deviceId, client }: Pick<ClientLink, 'deviceId' | 'client'>): string =>
  deviceId ?? client.instanceId ?? client.id;

function factsOfLink(nodeId: string, { client, offers, ip }: ClientLink): NodeFacts {
  const permissions = Object.fromEntries(Object.entries(offers.permissions).slice(0, MAX_PERMISSIONS));
  return present({
    nodeId,
    displayName: client.displayName,
    platform: client.platform,
    version: client.version,
    clientId: client.id,
    clientMode: client.mode,
    deviceFamily: client.deviceFamily,
    modelIdentifier: client.modelIdentifier,
    remoteIp: ip || undefined,
    caps: nameList(offers.caps),
    commands: nameList(offers.commands),
    permissions: Object.keys(permissions).length > 0 ? permissions : undefined,
  });
}
