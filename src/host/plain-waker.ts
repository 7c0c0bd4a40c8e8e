/** Wakes agents where no feature does it in its own way: a turn at once, or a note for the next one. */
import { AppError } from '../core/errors.ts';
import type { SessionKey } from '../core/session-key.ts';
import type { SystemEvents } from './system-events.ts';
import type { Waker } from './wake.ts';
import { wakeEnd, type WakeEndDeps } from './wake-end.ts';
import { heardByWaiters } from '../platform/settled.ts';

export interface PlainWakerDeps extends WakeEndDeps {
  readonly events: SystemEvents;
  isAgent(agentId: string): boolean;
  mainKey(agentId: string): SessionKey;
}

export function createPlainWaker(deps: PlainWakerDeps): Waker {
  const nudge: Waker['nudge'] = async ({ agentId, text, id, reason, mode, authority, sessionKey }) => {
    if (!deps.isAgent(agentId)) throw new AppError('not_found', `There is no agent "${agentId}".`);
    const event = { id, agentId, sessionKey: sessionKey ?? deps.mainKey(agentId), text, authority };
    const wake = mode === 'now' ? { trigger: { origin: 'heartbeat', reason } as const } : false;
    const told = await deps.events.tell({ ...event, wake });
    if (!wake || told.status === 'repeated') return { ended: Promise.resolve({ status: 'noted' }) };
    const ended = wakeEnd(told.row, deps);
    heardByWaiters(ended); // the turn goes on, whether anybody waits or not
    return { runId: told.row.runId, ended };
  };
  return { nudge, wake: async (request) => (await nudge(request)).ended, isAck: () => false };
}
