/** The strips above every page when the gateway is in trouble: its storage, its configuration. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';

export const troubleBanners = (app: App): readonly (TemplateResult | typeof nothing)[] => [
  storageBanner(app),
  configBanner(app),
];

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
