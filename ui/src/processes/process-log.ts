/** `<claw-process-log>`: the output of a process from its end backwards, updated live, and its input. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { copyText } from '../elements/clipboard.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { bytesText } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import type { ProcessView } from '../gateway/wire.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { visible } from '../tools/visible-view.ts';
import { earlierRequest, emptyLog, nextRequest, withLog, type LogWindow } from './log-window.ts';
import type { ProcessFeed } from './process-feed.ts';

const NEAR_END = 24;

export class ProcessLogView extends LightElement {
  static override properties = {
    app: { attribute: false },
    feed: { attribute: false },
    view: { attribute: false },
    log: { state: true },
    follow: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare feed: ProcessFeed;
  declare view: ProcessView;
  declare log: LogWindow;
  declare follow: boolean;
  declare problem: string;
  #leave: (() => void) | undefined;
  #asking = false;
  /** The size of the output when the log was last requested, in bytes. */
  #bytes = -1;
  /** Distance from the end, which must stay the same when earlier lines are added. */
  #anchor: number | undefined;

  constructor() {
    super();
    this.log = emptyLog;
    this.follow = true;
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = this.app.whenConnected(() => void this.#load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { log, view } = this;
    return html`<div class="process-log">
      <div class="process-log-bar"><label class="check"><input type="checkbox" .checked=${this.follow}
        @change=${(event: Event) => this.#setFollow((event.target as HTMLInputElement).checked)} />Follow</label>
        <span class="quiet">${
          log.total === 0 ? '' : `lines ${log.first + 1}–${log.first + log.lines.length} of ${log.total}`
        }${log.droppedBytes > 0 ? `, ${bytesText(log.droppedBytes)} dropped from the middle` : ''}</span>
        <span class="spacer"></span><button class="ghost" title="Copy these lines" aria-label="Copy these lines"
          @click=${() => void this.#copy()}>${icon('copy')}</button></div>
      ${this.problem ? html`<p class="process-problem" role="alert">${this.problem}</p>` : nothing}
      <div class="process-out" tabindex="0" role="log" aria-live="off" aria-label="Output of ${view.sessionId}"
        @scroll=${(event: Event) => this.#scrolled(event.target as HTMLElement)}>
        ${
          log.first > 0
            ? html`<button class="button small process-earlier" @click=${() =>
                void this.#earlier()}>Load earlier lines</button>`
            : nothing
        }
        <pre>${
          log.lines.length === 0
            ? view.status === 'running'
              ? 'No output yet.'
              : 'No output.'
            : visible(log.lines.join('\n'))
        }</pre>
      </div>
      ${view.status === 'running' && view.stdinWritable ? this.#input() : nothing}
    </div>`;
  }

  override updated(changed: Map<string, unknown>): void {
    const out = this.querySelector<HTMLElement>('.process-out');
    if (!out) return;
    if (changed.has('view') && (this.#isBehind() || hasEnded(changed.get('view'), this.view))) void this.#load();
    if (this.#anchor !== undefined) out.scrollTop = out.scrollHeight - this.#anchor;
    else if (this.follow) out.scrollTop = out.scrollHeight;
    this.#anchor = undefined;
  }

  #input(): unknown {
    return html`<form class="process-input" @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void this.#send(event.target as HTMLFormElement);
    }}>
      <span class="process-prompt" aria-hidden="true">›</span>
      <input class="field" name="line" aria-label="Input for ${this.view.sessionId}" placeholder="Type input"
        autocomplete="off" autocapitalize="off" spellcheck="false" />
      <button class="button small" type="submit">Write</button>
      <button class="button small" type="button" title="Close the input (end of file)" @click=${() =>
        void this.#write('', true)}>EOF</button>
    </form>`;
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const line = String(new FormData(form).get('line') ?? '');
    // A terminal's Enter is a carriage return, a pipe's line ends with a line feed.
    if (await this.#write(`${line}${this.view.pty ? '\r' : '\n'}`, false)) form.reset();
  }

  async #write(data: string, eof: boolean): Promise<boolean> {
    try {
      await this.app.request('process.write', { sessionId: this.view.sessionId, data, ...(eof ? { eof } : {}) });
      if (eof) toast('Input closed');
      this.#setFollow(true);
      return true;
    } catch (cause) {
      toast(messageOf(cause), 'bad');
      return false;
    }
  }

  #scrolled(out: HTMLElement): void {
    const away = out.scrollHeight - out.scrollTop - out.clientHeight > NEAR_END;
    if (away === this.follow) this.#setFollow(!away);
  }

  #setFollow(follow: boolean): void {
    this.follow = follow;
    if (follow) void this.#load();
  }

  /** The process wrote more than the log shows, and the person wants to see it. */
  #isBehind(): boolean {
    return this.follow && this.#bytes >= 0 && this.view.outputBytes > this.#bytes;
  }

  async #load(): Promise<void> {
    if (this.#asking) return;
    await this.#ask(nextRequest(this.log));
    if (this.#isBehind() && this.problem === '') await this.#load();
  }

  async #earlier(): Promise<void> {
    this.follow = false;
    await this.#ask(earlierRequest(this.log), true);
  }

  async #ask(part: object, keepPlace = false): Promise<void> {
    this.#asking = true;
    const size = this.view.outputBytes;
    try {
      const answer = await this.app.request('process.log', { sessionId: this.view.sessionId, ...part });
      const out = this.querySelector<HTMLElement>('.process-out');
      if (keepPlace && out) this.#anchor = out.scrollHeight - out.scrollTop;
      this.log = withLog(this.log, answer);
      this.#bytes = Math.max(answer.view.outputBytes, size);
      this.problem = '';
      if (answer.view.outputBytes !== this.view.outputBytes || answer.view.status !== this.view.status)
        this.feed.note(answer.view);
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    } finally {
      this.#asking = false;
    }
  }

  async #copy(): Promise<void> {
    toast((await copyText(this.log.lines.join('\n'))) ? 'Copied' : 'The browser blocked copying');
  }
}

const hasEnded = (before: unknown, { status }: ProcessView): boolean =>
  (before as ProcessView | undefined)?.status === 'running' && status !== 'running';

customElements.define('claw-process-log', ProcessLogView);
