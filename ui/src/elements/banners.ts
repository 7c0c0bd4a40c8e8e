/** The strips above every page: a lost connection, an invalid configuration, storage in trouble. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';

/** A hiccup shorter than this is not worth a word. */
const PATIENCE_ATTEMPTS = 1;

export function banners(app: App): readonly (TemplateResult | typeof nothing)[] {
  return [connectionBanner(app), storageBanner(app), configBanner(app)];
}

function connectionBanner(app: App): TemplateResult | typeof nothing {
  const link = app.link.get();
  if (link.phase === 'connected' || link.phase === 'blocked' || (link.phase === 'connecting' && link.attempt < PATIENCE_ATTEMPTS)) return nothing;
  const reason = link.phase === 'waiting' ? link.reason : 'Connecting again…';
  return html`<div class="strip warn" role="status"><span class="spinner" aria-hidden="true"></span><span>${reason} What you write is kept and sent when it is back.</span><button class="button small" @click=${() => app.connection.start()}>Try now</button></div>`;
}

function storageBanner(app: App): TemplateResult | typeof nothing {
  const { storage } = app.health.get();
  if (!storage || storage.ok) return nothing;
  return html`<div class="strip bad" role="alert"><span><b>The gateway cannot write to its disk.</b> ${storage.error ?? ''} New messages are refused until it can; nothing already accepted is lost.</span></div>`;
}

function configBanner(app: App): TemplateResult | typeof nothing {
  const { config } = app.health.get();
  if (!config || (config.valid && !config.safeMode)) return nothing;
  const first = config.issues[0];
  return html`<div class="strip bad" role="alert"><span><b>${config.safeMode ? 'Safe mode: the configuration cannot be used.' : 'The configuration file is invalid; the last good one is in force.'}</b>${first ? html` ${first.path ? html`<code>${first.path}</code> ` : nothing}${first.problem}` : nothing}</span>${app.route.get().page === 'config' ? nothing : html`<button class="button small" @click=${() => app.go('config')}>Repair it</button>`}</div>`;
}
