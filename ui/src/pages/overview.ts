/** `<claw-overview>`: how the gateway is doing, at a glance. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Job, PresenceEntry, SandboxExplained, ToolsExplained, Understands } from '../gateway/wire.ts';
import { comingCard } from './coming-card.ts';
import { askGlances, isGlanced } from './glances.ts';
import { issueList } from './issue-list.ts';
import { LightElement } from '../elements/light-element.ts';
import { toolsCard } from './tools-card.ts';
import { understandingCard } from './understanding-card.ts';
import { sparkline } from './sparkline.ts';
import { ago, duration, megabytes } from '../elements/times.ts';
import { isOffline } from '../gateway/health.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { followPresence } from '../gateway/presence.ts';

const EVERY_MS = 5000;
const SHOWN_JOBS = 3;

export class OverviewPage extends LightElement {
  static override properties = {
    presence: { state: true },
    abilities: { state: true },
    tools: { state: true },
    sandbox: { state: true },
    jobs: { state: true },
    lines: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare presence: readonly PresenceEntry[];
  declare abilities: readonly Understands[];
  declare tools: ToolsExplained | undefined;
  declare sandbox: SandboxExplained | undefined;
  /** The next that run; undefined while the gateway has not said, or has no schedule. */
  declare jobs: readonly Job[] | undefined;
  declare lines: readonly TemplateResult[];
  /** In which their times are told. */
  declare zone: string;
  declare problem: string;
  #timer: ReturnType<typeof setInterval> | undefined;
  #leave: (() => void)[] = [];

  constructor() {
    super();
    this.presence = [];
    this.abilities = [];
    this.lines = [];
    this.problem = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.health, this.app.trend, this.app.hello, this.app.link, this.app.sessions.store);
    super.connectedCallback();
    this.#leave = [
      this.app.whenConnected(() => {
        void this.#load();
        void this.#ask();
        void this.#askTools();
      }),
      this.app.on(({ event }) => isGlanced(event) && void this.#coming()),
      followPresence(this.app, (entries) => (this.presence = entries)),
    ];
    this.#timer = setInterval(() => !document.hidden && void this.#load(), EVERY_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    for (const leave of this.#leave) leave();
  }

  override render(): unknown {
    const health = this.app.health.get();
    const hello = this.app.hello.get();
    const trend = this.app.trend.get();
    const up = health.startedAt === undefined ? hello?.snapshot.uptimeMs : Date.now() - health.startedAt;
    return html`<div class="column wide pad">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <section class="tiles" aria-label="Gateway">
        ${tile(
          'Gateway',
          this.app.link.get().phase === 'connected' ? (health.phase ?? 'ready') : 'not connected',
          [hello ? `version ${hello.server.version}` : '', up === undefined ? '' : `up ${duration(up)}`]
            .filter(Boolean)
            .join(' · '),
          this.app.link.get().phase === 'connected' ? 'good' : 'bad',
        )}
        ${tile(
          'Model',
          health.model ? health.model.model : '–',
          health.model
            ? `${health.model.provider}${health.model.source && health.model.source !== health.model.provider ? ` · ${health.model.source}` : ''}`
            : '',
          isOffline(health) ? 'warn' : 'plain',
        )}
        ${tile(
          'Conversations',
          String(health.sessions ?? this.app.sessions.store.get().rows.length),
          health.activeTurns === undefined
            ? ''
            : `${health.activeTurns} answering · ${health.queuedMessages ?? 0} queued`,
        )}
        ${tile(
          'Queued deliveries',
          String(health.outboxPending ?? 0),
          health.overdue ? `${health.overdue} overdue` : 'none overdue',
          health.overdue ? 'bad' : 'plain',
        )}
        ${tile(
          'Storage',
          health.storage ? (health.storage.ok ? 'writable' : 'not writable') : '–',
          health.storage?.error ?? hello?.snapshot.stateDir ?? '',
          health.storage?.ok === false ? 'bad' : 'good',
        )}
        ${tile(
          'Configuration',
          health.config ? (health.config.safeMode ? 'safe mode' : health.config.valid ? 'valid' : 'invalid') : '–',
          health.config?.source ? `from ${health.config.source}` : (hello?.snapshot.configPath ?? ''),
          health.config && (!health.config.valid || health.config.safeMode) ? 'bad' : 'good',
        )}
        ${tile(
          'Event loop',
          health.eventLoop?.p99Ms === undefined ? '–' : `${health.eventLoop.p99Ms.toFixed(1)} ms`,
          health.eventLoop?.maxMs === undefined ? '' : `worst ${health.eventLoop.maxMs.toFixed(0)} ms`,
          (health.eventLoop?.p99Ms ?? 0) > 100 ? 'warn' : 'plain',
          sparkline(
            trend.map(({ loopMs }) => loopMs),
            'Event loop delay while this page was open',
          ),
        )}
        ${tile(
          'Memory',
          health.rssBytes === undefined ? '–' : megabytes(health.rssBytes),
          'of the gateway process',
          'plain',
          sparkline(
            trend.map(({ rssBytes }) => rssBytes),
            'Memory while this page was open',
          ),
        )}
      </section>
      ${
        this.jobs
          ? comingCard({ jobs: this.jobs, lines: this.lines, zone: this.zone, open: (id) => this.app.go('cron', id) })
          : nothing
      }
      ${
        health.config && health.config.issues.length > 0
          ? html`<section
        class="card"><h2>Configuration problems</h2>${issueList(health.config.issues)}</section>`
          : nothing
      }
      ${this.tools ? toolsCard(this.tools, this.sandbox) : nothing}
      ${this.abilities.length > 0 ? understandingCard(this.abilities) : nothing}
      <section class="card"><h2>Connected now</h2>
        ${
          this.presence.length === 0
            ? html`<p class="quiet">No other clients.</p>`
            : html`<ul
          class="rows">${this.presence.map(
            (entry) =>
              html`<li class="row"><span><b>${entry.host ?? entry.text ?? entry.mode ?? 'client'}</b><small>${[
                entry.mode,
                entry.platform,
                entry.version,
              ]
                .filter(Boolean)
                .join(' · ')}</small></span><span class="quiet">${
                entry.reason === 'disconnect'
                  ? `disconnected ${ago(entry.ts, Date.now())}`
                  : entry.onlineSince === undefined
                    ? ago(entry.ts, Date.now())
                    : `connected ${ago(entry.onlineSince, Date.now())}`
              }</span></li>`,
          )}</ul>`
        }
      </section>
      <p class="small quiet">Connected to <code>${this.app.gatewayUrl}</code></p>
    </div>`;
  }

  /** Once a connection: it changes with the configuration, which begins a new one. */
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

  async #coming(): Promise<void> {
    const { app } = this;
    if (!app.offers('cron.list')) return;
    const [{ jobs }, { zone }, lines] = await Promise.all([
      app.request('cron.list', { limit: SHOWN_JOBS, sortBy: 'nextRunAtMs' }),
      app.request('cron.status', {}),
      askGlances(app),
    ]);
    this.zone = zone;
    this.jobs = jobs.filter(({ nextRunsAtMs }) => nextRunsAtMs.length > 0);
    this.lines = lines.map((line) => line(zone));
  }

  async #load(): Promise<void> {
    try {
      await Promise.all([this.app.refreshHealth(), this.#coming()]);
      this.problem = '';
    } catch (cause) {
      this.problem = isDisconnected(cause) ? '' : messageOf(cause);
    }
  }
}

const tile = (
  label: string,
  value: string,
  detail: string,
  tone: 'plain' | 'good' | 'warn' | 'bad' = 'plain',
  curve: unknown = nothing,
): unknown =>
  html`<div class="tile ${tone}"><span class="tile-label">${label}</span><span class="tile-value">${value}</span><span
    class="tile-detail">${detail}</span>${curve}</div>`;

customElements.define('claw-overview', OverviewPage);
