/** `<claw-logs>`: the end of the gateway's log, updated live. */
import { html, nothing } from 'lit';
import type { LogLinesEvent } from '../../../src/protocol/answers/system.ts';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { findLines, LEVELS, parseLogLine, type Level, type LogLine } from './log-lines.ts';

const MAX = 5000;
const LINES = 500;
/** The limits when a time range is given: the maximum of `logs.tail`. */
const ALL = { limit: MAX, maxBytes: 1_000_000 };

export class LogsPage extends LightElement {
  static override properties = {
    lines: { state: true },
    level: { state: true },
    query: { state: true },
    since: { state: true },
    until: { state: true },
    older: { state: true },
    follow: { state: true },
    file: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare lines: readonly LogLine[];
  declare level: Level;
  declare query: string;
  /** The values of the fields, in local time; empty: no limit. */
  declare since: string;
  declare until: string;
  /** The file has more lines before the first one here. */
  declare older: boolean;
  declare follow: boolean;
  declare file: string;
  declare problem: string;
  #cursor: number | undefined;
  #loading = false;

  constructor() {
    super();
    this.lines = [];
    this.level = 'info';
    this.query = '';
    this.since = '';
    this.until = '';
    this.older = false;
    this.follow = true;
    this.file = '';
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#begin()),
      this.app.on(({ event, payload }) => event === 'logs.lines' && this.#onEvent(payload as LogLinesEvent)),
      () => this.app.offers('logs.unsubscribe') && void this.app.request('logs.unsubscribe').catch(unlessLost),
    );
  }

  override render(): unknown {
    const shown = findLines(this.lines, {
      least: this.level,
      text: this.query,
      since: timeIn(this.since),
      until: timeIn(this.until),
    });
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
        <label class="log-range">From <input class="field" type="datetime-local" step="1" .value=${this.since}
          @change=${(event: Event) => this.#setRange('since', event)} /></label>
        <label class="log-range">to <input class="field" type="datetime-local" step="1" .value=${this.until}
          @change=${(event: Event) => this.#setRange('until', event)} /></label>
        <label class="check"><input type="checkbox" .checked=${this.follow} @change=${(event: Event) =>
          this.#setFollow((event.target as HTMLInputElement).checked)} />Follow</label>
        <span class="spacer"></span><code class="path">${this.file}</code>
      </div>
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <div class="log" role="log" aria-label="Log" aria-live="off" tabindex="0">
        ${
          this.older
            ? html`<p class="quiet log-older"><button class="button small" @click=${() =>
                void this.#loadAll()}>Load earlier lines</button></p>`
            : nothing
        }
        ${shown.map((line) => this.#line(line))}
        ${
          shown.length === 0
            ? html`<p class="quiet pad">${this.lines.length === 0 ? 'Nothing logged yet.' : 'No matching lines.'}</p>`
            : nothing
        }
      </div>
    </div>`;
  }

  #line({ at, level, event, rest, sessionKey, runId }: LogLine): unknown {
    return html`<div class="log-line ${level}"><span class="log-at">${at}</span><span
      class="log-level">${level}</span><span class="log-text"><b>${event}</b> ${rest}${
        sessionKey === undefined
          ? nothing
          : html` <button class="link" @click=${() => this.#open(sessionKey, runId)}>Show message</button>`
      }</span></div>`;
  }

  #open(sessionKey: string, runId: string | undefined): void {
    this.app.openSession(sessionKey);
    if (runId !== undefined) this.dispatchEvent(new CustomEvent('reveal-message', { detail: runId, bubbles: true }));
  }

  #setRange(end: 'since' | 'until', event: Event): void {
    this[end] = (event.target as HTMLInputElement).value;
    if (this.older) void this.#loadAll();
  }

  /** Loads as much as one request may return; older lines are only in the file. */
  async #loadAll(): Promise<void> {
    this.#cursor = undefined;
    await this.#load(ALL);
    this.older = false;
  }

  override updated(changed: Map<string, unknown>): void {
    const log = this.querySelector<HTMLElement>('.log');
    if (log && this.follow && (changed.has('lines') || changed.has('follow') || changed.has('level')))
      log.scrollTop = log.scrollHeight;
  }

  /** Subscribes before it loads, so that no line in between is missed. */
  async #begin(): Promise<void> {
    if (this.app.offers('logs.subscribe')) await this.app.request('logs.subscribe').catch(unlessLost);
    await this.#load();
  }

  #setFollow(follow: boolean): void {
    this.follow = follow;
    if (follow) void this.#load();
  }

  /** Fetches the missing part if the event does not continue the page. */
  #onEvent({ file, from, cursor, lines, truncated }: LogLinesEvent): void {
    if (!this.follow || this.#loading || (file === this.file && this.#cursor !== undefined && cursor <= this.#cursor))
      return;
    if (file !== this.file) this.#cursor = undefined;
    if (this.#cursor !== from) return void this.#load();
    this.#cursor = cursor;
    const gap = truncated ? [LEFT_OUT] : [];
    this.lines = [...this.lines, ...gap, ...lines.map(parseLogLine)].slice(-MAX);
  }

  async #load(first: object = { limit: LINES }): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const tail = await this.app.request(
        'logs.tail',
        this.#cursor === undefined ? first : { cursor: this.#cursor, limit: 1000 },
      );
      const fresh = tail.lines.filter(Boolean).map(parseLogLine);
      const restarted = this.#cursor === undefined || tail.reset === true;
      this.#cursor = tail.cursor;
      this.file = tail.file;
      this.problem = '';
      if (restarted) this.older = tail.truncated;
      if (fresh.length > 0 || restarted) this.lines = [...(restarted ? [] : this.lines), ...fresh].slice(-MAX);
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    } finally {
      this.#loading = false;
    }
  }
}

const timeIn = (written: string): number | undefined => (written === '' ? undefined : new Date(written).getTime());

/** A lost connection is shown elsewhere, and the page subscribes again after a reconnect. */
function unlessLost(cause: unknown): void {
  if (!isDisconnected(cause)) throw cause;
}

/** The placeholder for lines beyond the limit of one event. */
const LEFT_OUT: LogLine = {
  at: '',
  level: 'warn',
  event: '…',
  rest: 'Lines are left out: more was written at once than is sent live. The file has them all.',
};

customElements.define('claw-logs', LogsPage);
