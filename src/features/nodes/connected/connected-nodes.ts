/** Connected nodes: one connection each, with the commands it declared and the machine facts it reported. */
import type { ClientLink } from '../../../host/clients.ts';
import { nameList, type NodeFacts } from '../store/node-record.ts';
import { present } from '../../../core/present.ts';

/** Load and room of a node's machine, as it said at a time. */
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
  /** As it declared them in `connect`, bounded. */
  readonly facts: NodeFacts;
  readonly pathEnv?: string | undefined;
  hostStats?: HostStats;
  /** Why it does not offer what one could expect, by command: the words of the node. */
  unavailable?: Readonly<Record<string, string>>;
  /** As they are now, where they changed since it connected. */
  permissions?: Readonly<Record<string, boolean>>;
  /** It cannot use its sensors now, e.g. because the page is in the background. */
  background?: boolean;
}

export interface ConnectedNodes {
  get(nodeId: string): ConnectedNode | undefined;
  all(): readonly ConnectedNode[];
  /** Another connection of the same node is closed: the newest counts. */
  joined(link: ClientLink): ConnectedNode;
  /** Undefined: it had been replaced already. */
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

/** The id of its key; a node that has none is known by its client id, and never paired by it. */
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
