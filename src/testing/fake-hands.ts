/** Approvals, processes and tools behind the wire, in memory. */
import { AppError } from '../core/errors.ts';
import type { GatewayServices } from '../gateway/services.ts';
import { createFakeProcesses, type FakeProcesses } from './fake-processes.ts';
import { createFakeTools, type FakeTools } from './fake-tools.ts';

export function fakeHands(): Pick<GatewayServices, 'approvals' | 'explainSandbox'> & { readonly processes: FakeProcesses; readonly tools: FakeTools } {
  return {
    approvals: {
      pending: () => [],
      resolve: async (id) => { throw new AppError('not_found', `There is no approval ${id}.`); },
      subscribe: () => () => {},
      file: async () => ({ path: '/fake/exec-approvals.json', exists: false, hash: '', file: { version: 1 } }),
      setFile: async () => ({ path: '/fake/exec-approvals.json', exists: true, hash: 'x', file: { version: 1 } }),
    },
    processes: createFakeProcesses(),
    tools: createFakeTools(),
    explainSandbox: async () => ({ sandboxed: false, because: 'fake' }),
  };
}
