/** `<claw-system>`: a system event as a line between the messages. */
import { html, nothing } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { clock, exactTime } from '../elements/times.ts';
import { visible } from '../tools/visible-view.ts';
import type { PersonItem } from './items.ts';
import { systemEvent } from './system-event.ts';
import './system-view.css';

export class SystemView extends LightElement {
  static override properties = { item: { attribute: false }, canTrace: { type: Boolean } };
  declare item: PersonItem;
  declare canTrace: boolean;

  override render(): unknown {
    const { item } = this;
    const { process, words, tone, said } = systemEvent(item.text);
    return html`<article class="system-event ${tone}" aria-label="System event, ${clock(item.at)}">
      <span class="system-icon">${icon(process ? 'processes' : 'system')}</span>
      <p class="system-words">${
        process
          ? html`<a href="./processes?id=${encodeURIComponent(process)}"
        @click=${(event: Event) => this.#open(event, process)}><code>${process}</code></a> `
          : nothing
      }${visible(words)}</p>
      <footer class="message-tools"><time title=${exactTime(item.at)}>${item.at ? clock(item.at) : ''}</time>
        ${
          this.canTrace && item.runId
            ? html`<button class="ghost" title="Show timeline" aria-label="Show timeline"
          @click=${() => this.#emit('show-timeline', item.runId ?? '')}>${icon('clock')}</button>`
            : nothing
        }</footer>
      ${
        said
          ? html`<pre class="system-said" tabindex="0" aria-label=${
              process ? 'End of the output' : 'Message'
            }>${visible(said)}</pre>`
          : nothing
      }
    </article>`;
  }

  #open(event: Event, process: string): void {
    event.preventDefault();
    this.#emit('open-process', process);
  }

  #emit(what: string, detail: string): void {
    this.dispatchEvent(new CustomEvent(what, { detail, bubbles: true }));
  }
}

customElements.define('claw-system', SystemView);
