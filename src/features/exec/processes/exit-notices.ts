/** Notifies a session once that a background command of its agent ended, with a stored system message. */
import { delegatedVia } from '../../../core/authority.ts';
import { AppError } from '../../../core/errors.ts';
import { isSubagentKey } from '../../../core/session-key.ts';
import type { ExitedProcess } from './create-processes.ts';
import type { Runs } from '../../../host/runs.ts';
import type { SystemEvents } from '../../../host/system-events.ts';

export interface ExitNoticeDeps {
  readonly runs: Pick<Runs, 'active' | 'subscribe'>;
  readonly events: Pick<SystemEvents, 'notify'>;
  settings(): { readonly notifyOnExit: boolean; readonly notifyOnExitEmptySuccess: boolean };
}

/** Characters of the last output that are told along. */
const TAIL = 400;

/** Resolves once it is told, or need not be; until then it is asked for again, over all runs of the gateway. */
export function createExitNotices(deps: ExitNoticeDeps): (ended: ExitedProcess, signal: AbortSignal) => Promise<void> {
  return async (ended, signal) => {
    if (!wanted(ended, deps.settings())) return;
    await quiet(ended.owner.sessionKey, deps.runs, signal);
    if (ended.wasNotified()) return;
    const {
      owner: { agentId, sessionKey, replyTo, authority },
      view,
    } = ended;
    await deps.events.notify({
      id: `process:${view.sessionId}:${view.startedAt}`,
      agentId,
      sessionKey,
      replyTo,
      ...noticeOf(ended),
      authority: delegatedVia(authority, `process:${view.sessionId}`),
      wake: {},
    });
  };
}

/** Sub-agents report to who started them, never by themselves. */
function wanted(
  { owner, view }: ExitedProcess,
  { notifyOnExit, notifyOnExitEmptySuccess }: ReturnType<ExitNoticeDeps['settings']>,
): boolean {
  if (owner.promised) return true;
  if (!notifyOnExit || isSubagentKey(owner.sessionKey)) return false;
  return notifyOnExitEmptySuccess || view.status !== 'completed' || view.tail.trim() !== '';
}

/** What the model reads of it, and the last of what the command wrote. */
export function noticeOf({
  view,
  owner,
}: Pick<ExitedProcess, 'view'> & { readonly owner?: Pick<ExitedProcess['owner'], 'promised'> }): {
  readonly text: string;
  readonly quoted: string;
} {
  const how = view.exitSignal
    ? `signal ${view.exitSignal}`
    : view.exitCode === undefined
      ? 'exit code unknown'
      : `code ${view.exitCode}`;
  return {
    text: `Exec ${view.status === 'completed' ? 'completed' : 'failed'} (${view.sessionId}, ${how})`,
    quoted: `${owner?.promised ? `after approval: ${view.name} → ` : ''}${view.tail.trim().replace(/\s+/g, ' ').slice(-TAIL)}`,
  };
}

/** While the agent works it may look for itself; it is told between turns. */
function quiet(sessionKey: string, runs: ExitNoticeDeps['runs'], signal: AbortSignal): Promise<void> {
  const busy = (): boolean => runs.active().some((run) => run.sessionKey === sessionKey);
  if (!busy()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const following = new DisposableStack();
    const stop = (): void => {
      following.dispose();
      reject(new AppError('aborted', 'The gateway is stopping; the session is notified after the next start.'));
    };
    following.defer(
      runs.subscribe((run, event) => {
        if (event.type !== 'ended' || run.sessionKey !== sessionKey || busy()) return;
        following.dispose();
        resolve();
      }),
    );
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    following.defer(() => signal.removeEventListener('abort', stop));
  });
}
