/** A gateway whose only feature is exec, over approvals and processes in memory. */
import { canonicalSessionKey } from '../../core/session-key.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { createFeatureEvents } from '../../host/feature-events.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';
import { approvalMethods } from './approval-methods.ts';
import type { ExecServices } from './exec-service.ts';
import { createFakeApprovals } from './fake-approvals.ts';
import { createFakeProcesses } from './fake-processes.ts';
import exec from './index.ts';
import { processMethods } from './process-methods.ts';
import { relayOutput } from './output-relay.ts';
import { relayExec } from './wire.ts';

export async function startExecGateway(
  explainSandbox: ExecServices['explainSandbox'] = async () => ({
    sandboxed: false,
    because: 'fake',
    mounts: [],
    notes: [],
  }),
  { start = startTestGateway, clock = systemClock }: { start?: typeof startTestGateway; clock?: Clock } = {},
) {
  const approvals = createFakeApprovals();
  const processes = createFakeProcesses();
  const events = createFeatureEvents();
  const unfollow = relayExec({ approvals, processes }, events.publish);
  const output = relayOutput(processes, clock);
  const named = { canonicalKey: (raw: string) => canonicalSessionKey(raw), agentIds: () => ['main', 'work'] };
  const methods = { ...approvalMethods(approvals), ...processMethods({ processes, output, explainSandbox, ...named }) };
  const gateway = await start({
    services: {
      features: [{ feature: exec, parts: { methods, clients: { admitted: () => undefined, left: output.leave } } }],
      featureEvents: events.subscribe,
    },
  });
  return Object.assign(gateway, { approvals, processes, unfollow });
}

export type ExecGateway = Awaited<ReturnType<typeof startExecGateway>>;
