/** `<claw-a2ui>`: lists the canvases of all sessions; a person can view, use, open and clear each. */
import './canvas.css';
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { copyText } from '../../../../ui/src/elements/clipboard.ts';
import { confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { A2uiAnswers } from '../answers.ts';
import { canvasAddress, canvasFrame } from './canvas-frame.ts';

type Canvases = A2uiAnswers['a2ui.list']['canvases'];

export class CanvasPage extends LightElement {
  static override properties = {
    canvases: { state: true },
    shown: { state: true },
    path: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare canvases: Canvases | undefined;
  /** What the chosen canvas holds. */
  declare shown: A2uiAnswers['a2ui.get'] | undefined;
  declare path: string | undefined;
  declare problem: string;
  #chosen: string | undefined;
  #leave: (() => void)[] = [];

  constructor() {
    super();
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#chosen = new URLSearchParams(location.search).get('id') ?? undefined;
    this.#leave = [
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => event === 'a2ui.changed' && void this.#load()),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const leave of this.#leave.splice(0)) leave();
  }

  override render(): unknown {
    const { shown, path, problem } = this;
    if (!shown || path === undefined)
      return html`<div class="column wide pad">
        ${problem ? html`<p class="strip bad" role="alert">${problem}</p>` : html`<p class="quiet">Loading…</p>`}
      </div>`;
    const warnings = shown.surfaces.flatMap((surface) => surface.warnings);
    return html`<div class="canvas-bar">
        <select class="field" aria-label="Session" @change=${this.#chooseSession}>
          ${this.#keys().map((key) => html`<option value=${key} ?selected=${key === shown.sessionKey}>${key}</option>`)}
        </select>
        <span>${standing(shown)}</span>
        <a class="button small" href=${canvasAddress(this.app, path).href} target="_blank" rel="noopener noreferrer">
          Open in a tab</a>
        <button class="button small" @click=${() => void this.#copy(path)}>Copy link</button>
        <button class="button small" @click=${() => void this.#renew()}>New link</button>
        <button class="button small danger" ?disabled=${shown.surfaces.length === 0} @click=${() => void this.#reset()}>
          Delete surfaces</button>
      </div>
      ${warnings.length > 0 ? warningList(warnings) : nothing}
      <div class="canvas-stage">${canvasFrame(this.app, path, false)}</div>`;
  }

  /** The main session is always there, surfaces or not. */
  #keys(): readonly string[] {
    return [...new Set([this.shown!.sessionKey, ...(this.canvases ?? []).map(({ sessionKey }) => sessionKey)])];
  }

  #chooseSession = (event: Event): void => {
    this.#chosen = (event.target as HTMLSelectElement).value;
    void this.#load();
  };

  async #copy(path: string): Promise<void> {
    const copied = await copyText(canvasAddress(this.app, path).href);
    toast(copied ? 'Copied. Whoever has this link can see the canvas and act on it.' : 'The link could not be copied.');
  }

  async #renew(): Promise<void> {
    const question = {
      title: 'Make a new link?',
      body: 'The old link stops working immediately.',
      action: 'Make a new link',
    };
    if (!(await confirmed(question))) return;
    await this.#try(async () => {
      const { path } = await this.#ask<'a2ui.link'>('a2ui.link', { sessionKey: this.shown!.sessionKey, renew: true });
      this.path = path;
    });
  }

  async #reset(): Promise<void> {
    const question = {
      title: 'Delete all surfaces?',
      body: 'The agent can build them again.',
      action: 'Delete',
      danger: true,
    };
    if (!(await confirmed(question))) return;
    await this.#try(() => this.#ask<'a2ui.reset'>('a2ui.reset', { sessionKey: this.shown!.sessionKey }));
    await this.#load();
  }

  #ask<M extends keyof A2uiAnswers>(method: M, params: object): Promise<A2uiAnswers[M]> {
    return this.app.connection.request<A2uiAnswers[M]>(method, params);
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!isDisconnected(cause)) toast(messageOf(cause), 'bad');
    }
  }

  async #load(): Promise<void> {
    try {
      const { canvases } = await this.#ask<'a2ui.list'>('a2ui.list', {});
      const key = this.#chosen ?? canvases[0]?.sessionKey;
      const of = key === undefined ? {} : { sessionKey: key };
      const [shown, { path }] = await Promise.all([
        this.#ask<'a2ui.get'>('a2ui.get', of),
        this.#ask<'a2ui.link'>('a2ui.link', of),
      ]);
      [this.canvases, this.shown, this.path, this.problem] = [canvases, shown, path, ''];
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

const warningList = (warnings: readonly string[]): unknown =>
  html`<ul class="canvas-warnings">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`;

function standing({ surfaces, view }: A2uiAnswers['a2ui.get']): string {
  const count = `${surfaces.length} ${surfaces.length === 1 ? 'surface' : 'surfaces'}`;
  const state = !view.visible ? ', hidden by the agent' : view.url === undefined ? '' : `, shows ${view.url}`;
  return `${count}${state}`;
}

customElements.define('claw-a2ui', CanvasPage);
