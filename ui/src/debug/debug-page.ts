/** `<claw-debug>`: calls any method of the gateway, and shows received events. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { LightElement } from '../elements/light-element.ts';
import { clock24, duration } from '../elements/times.ts';
import { messageOf, RequestError } from '../gateway/requests.ts';
import type { EventFrame } from '../gateway/wire.ts';
import './debug.css';

const MAX_EVENTS = 300;
const CALL_MS = 120_000;
/** Methods that change nothing, which are called without a confirmation. */
const READ_VERBS = new Set(
  (
    'list get status explain history preview recent tail catalog effective schema use health performance resolve ' +
    'capabilities timeline runs calendar review providers log system-presence last-heartbeat'
  ).split(' '),
);

interface ReceivedEvent {
  readonly at: number;
  readonly event: string;
  readonly text: string;
}

export class DebugPage extends LightElement {
  static override properties = {
    answer: { state: true },
    busy: { state: true },
    heard: { state: true },
    filter: { state: true },
    paused: { state: true },
  };
  declare app: App;
  declare answer: { readonly ok: boolean; readonly text: string; readonly ms: number } | undefined;
  declare busy: boolean;
  declare received: readonly ReceivedEvent[];
  declare filter: string;
  declare paused: boolean;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.busy = false;
    this.received = [];
    this.filter = '';
    this.paused = false;
  }

  override connectedCallback(): void {
    this.watch(this.app.hello);
    super.connectedCallback();
    this.#leave = this.app.on((event) => this.#onEvent(event));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const methods = this.app.hello.get()?.features.methods ?? [];
    const shown = this.received.filter(({ event, text }) => `${event} ${text}`.includes(this.filter));
    return html`<div class="column wide pad debug">
      <section class="card" aria-labelledby="call-title"><h2 id="call-title">Call a method</h2>
        <form class="call" @submit=${(event: Event) => {
          event.preventDefault();
          void this.#call(event.currentTarget as HTMLFormElement);
        }}>
          <input class="field mono" name="method" list="methods" required placeholder="sessions.list"
            aria-label="Method" autocomplete="off" spellcheck="false" />
          <datalist id="methods">${methods.map((name) => html`<option value=${name}></option>`)}</datalist>
          <textarea class="field mono" name="params" rows="5" aria-label="Parameters, JSON" spellcheck="false"
            >{}</textarea>
          <div class="form-actions"><button class="button primary" ?disabled=${this.busy}>${
            this.busy ? 'Calling…' : 'Call'
          }</button></div>
        </form>
        <div aria-live="polite">${
          this.answer
            ? html`<p class="small ${this.answer.ok ? 'quiet' : 'call-failed'}">${
                this.answer.ok ? 'Answer' : 'Error'
              } after ${duration(this.answer.ms)}</p><pre class="call-answer" tabindex="0">${this.answer.text}</pre>`
            : nothing
        }</div></section>
      <section class="card" aria-labelledby="events-title">
        <div class="bar"><h2 id="events-title">Events</h2><span class="spacer"></span>
          <input class="field" type="search" placeholder="Filter" aria-label="Filter events" .value=${this.filter}
            @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
          <button class="button small" @click=${() => (this.paused = !this.paused)}>${
            this.paused ? 'Resume' : 'Pause'
          }</button>
          <button class="button small" @click=${() => (this.received = [])}>Clear</button></div>
        ${shown.length === 0 ? html`<p class="quiet">No events yet.</p>` : nothing}
        <ul class="heard">${shown.map(
          ({ at, event, text }) =>
            html`<li><details><summary><time>${clock24(at)}</time> <b>${event}</b> <span>${text.slice(
              0,
              160,
            )}</span></summary><pre>${text}</pre></details></li>`,
        )}</ul></section></div>`;
  }

  #onEvent({ event, payload }: EventFrame): void {
    if (this.paused || event === 'tick') return;
    const text = JSON.stringify(payload, null, 2)?.slice(0, 20_000) ?? '';
    this.received = [{ at: Date.now(), event, text }, ...this.received].slice(0, MAX_EVENTS);
  }

  async #call(form: HTMLFormElement): Promise<void> {
    const field = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value.trim();
    const method = field('method');
    const begin = performance.now();
    const ms = (): number => performance.now() - begin;
    try {
      const params: unknown = JSON.parse(field('params') || '{}');
      if (
        !READ_VERBS.has(method.split('.').at(-1) ?? '') &&
        !(await confirmed({ title: `Call ${method}?`, body: CHANGES, action: 'Call' }))
      )
        return;
      this.busy = true;
      const answer = await this.app.connection.request<unknown>(method, params, { timeoutMs: CALL_MS });
      this.answer = { ok: true, text: JSON.stringify(answer, null, 2), ms: ms() };
    } catch (cause) {
      const { code = '', details = undefined } = cause instanceof RequestError ? cause : {};
      const text = [code, messageOf(cause), details === undefined ? '' : JSON.stringify(details, null, 2)];
      this.answer = { ok: false, text: text.filter(Boolean).join('\n'), ms: ms() };
    } finally {
      this.busy = false;
    }
  }
}

const CHANGES = 'This method may change something. It is called with the parameters as you wrote them.';

customElements.define('claw-debug', DebugPage);
