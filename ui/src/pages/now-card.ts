/** `<claw-now>`: running work, and what needs a person; the first card of the overview. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { brief } from '../approvals/approval.ts';
import { icon, type IconName } from '../elements/icons.ts';
import { agentLabel } from '../gateway/agents.ts';
import { LightElement } from '../elements/light-element.ts';
import { isDisconnected } from '../gateway/requests.ts';
import { titleOf } from '../gateway/sessions.ts';
import type { ChannelsStatus } from '../gateway/wire.ts';
import type { Page } from '../routes.ts';
import { changesNeeds, countNeeds, type CountedNeed } from './needs.ts';

const SOON_MS = 500;

interface Line {
  readonly icon: IconName;
  readonly tone: 'bad' | 'warn' | 'good' | 'plain';
  readonly words: unknown;
  readonly action: string;
  run(): void;
}

export class NowCard extends LightElement {
  static override properties = {
    app: { attribute: false },
    channels: { state: true },
    people: { state: true },
    needs: { state: true },
  };
  declare app: App;
  declare channels: ChannelsStatus | undefined;
  declare people: number;
  declare needs: readonly CountedNeed[];
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.people = 0;
    this.needs = [];
  }

  override connectedCallback(): void {
    this.watch(this.app.approvals, this.app.health, this.app.sessions.store);
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => {
        if (/^(channel\.pair|health|sessions\.changed)/.test(event) || changesNeeds(event)) this.#loadSoon();
      }),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  override render(): unknown {
    const needs = [...this.#approvals(), ...this.#requests(), ...this.#troubles()];
    const running = this.#running();
    return html`<section class="card now" aria-labelledby="now-title"><h2 id="now-title">Needs you</h2>
        ${needs.length > 0 ? list(needs) : html`<p class="quiet now-none">${icon('check')}Nothing needs you.</p>`}
      </section>
      <section class="card now" aria-labelledby="running-title"><h2 id="running-title">Happening now</h2>
        ${running.length > 0 ? list(running) : html`<p class="quiet">No agent is working.</p>`}
      </section>`;
  }

  #approvals(): readonly Line[] {
    return this.app.approvals.get().map(
      ({ command, agentId, sessionKey }): Line => ({
        icon: 'processes',
        tone: 'warn',
        words: html`${this.#nameOf(agentId)} wants to run <code>${brief(command)}</code>`,
        action: 'Review',
        run: () => (sessionKey ? this.app.openSession(sessionKey) : this.app.go('chat')),
      }),
    );
  }

  #nameOf(id = 'main'): string {
    const agent = this.app.agents.get().find((one) => one.id === id);
    return agent ? agentLabel(agent) : `Agent ${id}`;
  }

  #requests(): readonly Line[] {
    const line = (count: number, what: string, mark: IconName, page: Page): Line => ({
      icon: mark,
      tone: 'warn',
      words: `${count} ${what}${count === 1 ? '' : 's'} waiting for approval`,
      action: 'Review',
      run: () => this.app.go(page),
    });
    return [
      ...(this.people > 0 ? [line(this.people, 'sender', 'channels', 'channels')] : []),
      ...this.needs.map(({ need, count }) => line(count, need.what, need.icon, need.page)),
    ];
  }

  #troubles(): readonly Line[] {
    const { storage, config, overdue, model } = this.app.health.get();
    const to = (page: Page, action: string, words: unknown, tone: Line['tone'] = 'bad'): Line => ({
      icon: 'warn',
      tone,
      words,
      action,
      run: () => this.app.go(page),
    });
    return [
      ...(model?.provider === 'offline' ? [to('setup', 'Set up', 'No language model is connected', 'warn')] : []),
      ...(storage?.ok === false ? [to('logs', 'Open logs', `Storage failed: ${storage.error ?? 'unknown'}`)] : []),
      ...(config && (!config.valid || config.safeMode)
        ? [to('config', 'Open config', 'The configuration is invalid; the last valid one is used')]
        : []),
      ...(overdue ? [to('logs', 'Open logs', `${overdue} deliveries are overdue`)] : []),
      ...this.#deadChannels().map((words) => to('channels', 'Open channels', words)),
    ];
  }

  #deadChannels(): readonly string[] {
    const { channelAccounts = {}, channelLabels = {} } = this.channels ?? {};
    return Object.entries(channelAccounts).flatMap(([id, accounts]) =>
      accounts
        .filter(({ enabled, configured, connected }) => enabled && configured && connected !== true)
        .map(({ lastError }) => `${channelLabels[id] ?? id} is not connected${lastError ? `: ${lastError}` : ''}`),
    );
  }

  #running(): readonly Line[] {
    const { sessions } = this.app;
    return [...sessions.store.get().running].map(
      (key): Line => ({
        icon: 'chat',
        tone: 'good',
        words: html`Answering in <b>${titleOf(sessions.rowOf(key))}</b>`,
        action: 'Open',
        run: () => this.app.openSession(key),
      }),
    );
  }

  #loadSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#load();
    }, SOON_MS);
  }

  /** Whoever may not see one of them is shown the others. */
  async #load(): Promise<void> {
    const { app } = this;
    const orUndefined = <T>(answer: Promise<T>): Promise<T | undefined> =>
      answer.catch((cause: unknown) => {
        if (!isDisconnected(cause)) console.info('Not shown on the overview.', cause);
        return undefined;
      });
    const [channels, people, needs] = await Promise.all([
      orUndefined(app.request('channels.status', {})),
      app.offers('channel.pairing.list') ? orUndefined(app.request('channel.pairing.list', {})) : undefined,
      countNeeds(app, orUndefined),
    ]);
    this.channels = channels;
    this.people = people?.pending.length ?? 0;
    this.needs = needs;
  }
}

const list = (lines: readonly Line[]): TemplateResult =>
  html`<ul class="rows">${lines.map(
    ({ icon: mark, tone, words, action, run }) =>
      html`<li class="row now-line ${tone}">${icon(mark)}<span>${words}</span><span class="row-actions"><button
        class="button small" @click=${run}>${action}</button></span></li>`,
  )}</ul>`;

customElements.define('claw-now', NowCard);
