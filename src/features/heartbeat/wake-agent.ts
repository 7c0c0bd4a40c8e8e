/**
 * Wakes an agent after an event: with a separate turn, immediately or after the running one; or with a note for its
 * next turn.
 */
import { markHandled } from '../../platform/settled.ts';
import { AppError } from '../../core/errors.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { LocalTime } from '../../core/time-line.ts';
import { eventTask } from './tick-text.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Runs } from '../../host/runs.ts';
import type { StartedWake, WakeRequest, WakeResult } from '../../host/wake.ts';
import { wakeEnd } from '../../host/wake-end.ts';
import type { SystemEvents } from '../../host/system-events.ts';
import type { Tick } from './tick.ts';

export interface WakeAgentDeps {
  readonly events: SystemEvents;
  readonly runs: Pick<Runs, 'whenEnded'>;
  find(runId: string): Promise<InboundRow | undefined>;
  isAgent(agentId: string): boolean;
  sessionFor(agentId: string): SessionKey;
  tickIn(agentId: string, sessionKey: SessionKey): Promise<Tick>;
  skipped(tick: Tick, reason: string): void;
  localTime(): LocalTime;
}

export function createWakeAgent(deps: WakeAgentDeps): (request: WakeRequest) => Promise<StartedWake> {
  const { events } = deps;

  async function note(
    { id, agentId, text, authority }: WakeRequest,
    sessionKey: SessionKey,
    why: Omit<WakeResult, 'status'> = {},
  ): Promise<StartedWake> {
    await events.notify({ id, agentId, sessionKey, text, authority, wake: false });
    return { ended: Promise.resolve({ status: 'noted', ...why }) };
  }

  return async (request) => {
    const { agentId, text, id, reason, authority, sessionKey = deps.sessionFor(agentId) } = request;
    if (!deps.isAgent(agentId)) throw new AppError('not_found', `Unknown agent "${agentId}".`);
    if (request.mode === 'next-heartbeat') return note(request, sessionKey);
    const tick = await deps.tickIn(agentId, sessionKey);
    if (tick.skip) {
      deps.skipped(tick, tick.skip.reason);
      return request.ifSkipped === 'note'
        ? note(request, sessionKey, tick.skip)
        : { ended: Promise.resolve({ status: 'skipped', ...tick.skip }) };
    }
    const noted = await events.notify({
      id,
      agentId,
      sessionKey,
      replyTo: tick.replyTo,
      text,
      authority,
      wake: { trigger: { origin: 'heartbeat', reason }, options: tick.options, task: eventTask(deps.localTime()) },
    });
    if (noted.status === 'repeated') throw new AppError('internal', 'A wake was mistaken for a repeated note.');
    const ended = markHandled(wakeEnd(noted.row, deps)); // the turn goes on in any case
    return { runId: noted.row.runId, ended };
  };
}
