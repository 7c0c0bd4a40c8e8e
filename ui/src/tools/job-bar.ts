/** `<claw-job>`: the actions of a command card: stop the command, or open it as a background process. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import type { ToolPart } from '../chat/items.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { duration } from '../elements/times.ts';
import { endProcess } from '../processes/end-process.ts';
import { runtimeOf, type KnownProcess, type ProcessFeed } from '../processes/process-feed.ts';
import { stateOf } from '../processes/process-words.ts';
import { fields, outcomeOf, text, waitsFor } from './tool-facts.ts';

const TICK_MS = 1000;

export class JobBar extends LightElement {
  static override properties = { call: { attribute: false }, app: { attribute: false }, feed: { state: true } };
  declare call: ToolPart;
  declare app: App | undefined;
  declare feed: ProcessFeed | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#rest();
  }

  override render(): unknown {
    const outcome = outcomeOf(this.call.details);
    if (!this.app) return nothing;
    if (outcome?.kind === 'background') return this.#background(this.app, outcome.sessionId);
    if (this.call.state !== 'running') return nothing;
    const blocked = waitsFor(this.call) !== undefined && !mayApprove(this.app);
    return html`<div class="job">${
      blocked
        ? html`<span
      class="job-state">${icon('warn')}This browser cannot answer approvals: its device lacks the scope <code>operator.approvals</code>.</span>`
        : nothing
    }<span class="spacer"></span><button class="button small" @click=${() =>
      void this.app?.chat.stop()}>${icon('stop')}Stop</button></div>`;
  }

  override updated(): void {
    const outcome = outcomeOf(this.call.details);
    if (outcome?.kind === 'background' && !this.feed) void this.#follow();
    const running = outcome?.kind === 'background' && this.#known(outcome.sessionId)?.view.status === 'running';
    if (!running) this.#rest();
    else this.#timer ??= setInterval(() => this.requestUpdate(), TICK_MS);
  }

  #background(app: App, sessionId: string): unknown {
    const known = this.#known(sessionId);
    const state = known ? stateOf(known.view) : undefined;
    const open = (event: Event): void => {
      event.preventDefault();
      app.go('processes', sessionId);
    };
    return html`<div class="job">
      <span class="job-state ${state?.tone ?? 'quiet'}">${
        state
          ? state.tone === 'running'
            ? html`<i
        class="dot running"></i>Running in the background · ${duration(runtimeOf(known!, Date.now()))}`
            : `In the background: ${state.words}`
          : 'Continues in the background.'
      }</span>
      <span class="spacer"></span>
      <a class="job-link" href="./processes?id=${encodeURIComponent(sessionId)}"
        @click=${open}>${sessionId}${icon('chevron')}</a>
      ${
        known?.view.status === 'running'
          ? html`<button class="button small danger" @click=${() =>
              void endProcess(app, {
                sessionId,
                command: text(fields(this.call.args)['command']) ?? known.view.command,
              })}>${icon('stop')}Kill</button>`
          : nothing
      }
    </div>`;
  }

  #known(sessionId: string): KnownProcess | undefined {
    return this.feed?.store.get().byId.get(sessionId);
  }

  async #follow(): Promise<void> {
    if (!this.app || !this.app.offers('process.list')) return;
    this.feed = await this.app.processes();
    this.watch(this.feed.store);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A gateway that reports no scopes allows everything. */
const mayApprove = (app: App): boolean => {
  const scopes = app.hello.get()?.auth?.scopes;
  return !scopes || scopes.includes('operator.admin') || scopes.includes('operator.approvals');
};

customElements.define('claw-job', JobBar);
