/** `<claw-canvas-frame>`: shows a document or page of an answer in a frame that cannot access this page. */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { WirePreview } from '../../../src/protocol/answers/messages.ts';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import { messageOf } from '../gateway/requests.ts';
import type { ChatPage } from './chat-page.ts';
import { openCanvas, type OpenedCanvas } from './open-canvas.ts';
import './canvas-frame.css';

const HEIGHT = 360;
const [MIN_HEIGHT, MAX_HEIGHT] = [160, 1200];

export class CanvasFrame extends LightElement {
  static override properties = {
    preview: { attribute: false },
    version: { type: Number },
    opened: { state: true },
    problem: { state: true },
  };
  declare preview: WirePreview;
  /** A new version reloads the frame. */
  declare version: number | undefined;
  declare opened: OpenedCanvas | undefined;
  declare problem: string | undefined;
  /** Needed only outside the chat. */
  app: App | undefined;
  #leave: (() => void) | undefined;
  #loads = 0;
  /** Frames use much memory, so each is created when it comes near the screen. */
  #seen = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && this.#begin(), {
    rootMargin: '600px',
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#seen.observe(this);
    this.#leave = this.#ofApp.on(
      ({ event, payload }) =>
        event === 'canvas.changed' &&
        (payload as { readonly id?: string }).id === this.preview.viewId &&
        this.opened !== undefined &&
        void this.#load(),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#seen.disconnect();
    this.#leave?.();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (this.opened && (changed.has('version') || (changed.has('preview') && changed.get('preview'))))
      void this.#load();
  }

  override render(): unknown {
    const { preview, opened, problem } = this;
    const title = preview.title ?? opened?.title ?? 'Document';
    const preferred = preview.preferredHeight ?? opened?.preferredHeight ?? HEIGHT;
    const height = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Number(preferred) || HEIGHT));
    return html`<figure class="canvas-frame">
      <figcaption><span title=${title}>${title}</span>${
        opened ? html`<a href=${opened.src} target="_blank" rel="noopener noreferrer">Open in a new tab</a>` : nothing
      }</figcaption>
      ${
        problem !== undefined
          ? html`<p class="canvas-problem" role="note">${problem} <button class="button small" @click=${() =>
              void this.#load()}>Try again</button></p>`
          : opened
            ? keyed(
                this.#loads,
                html`<iframe title=${title} sandbox=${opened.sandbox} src=${opened.src} height=${height}
          referrerpolicy="no-referrer" loading="lazy" allow=""></iframe>`,
              )
            : html`<div style="height: ${height}px" role="img" aria-label="Loading ${title}"></div>`
      }
    </figure>`;
  }

  get #ofApp(): App {
    return this.app ?? (this.closest('claw-chat') as ChatPage).app;
  }

  #begin(): void {
    this.#seen.disconnect();
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const opened = await openCanvas(this.preview.url, this.#ofApp);
      this.#loads++;
      this.problem = undefined;
      this.opened = opened;
    } catch (cause) {
      this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-canvas-frame', CanvasFrame);
