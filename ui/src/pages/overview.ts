/** `<claw-overview>`: running work and what needs a person, then coming jobs, then the gateway's health. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type {
  PerformanceReport,
  PresenceEntry,
  SandboxExplained,
  ToolsExplained,
  Understands,
} from '../gateway/wire.ts';
import { isGlanced, loadCards } from './glances.ts';
import { issueList } from './issue-list.ts';
import './now-card.ts';
import './wrong-card.ts';
import { LightElement } from '../elements/light-element.ts';
import { gatewayTiles } from './overview-tiles.ts';
import { performanceCard } from './performance-card.ts';
import { presenceCard } from './presence-card.ts';
import { toolsCard } from './tools-card.ts';
import { understandingCard } from './understanding-card.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { followPresence } from '../gateway/presence.ts';

/** Events within this time cause one refresh. */
const SOON_MS = 400;
/** Events that cause a refresh; `tick` is the regular event of the gateway, on which event loop and memory are read. */
const TELLING: ReadonlySet<string> = new Set([
  'health',
  'tick',
  'sessions.changed',
  'channels.changed',
  'presence.changed',
]);

export class OverviewPage extends LightElement {
  static override properties = {
    presence: { state: true },
    abilities: { state: true },
    tools: { state: true },
    sandbox: { state: true },
    cards: { state: true },
    performance: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare presence: readonly PresenceEntry[];
  declare abilities: readonly Understands[];
  declare tools: ToolsExplained | undefined;
  declare sandbox: SandboxExplained | undefined;
  /** The cards of features. */
  declare cards: readonly (() => TemplateResult)[];
  /** Undefined until the gateway has answered, or if it does not offer it. */
  declare performance: PerformanceReport | undefined;
  declare problem: string;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.presence = [];
    this.abilities = [];
    this.cards = [];
    this.problem = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.health, this.app.trend, this.app.hello, this.app.link, this.app.sessions.store);
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => {
        void this.#load();
        void this.#ask();
        void this.#askTools();
        void this.#askPerformance();
      }),
      this.app.on(({ event }) => {
        if (isGlanced(event)) void this.#showCards();
        else if (TELLING.has(event)) this.#loadSoon();
      }),
      followPresence(this.app, (entries) => (this.presence = entries)),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#soon);
  }

  override render(): unknown {
    const health = this.app.health.get();
    return html`<div class="column wide pad">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <claw-now .app=${this.app}></claw-now>
      <claw-wrong .app=${this.app}></claw-wrong>
      ${this.cards.map((card) => card())}
      ${
        health.config && health.config.issues.length > 0
          ? html`<section
        class="card"><h2>Configuration problems</h2>${issueList(health.config.issues)}</section>`
          : nothing
      }
      <section class="tiles" aria-label="Gateway">
        ${gatewayTiles(this.app)}
      </section>
      ${this.performance ? performanceCard(this.performance, (runId) => void this.#showTimeline(runId)) : nothing}
      ${this.tools ? toolsCard(this.tools, this.sandbox) : nothing}
      ${this.abilities.length > 0 ? understandingCard(this.abilities) : nothing}
      ${presenceCard(this.presence)}
      <p class="small quiet">Connected to <code>${this.app.gatewayUrl}</code></p>
    </div>`;
  }

  #loadSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => !document.hidden && void this.#load(), SOON_MS);
  }

  /** Once per connection: it changes only with the configuration, which reconnects. */
  async #ask(): Promise<void> {
    try {
      this.abilities = (await this.app.request('understanding.status')).abilities;
    } catch (cause) {
      this.problem = isDisconnected(cause) ? '' : messageOf(cause);
    }
  }

  async #askTools(): Promise<void> {
    const { app } = this;
    if (!app.offers('tools.explain')) return;
    try {
      [this.tools, this.sandbox] = await Promise.all([
        app.request('tools.explain'),
        app.offers('sandbox.explain') ? app.request('sandbox.explain') : undefined,
      ]);
    } catch (cause) {
      this.problem = isDisconnected(cause) ? '' : messageOf(cause);
    }
  }

  async #askPerformance(): Promise<void> {
    const { app } = this;
    if (!app.offers('performance')) return;
    try {
      this.performance = await app.request('performance');
    } catch (cause) {
      this.problem = isDisconnected(cause) ? '' : messageOf(cause);
    }
  }

  async #showTimeline(runId: string): Promise<void> {
    const { showTimeline } = await import('../chat/timeline-dialog.ts');
    await showTimeline(() => this.app.request('chat.timeline', { runId }));
  }

  async #showCards(): Promise<void> {
    this.cards = await loadCards(this.app);
  }

  async #load(): Promise<void> {
    try {
      await Promise.all([this.app.refreshHealth(), this.#showCards()]);
      this.problem = '';
    } catch (cause) {
      this.problem = isDisconnected(cause) ? '' : messageOf(cause);
    }
  }
}

customElements.define('claw-overview', OverviewPage);
