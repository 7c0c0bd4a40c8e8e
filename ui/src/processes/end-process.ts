/** Ends a process and everything it started, after confirmation. */
import { html } from 'lit';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { toast } from '../elements/toast.ts';
import type { ProcessView } from '../gateway/wire.ts';
import { messageOf } from '../gateway/requests.ts';
import { visible } from '../tools/visible-view.ts';

export async function endProcess(
  app: App,
  { sessionId, command }: Pick<ProcessView, 'sessionId' | 'command'>,
): Promise<void> {
  const body = html`<p class="confirm-command"><code>${visible(command)}</code></p><p>The command and everything it started stop immediately. Its output is kept.</p>`;
  if (!(await confirmed({ title: `Kill ${sessionId}?`, body, action: 'Kill', danger: true }))) return;
  try {
    await (await app.processes()).kill(sessionId);
    toast('Killed');
  } catch (cause) {
    toast(messageOf(cause), 'bad');
  }
}
