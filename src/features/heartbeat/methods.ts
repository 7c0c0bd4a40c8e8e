/** The gateway methods of heartbeats: the last tick, and the switch for all of them. */
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import { requireAgentId } from '../../host/named-session.ts';
import type { HostAgents } from '../../host/host.ts';
import type { Heartbeats } from './create-heartbeats.ts';
import type { HeartbeatAnswers } from './answers.ts';
import { lastHeartbeatParams, setHeartbeatsParams } from './wire.ts';

export const heartbeatSpecs = defineMethods({
  'last-heartbeat': {
    summary: 'Returns the result of the last heartbeat of an agent and the time of the next; null if there was none.',
    needs: 'operator.read',
    params: lastHeartbeatParams,
  },
  'set-heartbeats': {
    summary: 'Turns the heartbeats of all agents on or off until the next start.',
    needs: 'operator.admin',
    params: setHeartbeatsParams,
  },
});

export const heartbeatMethods = (
  heartbeats: Pick<Heartbeats, 'last' | 'agents' | 'enabled' | 'setEnabled'>,
  agents: Pick<HostAgents, 'ids'>,
): MethodWorks<typeof heartbeatSpecs, HeartbeatAnswers> => ({
  'last-heartbeat'({ agentId }) {
    if (agentId !== undefined) requireAgentId({ agentIds: agents.ids }, agentId);
    const last = heartbeats.last(agentId?.toLowerCase());
    if (!last) return null;
    return {
      ...last,
      nextAtMs: heartbeats.agents().find((agent) => agent.agentId === last.agentId)?.nextAtMs ?? null,
      enabled: heartbeats.enabled,
    };
  },

  'set-heartbeats'({ enabled }) {
    heartbeats.setEnabled(enabled);
    return { ok: true, enabled };
  },
});
