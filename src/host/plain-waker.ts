/** Wakes agents if no feature provides a waker: with an immediate turn, or a note for the next one. */
import { markHandled } from '../platform/settled.ts';
import { AppError } from '../core/errors.ts';
import type { SessionKey } from '../core/session-key.ts';
import type { SystemEvents } from './system-events.ts';
import type { Waker } from './wake.ts';
import { wakeEnd, type WakeEndDeps } from './wake-end.ts';

/** What waking needs of agents, sessions and system events. */
export interface PlainWakerDeps extends WakeEndDeps {
  readonly events: SystemEvents;
  isAgent(agentId: string): boolean;
  mainKey(agentId: string): SessionKey;
}

/** Creates the waker. `nudge` throws `not_found` for unknown agents. */
export function createPlainWaker(deps: PlainWakerDeps): Waker {
  const nudge: Waker['nudge'] = async ({ agentId, text, id, reason, mode, authority, sessionKey }) => {
    if (!deps.isAgent(agentId)) throw new AppError('not_found', `Unknown agent "${agentId}".`);
    const event = { id, agentId, sessionKey: sessionKey ?? deps.mainKey(agentId), text, authority };
    const wake = mode === 'now' ? { trigger: { origin: 'heartbeat', reason } as const } : false;
    const noted = await deps.events.notify({ ...event, wake });
    if (!wake || noted.status === 'repeated') return { ended: Promise.resolve({ status: 'noted' }) };
    const ended = markHandled(wakeEnd(noted.row, deps)); // the turn goes on in any case
    return { runId: noted.row.runId, ended };
  };
  return { nudge, wake: async (request) => (await nudge(request)).ended, isAck: () => false };
}
