/** What can be done to a job: switched, run, removed. Each says what came of it. */
import { html } from 'lit';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { toast } from '../elements/toast.ts';
import type { Job } from '../gateway/wire.ts';

export const switchJob = (app: App, { id }: Job, enabled: boolean): Promise<unknown> =>
  app.request('cron.update', { id, patch: { enabled } });

const NOT_RUN: Readonly<Record<string, string>> = {
  'already-running': 'It runs already',
  'not-due': 'It is not due',
  disabled: 'It is off',
};

export async function runJob(app: App, { id, name }: Job): Promise<void> {
  const { ran, reason } = await app.request('cron.run', { id, mode: 'force' });
  toast(ran ? `${name} runs` : (NOT_RUN[reason ?? ''] ?? 'It did not run'), ran ? 'plain' : 'bad');
}

/** True when it is gone. */
export async function removeJob(app: App, { id, name, state }: Job): Promise<boolean> {
  const body = html`<p>It does not run again. Its history stays in the journal.${state.runningAtMs === undefined ? '' : ' The run under way ends by itself.'}</p>`;
  if (!(await confirmed({ title: `Remove ${name}?`, body, action: 'Remove', danger: true }))) return false;
  await app.request('cron.remove', { id });
  toast('Removed');
  return true;
}
