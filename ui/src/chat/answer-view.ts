/** `<claw-answer>`: one answer: thinking, tools and text in chronological order, and its actions. */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { copyText } from '../elements/clipboard.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { clock, exactTime, thousands } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import { answerText, isLive, type AnswerItem, type AnswerPart } from './items.ts';
import './tool-card.ts';

export class AnswerView extends LightElement {
  static override properties = {
    item: { attribute: false },
    canTrace: { type: Boolean },
    canBranch: { type: Boolean },
    agent: {},
  };
  declare item: AnswerItem;
  declare canTrace: boolean;
  declare canBranch: boolean;
  /** The name of the agent, if there are several. */
  declare agent: string | undefined;

  override render(): unknown {
    const { item } = this;
    const live = isLive(item);
    return html`<article class="answer ${item.status}" aria-label="${this.agent ?? 'Assistant'}, ${clock(item.at)}"
      aria-busy=${live ? 'true' : 'false'}>
      ${this.agent ? html`<div class="writer">${this.agent}</div>` : nothing}
      ${item.parts.map((part, index) =>
        keyed(
          part.type === 'tool' ? part.callId : `${part.type}${index}`,
          this.#part(part, live && index === item.parts.length - 1),
        ),
      )}
      ${
        live && item.parts.at(-1)?.type !== 'text'
          ? html`<p class="pending-dots"
        role="status"><i></i><i></i><i></i><span class=${item.progress ? 'progress' : 'offscreen'}>${
          item.progress ?? (item.parts.length === 0 ? 'Thinking' : 'Working')
        }</span></p>`
          : nothing
      }
      ${item.status === 'aborted' ? html`<p class="answer-end">Stopped.</p>` : nothing}
      ${item.status === 'failed' ? this.#failure() : nothing}
      ${live ? nothing : this.#footer()}
    </article>`;
  }

  #part(part: AnswerPart, last: boolean): unknown {
    if (part.type === 'text') return html`<claw-markdown .text=${part.text} .live=${last}></claw-markdown>`;
    if (part.type === 'files') {
      void import('./answer-files.ts'); // rarely used, so it is not part of the first load
      return html`<claw-answer-files .content=${part}></claw-answer-files>`;
    }
    if (part.type === 'canvas') {
      void import('./canvas-frame.ts'); // rarely used, so it is not part of the first load
      return html`<claw-canvas-frame .preview=${part.preview}></claw-canvas-frame>`;
    }
    if (part.type === 'notice') return html`<p class="answer-end">${part.text}</p>`;
    if (part.type === 'tool') return html`<claw-tool .call=${part}></claw-tool>`;
    return html`<details class="thinking ${part.live ? 'live' : ''}">
      <summary>${icon('thought')}<span>${part.live ? 'Thinking…' : 'Thoughts'}</span><span
        class="thinking-peek">${part.live ? lastLine(part.text) : ''}</span><span
        class="twist">${icon('chevron')}</span></summary>
      <div class="thinking-body">${part.text}</div>
    </details>`;
  }

  #failure(): unknown {
    return html`<div class="answer-error"
      role="alert">${icon('warn')}<div><strong>The run failed.</strong><p>${
        this.item.error ?? 'The model gave no answer.'
      }</p></div>
      <button class="button small" @click=${() => this.#emit('retry-answer')}>${icon('retry')}Try again</button></div>`;
  }

  #footer(): unknown {
    const { item } = this;
    return html`<footer class="message-tools">
      <button class="ghost" title="Copy as Markdown" aria-label="Copy answer as Markdown" @click=${() =>
        void this.#copy()}>${icon('copy')}</button>
      ${
        this.canTrace && item.runId
          ? html`<button class="ghost" title="Show timeline" aria-label="Show timeline"
        @click=${() => this.#emit('show-timeline')}>${icon('clock')}</button>`
          : nothing
      }
      ${
        item.runId && item.status !== 'failed'
          ? html`<button class="ghost" title="Ask again" aria-label="Ask again" @click=${() =>
              this.#emit('retry-answer')}>${icon('retry')}</button>`
          : nothing
      }
      ${
        this.canBranch && item.entryId
          ? html`<button class="ghost" title="Branch from here" aria-label="Branch from here" @click=${() =>
              this.dispatchEvent(
                new CustomEvent('branch-after', { detail: item, bubbles: true }),
              )}>${icon('branch')}</button>`
          : nothing
      }
      <time title=${exactTime(item.at)}>${item.at ? clock(item.at) : ''}</time>
      ${item.model ? html`<span class="meta">${item.model}</span>` : nothing}
      ${item.tokens ? html`<span class="meta">${thousands(item.tokens)} tokens</span>` : nothing}
    </footer>`;
  }

  async #copy(): Promise<void> {
    toast((await copyText(answerText(this.item))) ? 'Copied as Markdown' : 'The browser blocked copying');
  }

  #emit(what: string): void {
    this.dispatchEvent(new CustomEvent(what, { detail: this.item.runId ?? '', bubbles: true }));
  }
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.slice(-120) ?? '';

customElements.define('claw-answer', AnswerView);
