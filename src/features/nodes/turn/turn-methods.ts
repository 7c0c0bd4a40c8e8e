/** Methods of the `nodes` tool for one turn: within the rights of its requesters, and with their approval. */
import { AppError } from '../../../core/errors.ts';
import { assertAllowed, may, type RecordAccess } from '../../../core/may.ts';
import type { Turn } from '../../../core/turn.ts';
import type { ToolCall, ToolMethods } from '../../../host/feature.ts';
import type { Host } from '../../../host/host.ts';
import { PUBLIC_COMMAND } from '../../../platform/own-command.ts';
import type { NodesConfig } from '../config.ts';
import type { NodeService } from '../create-nodes.ts';
import { openToTurns, runsPrograms } from '../invoke/command-policy.ts';
import { nodeDescribeParams, nodeInvokeParams, nodePairDecisionParams } from '../wire.ts';
import { readParams } from './read-params.ts';
import { requesterWords } from './requester-words.ts';
import { runOnNode } from './run-on-node.ts';

export interface TurnMethodsDeps {
  readonly turn: Turn;
  readonly keep: RecordAccess | undefined;
  readonly nodes: NodeService;
  readonly agents: Pick<Host['agents'], 'permitElsewhere'>;
  readonly now: () => number;
  config(): NodesConfig;
}

export function createTurnMethods(deps: TurnMethodsDeps): ToolMethods {
  const { turn, nodes, now, keep } = deps;
  const mayUse = (): void => {
    const check = may(turn.authority, 'use', { kind: 'node' });
    assertAllowed(check, 'No node was used.');
    keep?.(turn, check);
  };
  const mayDecide = (): void => {
    const check = may(turn.authority, 'change', { kind: 'configuration' });
    assertAllowed(check, 'The request is still open.');
    keep?.(turn, check);
  };
  return {
    async 'node.list'() {
      mayUse();
      await nodes.requestConnected();
      return { ts: now(), nodes: nodes.list() };
    },
    async 'node.describe'(params: unknown) {
      mayUse();
      return { ts: now(), ...nodes.find(readParams(nodeDescribeParams, params).nodeId) };
    },
    async 'node.pair.list'() {
      mayUse();
      await nodes.requestConnected();
      return { pending: nodes.store.pending().map(nodes.shownRequest), nodes: nodes.list() };
    },
    async 'node.pair.approve'(params: unknown) {
      mayDecide();
      const { requestId } = readParams(nodePairDecisionParams, params);
      const open = nodes.store.pending().find((one) => one.requestId === requestId);
      if (open?.commands.some(runsPrograms))
        throw new AppError(
          'denied',
          'This node asks to run programs; only a person approves that: ' +
            `\`${PUBLIC_COMMAND} nodes approve ${requestId}\`.`,
        );
      const done = await nodes.store.approve(requestId);
      if (!done) throw unknownRequest();
      nodes.resolved(done.request, 'approved');
      return { requestId, nodeId: done.node.nodeId, commands: done.node.commands };
    },
    async 'node.pair.reject'(params: unknown) {
      mayDecide();
      const { requestId } = readParams(nodePairDecisionParams, params);
      const request = await nodes.store.reject(requestId);
      if (!request) throw unknownRequest();
      nodes.resolved(request, 'rejected');
      return { requestId, nodeId: request.nodeId };
    },
    async 'node.invoke'(params: unknown, { signal }: ToolCall) {
      mayUse();
      const { nodeId, command, params: input, timeoutMs, idempotencyKey } = readParams(nodeInvokeParams, params);
      if (!openToTurns(command, deps.config())) throw notForTurns(command);
      const requester = requesterWords(turn.authority);
      return nodes.invoke({ node: nodeId, command, params: input, timeoutMs, idempotencyKey, requester, signal });
    },
    async 'node.run'(params: unknown, call: ToolCall) {
      mayUse();
      return runOnNode(params, call, { ...deps, requester: requesterWords(turn.authority) });
    },
  };
}

function notForTurns(command: string): AppError {
  const how = runsPrograms(command)
    ? 'use the action run for commands: a person approves them'
    : 'a person can allow it: add it to gateway.nodes.allowCommands';
  return new AppError('denied', `Agents may not invoke "${command}"; ${how}.`, {
    details: { reason: 'command not open to agents', command },
  });
}

const unknownRequest = (): AppError =>
  new AppError('not_found', 'unknown requestId: it was answered already, or has expired', {
    details: { code: 'PAIRING_REQUEST_NOT_FOUND' },
  });
