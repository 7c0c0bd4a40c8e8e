/** The strips above every page for problems of the gateway: storage, configuration. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';

export const troubleBanners = (app: App): readonly (TemplateResult | typeof nothing)[] => [
  storageBanner(app),
  configBanner(app),
];

function storageBanner(app: App): TemplateResult | typeof nothing {
  const { storage } = app.health.get();
  if (!storage || storage.ok) return nothing;
  return html`<div class="strip bad" role="alert"><span><b>The gateway cannot write to its disk.</b> ${
    storage.error ?? ''
  } New messages are rejected until this is fixed. Accepted messages are safe.</span></div>`;
}

function configBanner(app: App): TemplateResult | typeof nothing {
  const { config } = app.health.get();
  if (!config || (config.valid && !config.safeMode)) return nothing;
  const first = config.issues[0];
  return html`<div class="strip bad" role="alert"><span><b>${
    config.safeMode
      ? 'Safe mode: the configuration is invalid.'
      : 'The configuration file is invalid. The last valid configuration is in use.'
  }</b>${first ? html` ${first.path ? html`<code>${first.path}</code> ` : nothing}${first.problem}` : nothing}</span>${
    app.route.get().page === 'config'
      ? nothing
      : html`<button class="button small" @click=${() => app.go('config')}>Fix configuration</button>`
  }</div>`;
}
