/** Gateway methods `node.*` except pairing: list nodes, invoke commands, receive results. */
import { AppError } from '../../core/errors.ts';
import { allow } from '../../core/principal.ts';
import { present } from '../../core/present.ts';
import { defineMethods, refuse, type MethodCall, type MethodWorks } from '../../host/method.ts';
import type { Clock } from '../../platform/clock.ts';
import { uuid } from '../../platform/ids.ts';
import { nodeIdOf, type ConnectedNode } from './connected/connected-nodes.ts';
import type { NodeService } from './create-nodes.ts';
import { nodeEvent, type NodeEventDeps } from './events/node-events.ts';
import { runsPrograms } from './invoke/command-policy.ts';
import {
  nodeApprovalsGetParams,
  nodeApprovalsSetParams,
  nodeDescribeParams,
  nodeEventParams,
  nodeInvokeParams,
  nodeInvokeProgressParams,
  nodeInvokeResultParams,
  nodeListParams,
  nodePluginToolsUpdateParams,
  nodeRunnerInventoryParams,
  nodeSkillsUpdateParams,
} from './wire.ts';

export const nodeSpecs = defineMethods({
  'node.list': {
    summary: 'Lists nodes, connected ones first.',
    needs: 'operator.read',
    params: nodeListParams,
  },
  'node.describe': {
    summary: 'Describes one node: commands, permissions, load, what is in use.',
    needs: 'operator.read',
    params: nodeDescribeParams,
  },
  'node.invoke': {
    summary: 'Runs a command of a node and returns its result. Commands that run programs need `operator.admin`.',
    needs: 'operator.write',
    params: nodeInvokeParams,
  },
  'node.invoke.result': {
    summary: 'Reports the result of a command; by the node. A late one is ignored.',
    needs: 'node',
    params: nodeInvokeResultParams,
  },
  'node.invoke.progress': {
    summary: 'Reports a piece of the result of a command, in order; by the node.',
    needs: 'node',
    params: nodeInvokeProgressParams,
  },
  'node.event': {
    summary: 'Reports something that happened on the node; by the node.',
    needs: 'node',
    params: nodeEventParams,
  },
  'node.skills.update': {
    summary: 'Reports skills of the node; none are used.',
    needs: 'node',
    params: nodeSkillsUpdateParams,
  },
  'node.pluginTools.update': {
    summary: 'Reports tools of plugins of the node; none are used.',
    needs: 'node',
    params: nodePluginToolsUpdateParams,
  },
  'node.runnerInventory.update': {
    summary: 'Reports what the node runs besides commands; none of it is used.',
    needs: 'node',
    params: nodeRunnerInventoryParams,
  },
  'exec.approvals.node.get': {
    summary: 'Returns the approvals file of a node.',
    needs: 'operator.admin',
    params: nodeApprovalsGetParams,
  },
  'exec.approvals.node.set': {
    summary: 'Replaces the approvals file of a node.',
    needs: 'operator.admin',
    params: nodeApprovalsSetParams,
  },
});

export interface NodeMethodDeps {
  readonly nodes: NodeService;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: NodeEventDeps;
}

export const nodeMethods = ({ nodes, clock, events }: NodeMethodDeps): MethodWorks<typeof nodeSpecs> => ({
  async 'node.list'() {
    await nodes.requestConnected();
    return { ts: clock.now(), nodes: nodes.list() };
  },

  'node.describe': ({ nodeId }) => ({ ts: clock.now(), ...nodes.find(nodeId) }),

  async 'node.invoke'({ nodeId, command, params, timeoutMs, idempotencyKey }, call) {
    if (command.startsWith('system.execApprovals.'))
      throw refuse('node.invoke does not allow system.execApprovals.*; use exec.approvals.node.*', { command });
    if (runsPrograms(command) && !allow(call.principal, 'operator.admin'))
      throw new AppError('denied', 'missing scope: operator.admin', {
        details: { code: 'MISSING_SCOPE', missingScope: 'operator.admin' },
      });
    return nodes.invoke({
      node: nodeId,
      command,
      params,
      timeoutMs,
      idempotencyKey,
      requester: requesterOf(call),
      signal: call.signal,
    });
  },

  'node.invoke.result'(result, call) {
    mustBe(result.nodeId, call, nodes);
    return nodes.invoker.result(result);
  },

  'node.invoke.progress'(piece, call) {
    mustBe(piece.nodeId, call, nodes);
    return nodes.invoker.piece(piece);
  },

  async 'node.event'({ event, payload, payloadJSON }, call) {
    const node = nodeOf(call, nodes);
    const outcome = await nodeEvent(node, { event, payload: payload ?? readJson(payloadJSON) }, events);
    return { ok: true, event, ...outcome };
  },

  // Accepted so that hosts which send them continue; the answer says that none are used.
  'node.skills.update': (_params, call) => ({ nodeId: nodeOf(call, nodes).nodeId, skills: [] }),
  'node.pluginTools.update': (_params, call) => ({ nodeId: nodeOf(call, nodes).nodeId, tools: [] }),
  'node.runnerInventory.update': (_params, call) => ({ nodeId: nodeOf(call, nodes).nodeId }),

  'exec.approvals.node.get': ({ nodeId }, call) => approvalsOf(nodeId, 'get', {}, { call, nodes }),
  'exec.approvals.node.set': ({ nodeId, ...change }, call) => approvalsOf(nodeId, 'set', change, { call, nodes }),
});

/** A call about the approvals file of a node. */
interface NodeFileCall {
  readonly call: MethodCall;
  readonly nodes: NodeService;
}

async function approvalsOf(
  node: string,
  act: 'get' | 'set',
  params: object,
  { call, nodes }: NodeFileCall,
): Promise<Record<string, unknown>> {
  const { payload } = await nodes.invoke({
    node,
    command: `system.execApprovals.${act}`,
    params,
    idempotencyKey: uuid(),
    requester: requesterOf(call),
    signal: call.signal,
  });
  if (typeof payload !== 'object' || payload === null)
    throw new AppError('bad_response', 'the node sent no approvals file');
  return payload as Record<string, unknown>;
}

/** The requester, as the gateway identified it. */
function requesterOf({ principal, deviceName }: MethodCall): string {
  const who = deviceName ?? (principal.kind === 'operator' ? principal.id.slice(0, 12) : principal.kind);
  return `operator ${who}`;
}

/** The node of this connection; a connection that was replaced by a newer one is rejected. */
function nodeOf({ client }: MethodCall, nodes: NodeService): ConnectedNode {
  const node = client && nodes.connected.get(nodeIdOf(client));
  if (node && node.link === client) return node;
  throw new AppError('unavailable', 'this connection was replaced by a newer one of the same node');
}

/** A node may only act for itself. */
function mustBe(nodeId: string, call: MethodCall, nodes: NodeService): void {
  if (nodeOf(call, nodes).nodeId !== nodeId)
    throw new AppError('invalid', 'nodeId mismatch: a node reports its own results only', {
      details: { code: 'NODE_ID_MISMATCH' },
    });
}

function readJson(text: string | null | undefined): unknown {
  if (text === null || text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse('payloadJSON: not JSON', present({ code: 'INVALID_JSON' }));
  }
}
