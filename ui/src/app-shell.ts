/** `<claw-app>`: the frame of every page: navigation, conversations, banners, and the page itself. */
import { html, nothing } from 'lit';
import type { App } from './app.ts';
import './chat/chat-page.ts';
import './chat/session-panel.ts';
import { connectionBanner } from './elements/banners.ts';
import { icon } from './elements/icons.ts';
import './elements/rail.ts';
import { LightElement } from './elements/light-element.ts';
import { toast } from './elements/toast.ts';
import type { troubleBanners as TroubleBanners } from './elements/trouble-banners.ts';
import type { ConnectFailure } from './gateway/connect-failure.ts';
import { messageOf } from './gateway/requests.ts';
import { titleOf } from './gateway/sessions.ts';
import type { gate as Gate } from './pages/gate.ts';
import { pageOf, partsOf } from './page-table.ts';
import type { Page } from './routes.ts';

export class AppShell extends LightElement {
  static override properties = { drawer: { state: true }, gate: { state: true }, troubles: { state: true } };
  declare gate: typeof Gate | undefined;
  declare troubles: typeof TroubleBanners | undefined;
  declare drawer: boolean;
  #app: App | undefined;
  /** The element of the current page, recreated when another page is opened. */
  #shown: HTMLElement | undefined;

  constructor() {
    super();
    this.drawer = false;
  }

  start(app: App): void {
    this.#app = app;
    this.watch(app.link, app.route, app.agents, app.health, app.sessions.store, app.chat.store, app.approvals);
    for (const chosen of ['session-chosen', 'page-chosen']) this.addEventListener(chosen, () => (this.drawer = false));
    this.addEventListener('reveal-message', (event) => {
      const runId = (event as CustomEvent<string>).detail;
      void this.updateComplete.then(() => this.querySelector('claw-chat')?.reveal(runId));
    });
    addEventListener('keydown', (event) => this.#key(event));
    this.requestUpdate();
  }

  override render(): unknown {
    const app = this.#app;
    if (!app) return nothing;
    const link = app.link.get();
    if (link.phase === 'blocked') return this.#gate(app, link.failure);
    const { page } = app.route.get();
    return html`<a class="skip" href="#main" @click=${(event: Event) => {
      event.preventDefault();
      this.querySelector<HTMLElement>('main')?.focus();
    }}>Skip to content</a>
      <div class="shell ${this.drawer ? 'drawer-open' : ''}">
        <div class="side ${page === 'chat' ? '' : 'narrow'}" id="side" ?inert=${this.#hidden}>
          <claw-rail .app=${app} .page=${page}></claw-rail>
          <div class="sessions"><claw-sessions .app=${app}></claw-sessions></div>
        </div>
        <div class="shade" @click=${() => (this.drawer = false)}></div>
        <div class="stage">
          <header class="top">
            <button class="ghost menu-button" aria-label="Conversations and pages" aria-controls="side"
              aria-expanded=${this.drawer ? 'true' : 'false'} @click=${() =>
                (this.drawer = !this.drawer)}>${icon('menu')}</button>
            <h1 class="top-title">${page === 'chat' ? this.#title(app) : (pageOf(page)?.title ?? 'Not found')}</h1>
            ${
              page === 'chat'
                ? html`<button class="top-meta" title="Model and thinking of this conversation" @click=${() =>
                    void import('./chat/session-settings.ts').then(({ openSessionSettings }) =>
                      openSessionSettings(app, app.chat.store.get().current),
                    )}>${icon('config')}<span>${modelOf(app) || 'Model'}</span></button><button class="ghost new-button"
              title="New conversation" aria-label="New conversation" @click=${() =>
                app.newSession()}>${icon('plus')}</button>`
                : parts(app, page)
            }
          </header>
          ${connectionBanner(app)}${this.#troubled(app)}<claw-approval-strip .app=${app}></claw-approval-strip>
          <main class="page ${page ?? 'none'}" id="main" tabindex="-1">${this.#page(app, page)}</main>
        </div>
      </div>`;
  }

  /** Rarely used, so it is not part of the first load. */
  #troubled(app: App): unknown {
    const { storage, config } = app.health.get();
    if (storage?.ok !== false && config?.valid !== false && !config?.safeMode) return nothing;
    if (!this.troubles)
      void import('./elements/trouble-banners.ts').then(({ troubleBanners }) => (this.troubles = troubleBanners));
    return this.troubles?.(app);
  }

  override updated(): void {
    const app = this.#app;
    if (!app) return;
    const { page } = app.route.get();
    const waiting = app.approvals.get().length;
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${page === 'chat' ? this.#title(app) : (pageOf(page)?.title ?? 'Chat')} · Clawdbot`;
  }

  /** Loaded on demand: most visits never need it. */
  #gate(app: App, failure: ConnectFailure): unknown {
    if (!this.gate) void import('./pages/gate.ts').then(({ gate }) => (this.gate = gate));
    return this.gate?.(app, failure) ?? nothing;
  }

  /** On a phone the closed drawer must not take the keyboard's focus. */
  get #hidden(): boolean {
    return !this.drawer && matchMedia('(max-width: 800px)').matches;
  }

  #page(app: App, page: Page | undefined): unknown {
    if (page === undefined)
      return html`<div class="column pad"><p>This page does not exist.</p><button class="button" @click=${() =>
        app.go('chat')}>Go to chat</button></div>`;
    if (page === 'chat') {
      this.#shown = undefined;
      return html`<claw-chat .app=${app}></claw-chat>`;
    }
    const name = pageOf(page)?.element ?? `claw-${page}`;
    if (this.#shown?.localName !== name) {
      void this.#load(page);
      this.#shown = Object.assign(document.createElement(name), { app });
    }
    return this.#shown;
  }

  async #load(page: Page): Promise<void> {
    try {
      await pageOf(page)?.load();
    } catch (cause) {
      toast(`Cannot load the page: ${messageOf(cause)}`, 'bad');
    }
  }

  #title(app: App): string {
    return titleOf(app.sessions.rowOf(app.chat.store.get().current));
  }

  async #switcher(): Promise<void> {
    const { openSwitcher } = await import('./chat/session-switcher.ts');
    if (this.#app) openSwitcher(this.#app);
  }

  #key(event: KeyboardEvent): void {
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault();
      void this.#switcher();
    } else if (event.key.toLowerCase() === 'o' && (event.ctrlKey || event.metaKey) && event.shiftKey) {
      event.preventDefault();
      this.#app?.newSession();
    } else if (event.key === '?' && !isWriting(event.target)) {
      event.preventDefault();
      void import('./elements/shortcuts.ts').then(({ openShortcuts }) => openShortcuts());
    } else if (event.key === 'Escape' && this.drawer) this.drawer = false;
  }
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

function modelOf(app: App): string {
  const key = app.chat.store.get().current;
  const row = app.sessions.store.get().rows.find((entry) => entry.key === key);
  if (row?.model)
    return row.modelProvider && !row.model.includes('/') ? `${row.modelProvider}/${row.model}` : row.model;
  const { model } = app.health.get();
  return model ? `${model.provider}/${model.model}` : '';
}

/** The parts of a page, with the current one marked. */
function parts(app: App, page: Page | undefined): unknown {
  const all = partsOf(page);
  if (all.length === 0) return nothing;
  return html`<nav class="parts" aria-label="Parts of this page">${all.map(
    ({ id, title, part }) =>
      html`<button aria-current=${id === page ? 'page' : 'false'} @click=${() => app.go(id)}>${part ?? title}</button>`,
  )}</nav>`;
}

customElements.define('claw-app', AppShell);

declare global {
  interface HTMLElementTagNameMap {
    'claw-app': AppShell;
  }
}
