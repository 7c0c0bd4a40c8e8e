/**
 * Invokes node commands for other features during a turn, with the rights, settings and approvals of the tool `nodes`.
 */
import { assertAllowed, may } from '../../../core/may.ts';
import type { NodeCommands } from '../../../host/node-commands.ts';
import type { NodeService } from '../create-nodes.ts';
import { requesterWords } from './requester-words.ts';

export const createNodeCommands = (nodes: Pick<NodeService, 'list' | 'invoke'>): NodeCommands => ({
  offering: (command) =>
    nodes
      .list()
      .filter(({ connected, commands }) => connected && commands.includes(command))
      .map(({ nodeId, displayName }) => ({ id: nodeId, name: displayName ?? nodeId.slice(0, 12) })),
  async call({ turn, keep, ...request }) {
    const check = may(turn.authority, 'use', { kind: 'node' });
    assertAllowed(check, 'No node was used.');
    keep?.(turn, check);
    return (await nodes.invoke({ ...request, requester: requesterWords(turn.authority) })).payload;
  },
});
