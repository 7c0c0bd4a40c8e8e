/** Approvals, processes and tools behind the wire, in memory. */
import { AppError } from '../core/errors.ts';
import { textResult } from '../core/tool.ts';
import type { GatewayServices } from '../gateway/services.ts';

export function fakeHands(): Pick<GatewayServices, 'approvals' | 'processes' | 'tools' | 'explainSandbox'> {
  return {
    approvals: {
      pending: () => [],
      resolve: async (id) => { throw new AppError('not_found', `There is no approval ${id}.`); },
      subscribe: () => () => {},
      file: async () => ({ path: '/fake/exec-approvals.json', exists: false, hash: '', file: { version: 1 } }),
      setFile: async () => ({ path: '/fake/exec-approvals.json', exists: true, hash: 'x', file: { version: 1 } }),
    },
    processes: { list: async () => [], of: async () => undefined, subscribe: () => () => {} },
    tools: {
      verdicts: async () => ({ agentId: 'main', sessionKey: 'agent:main:main', profile: 'full', verdicts: [], warnings: [] }),
      invoke: async ({ tool }) => textResult(`ran ${tool}`),
    },
    explainSandbox: async () => ({ sandboxed: false, because: 'fake' }),
  };
}
