/** Selects the node of a call: the one it names, or the only one with a canvas. */
import { AppError, head } from '../../../../sdk/index.ts';
import type { Rpc } from './own-canvas.ts';

/** A node as the gateway lists it. */
export interface ChosenNode {
  readonly nodeId: string;
  readonly displayName?: string;
  /** What it may be asked for now; absent where it is not told. */
  readonly commands?: readonly string[];
}

interface ListedNode extends ChosenNode {
  readonly platform?: string;
  readonly remoteIp?: string;
  readonly caps?: readonly string[];
  readonly connected?: boolean;
}

/** What a model writes for the canvas of its own conversation. */
const GATEWAY = 'gateway';
const MIN_PREFIX = 6;
const MAX_NAMED = 20;

/** It shows addresses and nothing else: a browser, whose surfaces are those of the gateway's own viewer. */
export const isViewer = ({ commands = [] }: ChosenNode): boolean =>
  commands.includes('canvas.navigate') && !commands.includes('canvas.a2ui.pushJSONL');

/** Undefined: the gateway's own canvas. Throws `AppError('invalid')` for an unknown or ambiguous name. */
export async function chooseNode(written: string | undefined, rpc: Rpc): Promise<ChosenNode | undefined> {
  const query = written?.trim() ?? '';
  if (query.toLowerCase() === GATEWAY) return undefined;
  const nodes = await listNodes(rpc);
  return query === '' ? usual(nodes) : named(query, nodes);
}

/** Where the gateway has no nodes at all, there are none to choose from. */
async function listNodes(rpc: Rpc): Promise<readonly ListedNode[]> {
  for (const method of ['node.list', 'node.pair.list'])
    try {
      return nodesOf(await rpc(method, {}));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  return [];
}

function nodesOf(answer: unknown): readonly ListedNode[] {
  const { nodes, paired } = (answer ?? {}) as { readonly nodes?: unknown; readonly paired?: unknown };
  const listed = Array.isArray(nodes) ? nodes : Array.isArray(paired) ? paired : [];
  return listed.filter((one): one is ListedNode => typeof (one as ListedNode | null)?.nodeId === 'string');
}

function usual(nodes: readonly ListedNode[]): ListedNode | undefined {
  // A canvas that its person switched off is none.
  const able = nodes.filter(
    ({ caps, commands }) =>
      (!caps || caps.includes('canvas')) &&
      (commands === undefined || commands.some((name) => name.startsWith('canvas.'))),
  );
  const connected = able.filter((node) => node.connected);
  const candidates = connected.length > 0 ? connected : able;
  if (candidates.length <= 1) return candidates[0];
  const macs = candidates.filter(
    ({ platform, nodeId }) => platform?.toLowerCase().startsWith('mac') && nodeId.startsWith('mac-'),
  );
  if (macs.length === 1) return macs[0];
  throw new AppError(
    'invalid',
    `node required: ${namesOf(candidates)}, or "${GATEWAY}" for the canvas of this conversation`,
  );
}

function named(query: string, nodes: readonly ListedNode[]): ListedNode {
  const normal = nameOf(query);
  const found = nodes.filter(
    ({ nodeId, remoteIp, displayName }) =>
      nodeId === query ||
      remoteIp === query ||
      (displayName !== undefined && normal !== '' && nameOf(displayName) === normal) ||
      (query.length >= MIN_PREFIX && nodeId.startsWith(query)),
  );
  const exact = found.find(({ nodeId }) => nodeId === query);
  if (exact ?? found.length === 1) return (exact ?? found[0])!;
  if (found.length > 1)
    throw new AppError('invalid', `ambiguous node: ${head(query, 100)} (matches: ${namesOf(found)})`);
  throw new AppError(
    'invalid',
    `unknown node: ${head(query, 100)} (known: ${namesOf(nodes) || 'none'}; ` +
      `"${GATEWAY}" is the canvas of this conversation)`,
  );
}

const nameOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const namesOf = (nodes: readonly ListedNode[]): string =>
  nodes
    .slice(0, MAX_NAMED)
    .map(({ displayName, nodeId }) => displayName ?? nodeId)
    .join(', ');
