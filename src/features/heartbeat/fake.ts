/** The heartbeats behind the wire, in memory: looks that tests make up. */
import type { Heartbeats } from './create-heartbeats.ts';
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';

export interface FakeHeartbeat extends Pick<Heartbeats, 'last' | 'agents' | 'enabled' | 'setEnabled' | 'subscribe'> {
  /** Puts a tick there and tells those who listen. */
  put(report: Partial<HeartbeatReport>): HeartbeatReport;
  readonly listeners: Set<(report: HeartbeatReport) => void>;
}

export function createFakeHeartbeat(): FakeHeartbeat {
  const listeners: FakeHeartbeat['listeners'] = new Set();
  const reports: HeartbeatReport[] = [];
  const state = { enabled: true };
  return {
    listeners,
    put(report) {
      const said: HeartbeatReport = {
        ts: 1,
        agentId: 'main',
        sessionKey: 'agent:main:main',
        status: 'ok',
        reason: 'interval',
        ...report,
      };
      reports.push(said);
      for (const listener of listeners) listener(said);
      return said;
    },
    last: (agentId) => reports.findLast((one) => agentId === undefined || one.agentId === agentId),
    agents: () => [
      {
        agentId: 'main',
        everyMs: 1_800_000,
        nextAtMs: state.enabled ? 1_800_001 : null,
        session: 'agent:main:main',
        target: 'last',
      },
    ],
    get enabled() {
      return state.enabled;
    },
    setEnabled: (enabled) => void (state.enabled = enabled),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
