/** The page shown when the gateway refuses the connection, with what to do. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { ConnectFailure } from '../gateway/connect-failure.ts';
import { tokenIn } from '../gateway/credentials.ts';
import { copyText } from '../elements/clipboard.ts';
import { icon } from '../elements/icons.ts';
import { toast } from '../elements/toast.ts';
import { ownCommand } from '../elements/own-command.ts';

export function gate(app: App, failure: ConnectFailure): TemplateResult {
  return html`<main class="gate"><div class="gate-card">
    <img src="./favicon.svg" alt="" width="44" height="44" />
    ${
      failure.kind === 'credentials'
        ? credentialsForm(app, failure)
        : failure.kind === 'pairing'
          ? pairingWait(app, failure)
          : html`<h1>The gateway rejected the connection</h1><p>${failure.message}</p>${again(app)}`
    }
  </div></main>`;
}

function credentialsForm(app: App, failure: Extract<ConnectFailure, { kind: 'credentials' }>): TemplateResult {
  const submit = (event: Event): void => {
    event.preventDefault();
    const token = new FormData(event.target as HTMLFormElement).get('token');
    if (typeof token !== 'string' || !token.trim()) return;
    app.credentials.setSharedToken(tokenIn(token));
    app.connection.start();
  };
  return html`<h1>${
    failure.reason === 'missing'
      ? 'Sign in to your gateway'
      : failure.reason === 'limited'
        ? 'Too many attempts'
        : 'Wrong token'
  }</h1>
    <p class="quiet">${
      failure.reason === 'limited'
        ? failure.message
        : 'Open the address the gateway printed when it started; the token is the part after #. To print it again, run this on the gateway’s machine:'
    }</p>
    ${failure.reason === 'limited' ? nothing : command(ownCommand('dashboard'))}
    <form @submit=${submit}>
      <label for="token">Token or full address</label>
      <input id="token" class="field" name="token" type="password" autocomplete="current-password" spellcheck="false"
        autofocus required />
      <button class="button primary" type="submit">Connect</button>
    </form>
    <p class="small quiet">The token is kept for this tab only. After that the gateway recognises this browser by its own key.</p>`;
}

function pairingWait(app: App, failure: Extract<ConnectFailure, { kind: 'pairing' }>): TemplateResult {
  return html`<h1>This browser needs approval</h1>
    <p class="quiet">The gateway does not know this browser yet. Approve it on a paired device, or run this on the gateway’s machine:</p>
    ${command(ownCommand(failure.requestId ? `devices approve ${failure.requestId}` : 'devices list'))}
    ${again(app)}`;
}

const again = (app: App): TemplateResult =>
  html`<button class="button primary" @click=${() => app.connection.start()}>Try again</button>`;

const command = (text: string): TemplateResult =>
  html`<div class="command"><code>${text}</code><button class="ghost" type="button" aria-label="Copy command"
    @click=${async () =>
      toast((await copyText(text)) ? 'Copied' : 'The browser blocked copying')}>${icon('copy')}</button></div>`;
