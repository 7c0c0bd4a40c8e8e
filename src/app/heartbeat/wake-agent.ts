/** Wakes an agent because something happened: a turn of its own, at once or behind the one that runs; or a note for its next turn. */
import type { Authority } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import type { SessionKey } from '../../core/session-key.ts';
import { eventTask, type Moment } from '../../cron/heartbeat/beat-text.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { EndedRun, RunHub } from '../../pipeline/run-hub.ts';
import type { SystemEvents } from '../system-events.ts';
import type { Beat } from './beat.ts';
import { isSuspended } from './beat-reports.ts';

export interface WakeRequest {
  readonly agentId: string;
  /** Absent: the conversation the agent looks in. Another one tells its own chat and no other. */
  readonly sessionKey?: SessionKey | undefined;
  readonly text: string;
  /** The same in every life: it happens once. Also the run id. */
  readonly id: string;
  readonly reason: string;
  /** `next-heartbeat`: it is noted, and the next look takes it up, whatever HEARTBEAT.md says. */
  readonly mode: 'now' | 'next-heartbeat';
  /** What becomes of the text when the agent may not be woken now. */
  readonly ifSkipped: 'note' | 'leave';
  /** Whose text it is: the turn acts on their word. */
  readonly authority: Authority;
}

/** `ran`: the turn has ended, whatever it said. `noted`: it is told with the next turn. `retryAtMs`: when quiet hours are over. */
export interface WakeResult {
  readonly status: 'ran' | 'noted' | 'skipped' | 'failed';
  readonly reason?: string;
  readonly error?: string;
  readonly retryAtMs?: number;
  readonly runId?: string;
}

/** On disk, or skipped for good. `ended` rejects with `aborted` when the gateway stops first: then the turn goes on in the next life. */
export interface Nudged { readonly runId?: string; readonly ended: Promise<WakeResult> }

export interface WakeAgentDeps {
  readonly events: SystemEvents;
  readonly hub: Pick<RunHub, 'whenEnded'>;
  find(runId: string): InboundRow | undefined;
  isAgent(agentId: string): boolean;
  sessionFor(agentId: string): SessionKey;
  beatIn(agentId: string, sessionKey: SessionKey): Promise<Beat>;
  skipped(beat: Beat, reason: string): void;
  moment(): Moment;
}

export function createWakeAgent(deps: WakeAgentDeps): (request: WakeRequest) => Promise<Nudged> {
  const { events } = deps;

  async function note({ id, agentId, text, authority }: WakeRequest, sessionKey: SessionKey, why: Omit<WakeResult, 'status'> = {}): Promise<Nudged> {
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
      return request.ifSkipped === 'note' ? note(request, sessionKey, beat.skip) : { ended: Promise.resolve({ status: 'skipped', ...beat.skip }) };
    }
    const told = await events.tell({ id, agentId, sessionKey, replyTo: beat.replyTo, text, authority, wake: { errand: { origin: 'heartbeat', reason }, options: beat.options, task: eventTask(deps.moment()) } });
    if (told.status === 'repeated') throw new AppError('internal', 'A wake was taken for a note that was repeated.');
    const ended = endOf(told.row, deps);
    ended.catch(() => undefined); // whoever wants to know waits for it; the turn goes on in any case
    return { runId: told.row.runId, ended };
  };
}

async function endOf({ runId, state, reason }: InboundRow, { hub, find }: Pick<WakeAgentDeps, 'hub' | 'find'>): Promise<WakeResult> {
  const run = hub.whenEnded(runId);
  if (run) return resultOf(await run, find(runId));
  switch (state) {
    case 'accepted': throw new AppError('aborted', 'The turn waits to be taken up again.');
    case 'answered': return { status: 'ran', runId };
    case 'declined': return { status: 'skipped', reason: reason ?? state, runId };
    case 'failed': return { status: 'failed', error: reason ?? 'It failed.', runId };
  }
}

function resultOf({ runId, outcome }: EndedRun, row: InboundRow | undefined): WakeResult {
  if (isSuspended(outcome)) throw new AppError('aborted', 'The gateway is stopping; the agent goes on after the next start.');
  switch (outcome.kind) {
    case 'done': return row?.state === 'declined' ? { status: 'skipped', reason: row.reason ?? row.state, runId } : { status: 'ran', runId };
    case 'aborted': return { status: 'failed', reason: 'stopped', error: 'The turn was stopped.', runId };
    case 'failed': return { status: 'failed', reason: outcome.code, error: outcome.message, runId };
  }
}
