/**
 * Logs an account in with a QR code or a code on the phone: shows what the phone needs until it is done or cancelled.
 */
import { html, nothing, render } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { messageOf } from '../gateway/requests.ts';
import type { ChannelOffer, LoginStep } from '../gateway/wire.ts';

export interface LoginAccount {
  readonly channel: string;
  readonly accountId: string;
  readonly label: string;
  readonly login: NonNullable<ChannelOffer['login']>;
}

const START_MS = 60_000;
const WAIT_MS = 60_000;
const SLACK_MS = 15_000;

type Method = LoginAccount['login']['methods'][number];

interface View {
  readonly method: Method;
  readonly step?: LoginStep;
  readonly error?: string;
  readonly busy: boolean;
}

/** Resolves when the dialog is closed: true when the account is logged in. */
export function showLogin(app: App, account: LoginAccount): Promise<boolean> {
  const { channel, accountId, label } = account;
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog login';
  dialog.setAttribute('aria-label', `Log in to ${label}`);
  const state: { view: View; attempt: number; linked: boolean } = {
    view: { method: account.login.methods[0]!, busy: false },
    attempt: 0,
    linked: false,
  };
  const show = (change: Partial<View>): void => {
    state.view = { ...state.view, ...change };
    render(loginView(account, state.view, { begin, choose, close: () => dialog.close() }), dialog);
  };

  /** Only the newest attempt counts: events of older ones are ignored. */
  async function begin(phone?: string): Promise<void> {
    const mine = ++state.attempt;
    const { method } = state.view;
    const { error: _, step: __, ...rest } = state.view;
    state.view = { ...rest, busy: true };
    show({});
    try {
      let step = await app.request(
        'web.login.start',
        { channel, accountId, method, force: true, timeoutMs: START_MS, ...(phone ? { phone } : {}) },
        { timeoutMs: START_MS + SLACK_MS },
      );
      while (mine === state.attempt && step.state === 'waiting') {
        show({ step, busy: false });
        step = await app.request(
          'web.login.wait',
          { channel, accountId, after: step.nth ?? 0, timeoutMs: WAIT_MS },
          { timeoutMs: WAIT_MS + SLACK_MS },
        );
      }
      if (mine !== state.attempt) return;
      state.linked = step.state === 'linked';
      if (state.linked) dialog.close();
      else show({ error: step.message, busy: false });
    } catch (cause) {
      if (mine === state.attempt) show({ error: messageOf(cause), busy: false });
    }
  }

  function choose(method: Method): void {
    state.attempt += 1;
    state.view = { method, busy: false };
    show({});
    if (method === 'qr') void begin();
  }

  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  choose(state.view.method);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      state.attempt += 1;
      dialog.remove();
      if (!state.linked)
        app.request('web.login.cancel', { channel, accountId }).catch((cause: unknown) => {
          console.info('The login was not cancelled.', cause);
        });
      resolve(state.linked);
    });
  });
}

interface Acts {
  begin(phone?: string): Promise<void>;
  choose(method: Method): void;
  close(): void;
}

const METHOD_WORDS: Readonly<Record<Method, string>> = { qr: 'QR code', code: 'Phone number' };

function loginView({ label, login }: LoginAccount, { method, step, error, busy }: View, acts: Acts): unknown {
  return html`<header class="dialog-head"><h2>Log in to ${label}</h2><button class="ghost" aria-label="Close" autofocus
    @click=${() => acts.close()}>${icon('close')}</button></header>
    <ol class="login-steps">${login.steps.map((words) => html`<li>${words}</li>`)}</ol>
    ${
      login.methods.length > 1
        ? html`<div class="login-methods" role="group" aria-label="How to log in">${login.methods.map(
            (one) =>
              html`<button class="button small" aria-pressed=${one === method} @click=${() =>
                acts.choose(one)}>${METHOD_WORDS[one]}</button>`,
          )}</div>`
        : nothing
    }
    ${method === 'code' && !step ? phoneForm(acts, busy) : nothing}
    <div class="login-prompt" aria-live="polite">${promptOf({ method, step, error, busy })}</div>
    ${error ? html`<p class="strip bad" role="alert">${error}</p>` : nothing}
    ${
      error && method === 'qr'
        ? html`<div class="dialog-actions"><button class="button primary" @click=${() =>
            void acts.begin()}>Show a new code</button></div>`
        : nothing
    }`;
}

function phoneForm(acts: Acts, busy: boolean): unknown {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void acts.begin(new FormData(event.target as HTMLFormElement).get('phone') as string);
  };
  return html`<form class="login-phone" @submit=${submit}>
    <label>Phone number with its country code
      <input class="field" name="phone" type="tel" inputmode="tel" autocomplete="tel" required maxlength="30"
        placeholder="+491511234567" /></label>
    <button class="button primary" ?disabled=${busy}>${busy ? 'Connecting…' : 'Get a code'}</button>
  </form>`;
}

interface Prompt {
  readonly method: Method;
  readonly step: LoginStep | undefined;
  readonly error: string | undefined;
  readonly busy: boolean;
}

function promptOf({ method, step, error, busy }: Prompt): unknown {
  if (error) return nothing;
  if (step?.qrDataUrl)
    return html`<img class="login-qr" src=${step.qrDataUrl} alt="QR code for the phone" width="264" height="264" />
      <p class="quiet">It is renewed until the phone has scanned it.</p>`;
  if (step?.code) return html`<p class="login-code">${step.code}</p><p class="quiet">Type this code on the phone.</p>`;
  return method === 'qr' || busy ? html`<p class="quiet">${step?.message ?? 'Connecting…'}</p>` : nothing;
}
