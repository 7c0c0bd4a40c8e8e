/**
 * `<claw-approval>`: one pending command: the whole command, the programs it would start, the reason, and the answers.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { titleOf } from '../gateway/sessions.ts';
import { visible } from '../tools/visible-view.ts';
import { extent, isProven, timeLeft, type Approval, type Decision, type Step } from './approval.ts';

/** Clicks and keys within this time are ignored, because they may have been meant for the previous content. */
const GUARD_MS = 500;
const TICK_MS = 250;
const LAST_SECONDS_MS = 20_000;
const HOSTS: Readonly<Record<string, string>> = {
  gateway: 'the gateway’s machine',
  sandbox: 'the sandbox',
  node: 'a node',
};

export class ApprovalCard extends LightElement {
  static override properties = {
    approval: { attribute: false },
    app: { attribute: false },
    armed: { state: true },
    sending: { state: true },
  };
  declare approval: Approval;
  declare app: App;
  declare armed: boolean;
  declare sending: Decision | undefined;
  #guard: ReturnType<typeof setTimeout> | undefined;
  #tick: ReturnType<typeof setInterval> | undefined;
  /** A press began before the guard time was over, so the click that follows it is ignored too. */
  #pressedEarly = false;

  constructor() {
    super();
    this.armed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#tick = setInterval(() => this.requestUpdate(), TICK_MS);
    addEventListener('focus', this.#disarm);
    document.addEventListener('visibilitychange', this.#disarm);
    this.#disarm();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#tick);
    clearTimeout(this.#guard);
    removeEventListener('focus', this.#disarm);
    document.removeEventListener('visibilitychange', this.#disarm);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    const before = changed.get('approval') as Approval | undefined;
    if (!changed.has('approval') || before?.id === this.approval.id) return;
    this.sending = undefined;
    this.#disarm();
  }

  override render(): unknown {
    const { approval } = this;
    const left = approval.deadline - Date.now();
    const over = left <= 0;
    const size = extent(approval.command);
    return html`<section class="approval ${this.armed ? '' : 'guarded'}" aria-label="A command needs your approval"
      @pointerdown=${() => (this.#pressedEarly = !this.armed)}>
      <div class="approval-time ${left < LAST_SECONDS_MS ? 'late' : ''}" role="timer" aria-label=${timeLeft(left)}><i
        style="width:${Math.max(0, Math.min(100, (left / approval.totalMs) * 100)).toFixed(1)}%"></i></div>
      <header class="approval-head"><h2>Allow ${
        approval.agentId ? `agent “${approval.agentId}”` : 'another program'
      } to run this command${approval.elevated ? ' outside its sandbox' : ''}?</h2><span
        class="approval-left">${over ? 'expired' : timeLeft(left)}</span></header>
      <pre class="approval-command" tabindex="0" aria-label="The whole command">${visible(approval.command, {
        foreign: true,
      })}</pre>
      ${size ? html`<p class="approval-size">${size}, shown in full.</p>` : nothing}
      ${
        approval.reasons.length > 0
          ? html`<ul class="approval-reasons">${approval.reasons.map(
              (reason) => html`<li>${icon('warn')}<span>${visible(reason)}</span></li>`,
            )}</ul>`
          : nothing
      }
      ${
        approval.steps.length > 0
          ? html`<details class="approval-parse"
        ?open=${approval.steps.length <= 4}><summary>${icon('chevron')}${
          approval.steps.length === 1 ? 'Runs one program' : `Runs ${approval.steps.length} programs`
        }</summary><ol>${approval.steps.map((step) => stepRow(step, isProven(approval)))}</ol></details>`
          : nothing
      }
      ${this.#facts(approval)}
      ${this.#answers(approval, over)}
    </section>`;
  }

  #facts(approval: Approval): TemplateResult {
    const { app } = this;
    const visit = (): void => {
      app.openSession(approval.sessionKey);
      this.dispatchEvent(new CustomEvent('visit-conversation', { bubbles: true }));
    };
    const row = app.sessions.store.get().rows.find(({ key }) => key === approval.sessionKey) ?? {
      key: approval.sessionKey,
    };
    const env = Object.entries(approval.env);
    return html`<dl class="approval-facts">
      <div><dt>Folder</dt><dd><code>${visible(approval.cwd, { foreign: true })}</code></dd></div>
      ${
        env.length > 0
          ? html`<div><dt>Sets</dt><dd>${env.map(
              ([name, value]) => html`<code>${visible(`${name}=${value}`, { foreign: true })}</code> `,
            )}</dd></div>`
          : nothing
      }
      <div><dt>Runs on</dt><dd>${HOSTS[approval.host] ?? approval.host}</dd></div>
      ${
        approval.sessionKey
          ? html`<div><dt>Conversation</dt><dd>${
              app.chat.store.get().current === approval.sessionKey && app.route.get().page === 'chat'
                ? titleOf(row)
                : html`<button type="button" class="approval-open"
        @click=${visit}>${titleOf(row)}</button>`
            }</dd></div>`
          : nothing
      }
      <div><dt>Answer in a chat</dt><dd><code>/approve ${approval.slug} allow-once</code></dd></div>
    </dl>`;
  }

  #answers(approval: Approval, over: boolean): TemplateResult {
    const off = !this.armed || over || this.sending !== undefined;
    // "Always" is offered only if what it would add can be shown.
    const offersAlways = isProven(approval);
    const button = (decision: Decision, words: string, tone: string): TemplateResult =>
      html`<button type="button" class="button ${tone}" data-decision=${decision} aria-disabled=${
        off ? 'true' : 'false'
      } aria-describedby=${decision === 'allow-always' ? `remember-${approval.id}` : nothing} @click=${() =>
        void this.#decide(decision)}>${
        this.sending === decision
          ? html`<span class="spinner"
        aria-hidden="true"></span>`
          : nothing
      }${words}</button>`;
    return html`<footer class="approval-answers">
      ${button('deny', 'Deny', 'danger')}<span class="spacer"></span>
      ${offersAlways ? button('allow-always', 'Always allow', '') : nothing}
      ${button('allow-once', 'Allow once', 'primary')}
      ${
        offersAlways
          ? html`<p class="approval-remember"
        id="remember-${approval.id}"><b>Always allow</b> also lets agent ${approval.agentId} run without asking, in the future: ${approval.remember.map((line, at) => html`${at > 0 ? '; ' : nothing}<code>${visible(line, { foreign: true })}</code>`)}</p>`
          : nothing
      }
    </footer>`;
  }

  async #decide(decision: Decision): Promise<void> {
    if (!this.armed || this.#pressedEarly || this.sending || this.approval.deadline <= Date.now()) return;
    this.sending = decision;
    const { approval } = this;
    const approvalService = await this.app.approvalService();
    if (!(await approvalService.decide(approval, decision)) && this.approval.id === approval.id)
      this.sending = undefined;
  }

  #disarm = (): void => {
    this.armed = false;
    clearTimeout(this.#guard);
    this.#guard = setTimeout(() => (this.armed = true), GUARD_MS);
  };
}

function stepRow({ words, path, why }: Step, proven: boolean): TemplateResult {
  const kind = why ? 'asks' : proven ? 'proven' : 'named';
  return html`<li class="approval-step ${kind}">
    <span class="approval-mark">${icon(({ asks: 'warn', proven: 'check', named: 'chevron' } as const)[kind])}</span>
    <code class="approval-words">${words.map((word) =>
      word === null
        ? html`<span class="approval-unknown"
      title="Known only when it runs">?</span>`
        : html`<span class="approval-word">${
            word === ''
              ? html`<span
      class="hidden" title="empty word">''</span>`
              : visible(word, { foreign: true })
          }</span>`,
    )}</code>
    ${path ? html`<small class="approval-path">${visible(path, { foreign: true })}</small>` : nothing}
    ${
      kind === 'named'
        ? nothing
        : html`<small class="approval-why">${why ? visible(why) : 'read-only or already allowed'}</small>`
    }
  </li>`;
}

customElements.define('claw-approval', ApprovalCard);
