/** Shows the surfaces of a session in its chat, where a person can use them. */
import './canvas.css';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { isDisconnected } from '../../../../ui/src/gateway/requests.ts';
import type { A2uiAnswers } from '../answers.ts';
import { canvasFrame } from './canvas-frame.ts';

class CanvasPanel extends LightElement {
  static override properties = {
    conversation: { attribute: false },
    path: { state: true },
    count: { state: true },
    closed: { state: true },
  };
  declare app: App;
  declare conversation: string;
  /** Undefined: there is nothing to show. */
  declare path: string | undefined;
  declare count: number;
  declare closed: boolean;
  #leave: (() => void)[] = [];

  constructor() {
    super();
    this.count = 0;
    this.closed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = [
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event, payload }) => {
        if (event === 'a2ui.changed' && (payload as { readonly sessionKey?: string }).sessionKey === this.conversation)
          void this.#load();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const leave of this.#leave.splice(0)) leave();
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.get('conversation') === undefined) return;
    this.path = undefined;
    void this.#load();
  }

  override render(): unknown {
    const { path, count, closed } = this;
    if (path === undefined) return nothing;
    return html`<section class="canvas-panel" aria-label="Canvas">
      <header><span>Canvas, ${count} ${count === 1 ? 'surface' : 'surfaces'}</span>
        <button class="button small" @click=${() => this.app.go('a2ui', this.conversation)}>Open</button>
        <button class="button small" aria-expanded=${!closed} @click=${() => void ((this.closed = !closed))}>
          ${closed ? 'Show' : 'Hide'}</button></header>
      ${closed ? nothing : canvasFrame(this.app, path, true)}
    </section>`;
  }

  async #load(): Promise<void> {
    const sessionKey = this.conversation;
    if (!this.app.offers('a2ui.get') || sessionKey === '') return;
    try {
      const { surfaces, view } = await this.app.connection.request<A2uiAnswers['a2ui.get']>('a2ui.get', { sessionKey });
      const count = surfaces.filter(({ shown }) => shown).length;
      const link =
        count > 0 && view.visible
          ? await this.app.connection.request<A2uiAnswers['a2ui.link']>('a2ui.link', { sessionKey })
          : undefined;
      // Somebody may have gone on to another conversation meanwhile.
      if (sessionKey !== this.conversation) return;
      this.count = count;
      this.path = link?.path;
    } catch (cause) {
      if (!isDisconnected(cause)) throw cause;
    }
  }
}

customElements.define('claw-canvas-panel', CanvasPanel);

export const panel = (app: App, conversation: string): TemplateResult =>
  html`<claw-canvas-panel .app=${app} .conversation=${conversation}></claw-canvas-panel>`;
