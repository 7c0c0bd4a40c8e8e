/** Doctor checks of nodes: paired, pending, and with fewer commands than possible. */
import { type Check, ok, warn } from '../../cli/doctor/check.ts';
import type { GatewayLink } from '../../cli/gateway-link.ts';
import { AppError } from '../../core/errors.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import type { NodeView } from './answers.ts';

export const checks: readonly Check[] = [
  {
    name: 'nodes',
    async run({ gateway }) {
      if (!('link' in gateway)) return ok('needs a running gateway');
      const nodes = await nodesOf(gateway.link);
      if (!nodes) return ok('this gateway has no nodes');
      if (nodes.length === 0) return ok('none');
      const [waiting] = nodes.filter(({ requestId }) => requestId !== undefined);
      if (waiting)
        return warn(
          `${visibleLine(waiting.displayName ?? waiting.nodeId)} waits for approval of its commands`,
          `Run \`${OWN_COMMAND} nodes pending\` to see what it offers.`,
        );
      const connected = nodes.filter((node) => node.connected).length;
      return ok(`${nodes.length} paired, ${connected} connected`);
    },
  },
];

/** Undefined: the gateway does not know the method. */
async function nodesOf(link: GatewayLink): Promise<readonly NodeView[] | undefined> {
  try {
    return (await link.request<{ readonly nodes: readonly NodeView[] }>('node.list', {})).nodes;
  } catch (error) {
    if (error instanceof AppError && error.message.startsWith('unknown method')) return undefined;
    throw error;
  }
}
