/** Approvals, processes and tools behind the wire, in memory. */
import type { GatewayServices } from '../gateway/services.ts';
import { createFakeApprovals, type FakeApprovals } from './fake-approvals.ts';
import { createFakeProcesses, type FakeProcesses } from './fake-processes.ts';
import { createFakeTools, type FakeTools } from './fake-tools.ts';

export function fakeHands(): Pick<GatewayServices, 'explainSandbox'> & {
  readonly approvals: FakeApprovals;
  readonly processes: FakeProcesses;
  readonly tools: FakeTools;
} {
  return {
    approvals: createFakeApprovals(),
    processes: createFakeProcesses(),
    tools: createFakeTools(),
    explainSandbox: async () => ({ sandboxed: false, because: 'fake', mounts: [], notes: [] }),
  };
}
