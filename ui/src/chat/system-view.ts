/** What the gateway told its agent: a line between the messages, for nobody wrote it. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../elements/icons.ts';
import { clock, exactTime } from '../elements/times.ts';
import type { PersonItem } from './items.ts';
import { systemEvent } from './system-event.ts';

export function systemView(item: PersonItem, canTrace: boolean): TemplateResult {
  const { process, words, tone, said } = systemEvent(item.text);
  const trace = (event: Event): boolean => (event.currentTarget as Element).dispatchEvent(new CustomEvent('show-timeline', { detail: item.runId ?? '', bubbles: true }));
  const open = (event: Event, id: string): void => {
    event.preventDefault();
    (event.currentTarget as Element).dispatchEvent(new CustomEvent('open-process', { detail: id, bubbles: true }));
  };
  return html`<article class="system-event ${tone}" aria-label="Told by the gateway, ${clock(item.at)}">
    <span class="system-icon">${icon(process ? 'processes' : 'system')}</span>
    <p class="system-words">${process ? html`<a href="./processes?id=${encodeURIComponent(process)}" @click=${(event: Event) => open(event, process)}><code>${process}</code></a> ` : nothing}${words}</p>
    <footer class="message-tools"><time title=${exactTime(item.at)}>${item.at ? clock(item.at) : ''}</time>
      ${canTrace && item.runId ? html`<button class="ghost" title="What happened to this message" aria-label="Show timeline" @click=${trace}>${icon('clock')}</button>` : nothing}</footer>
    ${said ? html`<pre class="system-said" tabindex="0" aria-label="The end of its output">${said}</pre>` : nothing}
  </article>`;
}
