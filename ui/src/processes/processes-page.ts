/** `<claw-processes>`: background processes that run or ended recently. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { splitKey } from '../gateway/sessions.ts';
import './allowlist.ts';
import './process-card.ts';
import type { ProcessFeed } from './process-feed.ts';
import { inOrder } from './process-words.ts';
import './processes.css';

/** Interval for updating running times; no request is made. */
const TICK_MS = 1000;

export class ProcessesPage extends LightElement {
  static override properties = { feed: { state: true }, agent: { state: true } };
  declare app: App;
  declare feed: ProcessFeed | undefined;
  declare agent: string;
  #tick: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.agent = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.sessions.store, this.app.route);
    super.connectedCallback();
    void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#tick);
  }

  override render(): unknown {
    const state = this.feed?.store.get();
    if (!state?.loaded) return html`<div class="column wide pad"><p class="quiet">Loading…</p></div>`;
    const all = [...state.byId.values()].map(({ view }) => view);
    const agents = [...new Set(all.map(({ sessionKey }) => splitKey(sessionKey).agentId || 'main'))].toSorted();
    const shown = inOrder(
      all.filter(({ sessionKey }) => this.agent === '' || (splitKey(sessionKey).agentId || 'main') === this.agent),
    );
    const running = shown.filter(({ status }) => status === 'running').length;
    return html`<div class="column wide pad processes">
      ${state.problem ? html`<p class="strip bad" role="alert">${state.problem}</p>` : nothing}
      ${
        all.length === 0
          ? EMPTY
          : html`<div class="bar processes-bar"><p class="quiet">${
              running === 0 ? 'No running processes.' : `${running} running.`
            } ${
              shown.length - running > 0 ? `${shown.length - running} ended recently.` : ''
            }</p><span class="spacer"></span>
        ${
          agents.length > 1
            ? html`<select class="field" aria-label="Agent" @change=${(event: Event) =>
                (this.agent = (event.target as HTMLSelectElement).value)}><option
          value="">All agents</option>${agents.map(
            (agent) => html`<option value=${agent}
          ?selected=${agent === this.agent}>${agent}</option>`,
          )}</select>`
            : nothing
        }</div>
      <ul class="process-list">${repeat(
        shown,
        ({ sessionId }) => sessionId,
        ({ sessionId }) =>
          html`<li><claw-process id="process-${sessionId}" .app=${this.app} .feed=${this.feed!}
            .known=${state.byId.get(sessionId)!} .open=${sessionId === this.#named}></claw-process></li>`,
      )}</ul>`
      }
      <claw-allowlist .app=${this.app}></claw-allowlist>
    </div>`;
  }

  /** The process that a link refers to. */
  get #named(): string {
    return new URLSearchParams(location.search).get('id') ?? '';
  }

  async #open(): Promise<void> {
    const feed = await this.app.processes();
    this.feed = feed;
    this.watch(feed.store);
    if (feed.store.get().loaded) void feed.refresh();
    if (!this.isConnected) return;
    this.onLeave(feed.watch());
    this.#tick = setInterval(
      () =>
        [...feed.store.get().byId.values()].some(({ view }) => view.status === 'running') &&
        this.querySelectorAll('claw-process').forEach((card) => (card as LightElement).requestUpdate()),
      TICK_MS,
    );
  }
}

const EMPTY = html`<section class="processes-empty"><span
  class="processes-mark">${icon('processes')}</span><h2>No background processes</h2>
  <p class="quiet">A command that runs longer than ten seconds, or is started with <code>background</code>, continues here. You can read its output, send input and stop it. It survives a restart of the gateway.</p>
  <p class="quiet">Ended processes are kept for 30 minutes. The agent manages its own with the tool <code>process</code>.</p></section>`;

customElements.define('claw-processes', ProcessesPage);
