/** `<claw-logs>`: the end of the gateway's log, updated live. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { findLines, LEVELS, parseLogLine, type Level, type LogLine } from './log-lines.ts';

const EVERY_MS = 1000;
const MAX = 2000;

export class LogsPage extends LightElement {
  static override properties = {
    lines: { state: true },
    level: { state: true },
    query: { state: true },
    follow: { state: true },
    file: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare lines: readonly LogLine[];
  declare level: Level;
  declare query: string;
  declare follow: boolean;
  declare file: string;
  declare problem: string;
  #cursor: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #leave: (() => void) | undefined;
  #loading = false;

  constructor() {
    super();
    this.lines = [];
    this.level = 'info';
    this.query = '';
    this.follow = true;
    this.file = '';
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = this.app.whenConnected(() => void this.#load());
    this.#timer = setInterval(() => !document.hidden && this.follow && void this.#load(), EVERY_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#leave?.();
  }

  override render(): unknown {
    const shown = findLines(this.lines, this.level, this.query);
    return html`<div class="logs-page">
      <div class="bar pad">
        <label class="offscreen" for="log-level">Level</label>
        <select id="log-level" class="field" .value=${this.level} @change=${(event: Event) =>
          (this.level = (event.target as HTMLSelectElement).value as Level)}>${LEVELS.map(
          (level) => html`<option
          value=${level} ?selected=${level === this.level}>${
            level === 'error' ? 'errors' : `${level} and above`
          }</option>`,
        )}</select>
        <input class="field" type="search" placeholder="Filter" aria-label="Filter" .value=${this.query}
          @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)} />
        <label class="check"><input type="checkbox" .checked=${this.follow} @change=${(event: Event) =>
          (this.follow = (event.target as HTMLInputElement).checked)} />Follow</label>
        <span class="spacer"></span><code class="path">${this.file}</code>
      </div>
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <div class="log" role="log" aria-label="Log" aria-live="off" tabindex="0">
        ${shown.map(
          (line) => html`<div class="log-line ${line.level}"><span class="log-at">${line.at}</span><span
          class="log-level">${line.level}</span><span class="log-text"><b>${line.event}</b> ${line.rest}</span></div>`,
        )}
        ${
          shown.length === 0
            ? html`<p class="quiet pad">${this.lines.length === 0 ? 'Nothing logged yet.' : 'No matching lines.'}</p>`
            : nothing
        }
      </div>
    </div>`;
  }

  override updated(changed: Map<string, unknown>): void {
    const log = this.querySelector<HTMLElement>('.log');
    if (log && this.follow && (changed.has('lines') || changed.has('follow') || changed.has('level')))
      log.scrollTop = log.scrollHeight;
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const tail = await this.app.request(
        'logs.tail',
        this.#cursor === undefined ? { limit: 500 } : { cursor: this.#cursor, limit: 1000 },
      );
      const fresh = tail.lines.filter(Boolean).map(parseLogLine);
      const restarted = this.#cursor === undefined || tail.reset === true;
      this.#cursor = tail.cursor;
      this.file = tail.file;
      this.problem = '';
      if (fresh.length > 0 || restarted) this.lines = [...(restarted ? [] : this.lines), ...fresh].slice(-MAX);
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    } finally {
      this.#loading = false;
    }
  }
}

customElements.define('claw-logs', LogsPage);
