/** Heartbeats on the wire: how the last look went, and the switch for all of them. */
import { lastHeartbeatParams, setHeartbeatsParams, type LastHeartbeat } from '../../protocol/heartbeat.ts';
import { method, requireAgent, type Methods } from './method.ts';

export const heartbeatMethods: Methods = {
  'last-heartbeat': method({
    summary: 'How an agent\'s last look went and when it looks next; null when nobody has looked yet.',
    needs: 'operator.read',
    params: lastHeartbeatParams,
    run({ agentId }, { services }): LastHeartbeat | null {
      if (agentId !== undefined) requireAgent(services, agentId);
      const { heartbeat } = services;
      const last = heartbeat.last(agentId?.toLowerCase());
      if (!last) return null;
      return { ...last, nextAtMs: heartbeat.agents().find((agent) => agent.agentId === last.agentId)?.nextAtMs ?? null, enabled: heartbeat.enabled };
    },
  }),

  'set-heartbeats': method({
    summary: 'Turns the heartbeats of all agents off or on, until the next start.',
    needs: 'operator.admin',
    params: setHeartbeatsParams,
    run({ enabled }, { services }) {
      services.heartbeat.setEnabled(enabled);
      return { ok: true, enabled };
    },
  }),
};
