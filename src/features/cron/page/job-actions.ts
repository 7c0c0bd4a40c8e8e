/** What can be done to a job: switched, run, removed. Each says what came of it. */
import { html } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import type { Job } from './wire.ts';

export const switchJob = (app: App, { id }: Job, enabled: boolean): Promise<unknown> =>
  app.request('cron.update', { id, patch: { enabled } });

const NOT_RUN: Readonly<Record<string, string>> = {
  'already-running': 'Already running',
  'not-due': 'Not due',
  disabled: 'Disabled',
};

export async function runJob(app: App, { id, name }: Job): Promise<void> {
  const { ran, reason } = await app.request('cron.run', { id, mode: 'force' });
  toast(ran ? `${name} runs` : (NOT_RUN[reason ?? ''] ?? 'Not started'), ran ? 'plain' : 'bad');
}

/** True when it is gone. */
export async function removeJob(app: App, { id, name, state }: Job): Promise<boolean> {
  const body = html`<p>The job will not run again. Its run history stays in the journal.${state.runningAtMs === undefined ? '' : ' The current run continues.'}</p>`;
  if (!(await confirmed({ title: `Remove ${name}?`, body, action: 'Remove', danger: true }))) return false;
  await app.request('cron.remove', { id });
  toast('Removed');
  return true;
}
