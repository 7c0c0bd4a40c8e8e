/** Tells a session once that a command of its agent ended in the background: as a message of the system's, kept like any other. */
import { AppError } from '../../core/errors.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { ExitedProcess } from '../../exec/processes/create-processes.ts';
import type { Inbound } from '../../pipeline/inbound.ts';
import type { RunHub } from '../../pipeline/run-hub.ts';
import { uuid } from '../../platform/ids.ts';

export interface ExitNoticeDeps {
  readonly hub: RunHub;
  inbound(): Inbound;
  /** Whether its agent heard of it already, by looking. */
  told(id: string): Promise<boolean>;
  settings(): { readonly notifyOnExit: boolean; readonly notifyOnExitEmptySuccess: boolean };
  now(): number;
}

/** Characters of the last output that are told along. */
const TAIL = 400;

/** Resolves once it is told, or need not be; until then it is asked for again, over all lives of the gateway. */
export function createExitNotices(deps: ExitNoticeDeps): (ended: ExitedProcess, signal: AbortSignal) => Promise<void> {
  return async (ended, signal) => {
    if (!wanted(ended, deps.settings())) return;
    await quiet(ended.owner.sessionKey, deps.hub, signal);
    if (await deps.told(ended.view.sessionId)) return;
    const { owner, view } = ended;
    await deps.inbound().receive({
      message: {
        id: `process:${view.sessionId}:${view.startedAt}`, address: owner.replyTo, sender: { id: 'system', name: 'system' }, system: true, text: noticeText(ended), attachments: [],
        addressesBot: true, receivedAt: deps.now(),
      },
      route: { agentId: owner.agentId, sessionKey: owner.sessionKey, matchedBy: 'session', replyTo: owner.replyTo },
      options: {}, commands: false, authorized: false,
    }, uuid());
  };
}

/** Sub-agents report to who started them, never by themselves. */
function wanted({ owner, view }: ExitedProcess, { notifyOnExit, notifyOnExitEmptySuccess }: ReturnType<ExitNoticeDeps['settings']>): boolean {
  if (!notifyOnExit || parseSessionKey(owner.sessionKey)?.rest.startsWith('subagent:')) return false;
  return notifyOnExitEmptySuccess || view.status !== 'completed' || view.tail.trim() !== '';
}

/** What the model reads; the output is quoted, so that no word of it can pass for ours. */
export function noticeText({ view }: Pick<ExitedProcess, 'view'>): string {
  const how = view.exitSignal ? `signal ${view.exitSignal}` : view.exitCode === undefined ? 'exit code unknown' : `code ${view.exitCode}`;
  const tail = view.tail.trim().replace(/\s+/g, ' ').slice(-TAIL);
  return `System event: Exec ${view.status === 'completed' ? 'completed' : 'failed'} (${view.sessionId}, ${how})${tail ? ` :: ${JSON.stringify(tail)}` : ''}`;
}

/** While the agent works it may look for itself; it is told between turns. */
function quiet(sessionKey: string, hub: RunHub, signal: AbortSignal): Promise<void> {
  const busy = (): boolean => hub.active().some((run) => run.sessionKey === sessionKey);
  if (!busy()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      unsubscribe();
      reject(new AppError('aborted', 'The gateway is stopping; the session is told after the next start.'));
    };
    const unsubscribe = hub.subscribe((run, event) => {
      if (event.type !== 'ended' || run.sessionKey !== sessionKey || busy()) return;
      unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}
