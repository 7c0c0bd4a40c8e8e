/** `<claw-messages>`: the conversation, newest at the bottom and kept there unless the reader scrolled away. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import './answer-view.ts';
import type { ChatItem } from './items.ts';
import { isLive } from './items.ts';
import { personView } from './person-view.ts';

/** How many items are in the page at first, and how many each "show earlier" adds. */
const PAGE = 60;
const NEAR_END = 80;
/** Long enough for earlier messages to come and be laid out. */
const ANCHOR_MS = 800;

export class MessageList extends LightElement {
  static override properties = { items: { attribute: false }, conversation: {}, canTrace: { type: Boolean }, moreOnServer: { type: Boolean }, shown: { state: true }, away: { state: true } };
  declare items: readonly ChatItem[];
  declare conversation: string;
  declare canTrace: boolean;
  declare moreOnServer: boolean;
  declare shown: number;
  declare away: boolean;
  /** Distance from the end that is kept while earlier messages arrive and grow above. */
  #anchor: number | undefined;
  #release: ReturnType<typeof setTimeout> | undefined;
  #top = 0;
  #grown = new ResizeObserver(() => this.#follow());

  constructor() {
    super();
    this.items = [];
    this.shown = PAGE;
    this.away = false;
    this.moreOnServer = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    // Seldom, so it is no part of the first load.
    if (this.items.some((item) => 'system' in item)) void import('./system-view.ts');
    if (!changed.has('conversation')) return;
    this.shown = PAGE;
    this.away = false;
  }

  override render(): unknown {
    const hidden = Math.max(0, this.items.length - this.shown);
    const visible = this.items.slice(hidden);
    return html`<div class="scroller" tabindex="-1" @scroll=${() => this.#scrolled()} @wheel=${() => (this.#anchor = undefined)} @touchmove=${() => (this.#anchor = undefined)}>
        <div class="column messages" role="log" aria-label="Conversation" aria-live="off">
          ${hidden > 0 || this.moreOnServer ? html`<button class="button small show-earlier" @click=${() => this.#earlier()}>Show earlier messages</button>` : nothing}
          ${repeat(visible, (item) => item.key, (item) => (item.kind === 'person' ? item.system ? html`<claw-system .item=${item} .canTrace=${this.canTrace}></claw-system>` : personView(item, this.canTrace) : html`<claw-answer .item=${item} .canTrace=${this.canTrace}></claw-answer>`))}
        </div>
      </div>
      <div class="offscreen" role="status" aria-live="polite">${this.#spoken()}</div>
      ${this.away ? html`<button class="to-end" aria-label="Jump to the latest message" @click=${() => this.toEnd()}>${icon('down')}</button>` : nothing}`;
  }

  override firstUpdated(): void {
    this.#grown.observe(this.querySelector('.messages')!);
    this.#grown.observe(this.#scroller);
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('conversation')) this.toEnd();
    else this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#grown.disconnect();
  }

  toEnd(): void {
    this.away = false;
    this.#anchor = undefined;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  get #scroller(): HTMLElement {
    return this.querySelector<HTMLElement>('.scroller')!;
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    // What grows below, or takes room from the list, is no reader scrolling away.
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END) this.away = false;
    else if (scrollTop < this.#top) this.away = true;
    this.#top = scrollTop;
  }

  #follow(): void {
    if (this.#anchor !== undefined) this.#scroller.scrollTop = this.#scroller.scrollHeight - this.#anchor;
    else if (!this.away) this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** What was on screen stays where it was. */
  #earlier(): void {
    this.#anchor = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    this.away = true;
    if (this.items.length <= this.shown) this.dispatchEvent(new CustomEvent('need-earlier', { bubbles: true }));
    this.shown += PAGE;
    clearTimeout(this.#release);
    this.#release = setTimeout(() => (this.#anchor = undefined), ANCHOR_MS);
  }

  /** One sentence per answer for a screen reader, not every word as it streams. */
  #spoken(): string {
    const last = this.items.at(-1);
    if (last?.kind !== 'answer') return '';
    return isLive(last) ? 'The assistant is answering.' : last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ').slice(0, 400);
  }
}

customElements.define('claw-messages', MessageList);
