/**
 * Wakes an agent because something happened: a turn of its own, at once or behind the one that runs; or a note for its
 * next turn.
 */
import { AppError } from '../../core/errors.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { Moment } from '../../core/time-line.ts';
import { eventTask } from './beat-text.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Runs } from '../../host/runs.ts';
import type { Nudged, WakeRequest, WakeResult } from '../../host/wake.ts';
import { wakeEnd } from '../../host/wake-end.ts';
import type { SystemEvents } from '../../host/system-events.ts';
import type { Beat } from './beat.ts';
import { heardByWaiters } from '../../platform/settled.ts';

export interface WakeAgentDeps {
  readonly events: SystemEvents;
  readonly runs: Pick<Runs, 'whenEnded'>;
  find(runId: string): InboundRow | undefined;
  isAgent(agentId: string): boolean;
  sessionFor(agentId: string): SessionKey;
  beatIn(agentId: string, sessionKey: SessionKey): Promise<Beat>;
  skipped(beat: Beat, reason: string): void;
  moment(): Moment;
}

export function createWakeAgent(deps: WakeAgentDeps): (request: WakeRequest) => Promise<Nudged> {
  const { events } = deps;

  async function note(
    { id, agentId, text, authority }: WakeRequest,
    sessionKey: SessionKey,
    why: Omit<WakeResult, 'status'> = {},
  ): Promise<Nudged> {
    await events.tell({ id, agentId, sessionKey, text, authority, wake: false });
    return { ended: Promise.resolve({ status: 'noted', ...why }) };
  }

  return async (request) => {
    const { agentId, text, id, reason, authority, sessionKey = deps.sessionFor(agentId) } = request;
    if (!deps.isAgent(agentId)) throw new AppError('not_found', `There is no agent "${agentId}".`);
    if (request.mode === 'next-heartbeat') return note(request, sessionKey);
    const beat = await deps.beatIn(agentId, sessionKey);
    if (beat.skip) {
      deps.skipped(beat, beat.skip.reason);
      return request.ifSkipped === 'note'
        ? note(request, sessionKey, beat.skip)
        : { ended: Promise.resolve({ status: 'skipped', ...beat.skip }) };
    }
    const told = await events.tell({
      id,
      agentId,
      sessionKey,
      replyTo: beat.replyTo,
      text,
      authority,
      wake: { trigger: { origin: 'heartbeat', reason }, options: beat.options, task: eventTask(deps.moment()) },
    });
    if (told.status === 'repeated') throw new AppError('internal', 'A wake was taken for a note that was repeated.');
    // The turn goes on, whether anybody waits for its end or not.
    return { runId: told.row.runId, ended: heardByWaiters(wakeEnd(told.row, deps)) };
  };
}
