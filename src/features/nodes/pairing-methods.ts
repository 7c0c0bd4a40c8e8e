/** Gateway methods `node.pair.*` and `node.rename`. */
import { AppError } from '../../core/errors.ts';
import { allow, type OperatorScope } from '../../core/principal.ts';
import { present } from '../../core/present.ts';
import type { HostGateway } from '../../host/host.ts';
import { defineMethods, refuse, type MethodCall, type MethodWorks } from '../../host/method.ts';
import type { NodeService } from './create-nodes.ts';
import { REQUEST_MINUTES } from './create-nodes.ts';
import { approveScopes } from './invoke/command-policy.ts';
import { nameList, shownNode } from './store/node-record.ts';
import {
  nodePairDecisionParams,
  nodePairListParams,
  nodePairRemoveParams,
  nodePairRequestParams,
  nodePairVerifyParams,
  nodeRenameParams,
} from './wire.ts';

export const pairingSpecs = defineMethods({
  'node.pair.request': {
    summary: 'Asks that a node be paired; the same again returns the open request.',
    needs: 'operator.pairing',
    params: nodePairRequestParams,
  },
  'node.pair.list': {
    summary: 'Lists nodes that wait for approval, and paired nodes.',
    needs: 'operator.pairing',
    params: nodePairListParams,
  },
  'node.pair.approve': {
    summary: 'Approves a node with the commands it asks for; it gets a new token.',
    needs: 'operator.pairing',
    params: nodePairDecisionParams,
  },
  'node.pair.reject': {
    summary: 'Rejects the request of a node.',
    needs: 'operator.pairing',
    params: nodePairDecisionParams,
  },
  'node.pair.remove': {
    summary: 'Removes a node and closes its connection; to connect again it needs a new approval.',
    needs: 'operator.pairing',
    params: nodePairRemoveParams,
  },
  'node.pair.verify': {
    summary: 'Says whether a token is the one of a paired node.',
    needs: 'operator.pairing',
    params: nodePairVerifyParams,
  },
  'node.rename': { summary: 'Renames a paired node.', needs: 'operator.pairing', params: nodeRenameParams },
});

export interface PairingDeps {
  readonly nodes: NodeService;
  readonly devices: HostGateway['devices'];
  readonly publish: HostGateway['publish'];
}

export const pairingMethods = ({ nodes, devices, publish }: PairingDeps): MethodWorks<typeof pairingSpecs> => ({
  async 'node.pair.request'({ silent, caps = [], commands = [], ...facts }) {
    const { request, created } = await nodes.store.request(
      present({ ...facts, caps: nameList(caps), commands: nameList(commands) }),
      present({ silent: silent || undefined, byToken: true }),
    );
    const shown = nodes.shownRequest(request);
    if (created) publish('node.pair.requested', shown);
    return { status: 'pending', request: shown, created };
  },

  async 'node.pair.list'() {
    await nodes.requestConnected();
    return { pending: nodes.store.pending().map(nodes.shownRequest), paired: nodes.store.paired().map(shownNode) };
  },

  async 'node.pair.approve'({ requestId }, call) {
    const { request, node } = await approveRequest(requestId, call, nodes);
    // A node with a device key authenticates with it; the token is for nodes that were requested by name.
    return { requestId, node: request.byToken ? node : shownNode(node) };
  },

  async 'node.pair.reject'({ requestId }) {
    const request = await nodes.store.reject(requestId);
    if (!request) throw unknownRequest();
    nodes.resolved(request, 'rejected');
    return { requestId, nodeId: request.nodeId };
  },

  'node.pair.remove': ({ nodeId }) => removeNode(nodeId, { nodes, devices }),

  'node.pair.verify'({ nodeId, token }) {
    const node = nodes.store.verify(nodeId, token);
    return node ? { ok: true, node: shownNode(node) } : { ok: false };
  },

  async 'node.rename'({ nodeId, displayName }) {
    const node = await nodes.store.rename({ nodeId: nodes.find(nodeId).nodeId, displayName });
    if (!node) throw refuse('this node is not paired; approve it first', { code: 'NODE_NOT_PAIRED' });
    nodes.changed(node.nodeId);
    return { nodeId: node.nodeId, displayName };
  },
});

/** Only owners may approve commands that run programs. */
async function approveRequest(requestId: string, { principal }: Pick<MethodCall, 'principal'>, nodes: NodeService) {
  const request = nodes.store.pending().find((one) => one.requestId === requestId);
  if (!request) throw unknownRequest();
  for (const scope of approveScopes(request.commands))
    if (!allow(principal, scope as OperatorScope))
      throw new AppError('denied', `missing scope: ${scope}`, {
        details: { code: 'MISSING_SCOPE', missingScope: scope },
      });
  const done = await nodes.store.approve(requestId);
  if (!done) throw unknownRequest();
  nodes.resolved(done.request, 'approved');
  return done;
}

/** Removes it from the store, and from the devices that may connect as nodes. */
async function removeNode(
  query: string,
  { nodes, devices }: Pick<PairingDeps, 'nodes' | 'devices'>,
): Promise<{ readonly nodeId: string }> {
  const { nodeId } = nodes.find(query);
  const reason = 'device removed';
  const link = nodes.connected.get(nodeId)?.link;
  await nodes.store.remove(nodeId);
  nodes.resolved({ requestId: '', nodeId }, 'removed');
  link?.close(4001, reason);
  await devices.retire({ deviceId: nodeId, role: 'node', reason });
  return { nodeId };
}

const unknownRequest = (): AppError =>
  refuse(`unknown requestId: it was answered, or is older than ${REQUEST_MINUTES} minutes`, {
    code: 'PAIRING_REQUEST_NOT_FOUND',
  });
