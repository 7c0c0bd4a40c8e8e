/** The strip above every page while the connection is lost. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';

/** A shorter interruption is not shown. */
const MAX_QUIET_ATTEMPTS = 1;

export function connectionBanner(app: App): TemplateResult | typeof nothing {
  const link = app.link.get();
  if (
    link.phase === 'connected' ||
    link.phase === 'blocked' ||
    (link.phase === 'connecting' && link.attempt < MAX_QUIET_ATTEMPTS)
  )
    return nothing;
  const reason = link.phase === 'waiting' ? link.reason : 'Reconnecting…';
  return html`<div class="strip warn" role="status"><span class="spinner"
    aria-hidden="true"></span><span>${reason} Your messages are kept and sent after reconnecting.</span><button
    class="button small" @click=${() => app.connection.start()}>Try now</button></div>`;
}
