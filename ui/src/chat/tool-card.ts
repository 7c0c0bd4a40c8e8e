/** `<claw-tool>`: one tool call on one line; its details are loaded when the first one is shown. */
import { html, nothing } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { duration } from '../elements/times.ts';
import type { toolView as ToolView } from '../tools/tool-view.ts';
import type { ToolPart } from './items.ts';

const STATES = { running: 'running', ok: 'done', error: 'failed' } as const;

export class ToolCard extends LightElement {
  static override properties = { call: { attribute: false }, view: { state: true } };
  declare call: ToolPart;
  declare view: typeof ToolView | undefined;
  /** Opened automatically while something runs in it, unless the person closed it. */
  #showed = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void import('../tools/tool-view.ts').then(({ toolView }) => (this.view = toolView));
  }

  override render(): unknown {
    const part = this.call;
    const parts = this.view?.(part, this);
    return html`<div class="tool ${part.state}" data-tool=${part.name}><details>
      <summary>
        <span class="tool-icon">${icon('tool')}</span>
        <span class="tool-name">${part.name}</span>
        <span class="tool-args">${parts?.headline ?? nothing}</span>
        <span class="tool-state">${
          part.state === 'running'
            ? html`<span class="spinner" aria-hidden="true"></span>`
            : part.ms === undefined || part.ms < 1
              ? nothing
              : duration(part.ms)
        }<span class=${
          part.state === 'error' ? 'tool-failed' : 'offscreen'
        }>${parts?.outcome ?? STATES[part.state]}</span></span>
        <span class="twist">${icon('chevron')}</span>
      </summary>
      ${parts?.body ?? nothing}
    </details>${parts?.below ?? nothing}</div>`;
  }

  override updated(): void {
    if (this.#showed || this.call.state !== 'running' || !this.call.output || !this.view) return;
    this.#showed = true;
    this.querySelector('details')!.open = true;
  }
}

customElements.define('claw-tool', ToolCard);
