/** `<claw-messages>`: the conversation, newest at the bottom and kept there unless the reader scrolled away. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import './answer-view.ts';
import type { ChatItem } from './items.ts';
import { answerText, isLive } from './items.ts';
import { personView } from './person-view.ts';
import { head } from '../../../src/core/cut.ts';

/** How many items are in the page at first, and how many each "show earlier" adds. */
const PAGE = 60;
const NEAR_END = 80;
/** A reader this close to the first message is about to want those before it. */
const NEAR_START = 400;
/** Long enough for earlier messages to come and be laid out. */
const ANCHOR_MS = 800;

export class MessageList extends LightElement {
  static override properties = {
    items: { attribute: false },
    conversation: {},
    canTrace: { type: Boolean },
    agent: {},
    moreOnServer: { type: Boolean },
    fetching: { type: Boolean },
    shown: { state: true },
    away: { state: true },
  };
  declare items: readonly ChatItem[];
  declare conversation: string;
  declare canTrace: boolean;
  /** Name of the agent, where it has to be said. */
  declare agent: string | undefined;
  /** The gateway has older messages than `items`; `fetching`: they are on their way. */
  declare moreOnServer: boolean;
  declare fetching: boolean;
  declare shown: number;
  declare away: boolean;
  /** A message and where it stands, kept while others arrive and grow above or below it. */
  #anchor: { readonly message: Element; top: number } | undefined;
  #release: ReturnType<typeof setTimeout> | undefined;
  /** The run whose message is to be shown. */
  #wanted: string | undefined;
  #top = 0;
  /** Key of the first item on the page. */
  #first: string | undefined;
  #grown = new ResizeObserver(() => this.#follow());

  constructor() {
    super();
    this.items = [];
    this.shown = PAGE;
    this.away = false;
    this.moreOnServer = false;
    this.fetching = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    // Seldom, so it is no part of the first load.
    if (this.items.some((item) => 'system' in item)) void import('./system-view.ts');
    if (changed.has('conversation')) {
      this.shown = PAGE;
      this.away = false;
    } else if (this.away) this.#keepFirst();
    this.#first = this.items[Math.max(0, this.items.length - this.shown)]?.key;
  }

  /**
   * What a reader looks at stays on the page while messages come at the end, and where it is while others come before
   * it.
   */
  #keepFirst(): void {
    const at = this.items.findIndex(({ key }) => key === this.#first);
    if (at === -1) return;
    this.shown = Math.max(this.shown, this.items.length - at);
    if (at > 0 && this.shown > this.items.length - at) this.#hold();
  }

  /** What is read stays where it is for a moment, while what comes above is laid out. */
  #hold(): void {
    if (!this.#anchor) [this.#anchor, this.#top] = [this.#read(), this.#scroller.scrollTop];
    clearTimeout(this.#release);
    this.#release = setTimeout(() => {
      this.#anchor = undefined;
      this.#nearStart();
    }, ANCHOR_MS);
  }

  /** The first message on screen. */
  #read(): { message: Element; top: number } | undefined {
    const edge = this.#scroller.getBoundingClientRect().top;
    const message = [...this.querySelectorAll('.messages > :not(.show-earlier)')].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return message && { message, top: message.getBoundingClientRect().top };
  }

  /** Not while the last ones are being laid out: the reader is near the start only because of that. */
  #nearStart(): void {
    if (this.away && this.#anchor === undefined && this.#scroller.scrollTop < NEAR_START) this.#earlier();
  }

  override render(): unknown {
    const hidden = Math.max(0, this.items.length - this.shown);
    const visible = this.items.slice(hidden);
    return html`<div class="scroller" tabindex="-1" @scroll=${() => this.#moved()} @wheel=${() =>
      (this.#anchor = undefined)} @touchmove=${() => (this.#anchor = undefined)}>
        <div class="column messages" role="log" aria-label="Conversation" aria-live="off">
          ${
            hidden > 0 || this.moreOnServer
              ? html`<button class="button small show-earlier" ?disabled=${this.fetching}
            @click=${() => this.#earlier()}>${
              this.fetching ? 'Loading earlier messages…' : 'Show earlier messages'
            }</button>`
              : nothing
          }
          ${repeat(
            visible,
            (item) => item.key,
            (item) =>
              item.kind === 'person'
                ? item.system
                  ? html`<claw-system .item=${item} .canTrace=${this.canTrace}></claw-system>`
                  : personView(item, this.canTrace)
                : html`<claw-answer .item=${item} .canTrace=${this.canTrace} .agent=${this.agent}></claw-answer>`,
          )}
        </div>
      </div>
      <div class="offscreen" role="status" aria-live="polite">${this.#spoken()}</div>
      ${
        this.away
          ? html`<button class="to-end" aria-label="Jump to the latest message" @click=${() =>
              this.toEnd()}>${icon('down')}</button>`
          : nothing
      }`;
  }

  override firstUpdated(): void {
    this.#grown.observe(this.querySelector('.messages')!);
    this.#grown.observe(this.#scroller);
  }

  override updated(changed: Map<string, unknown>): void {
    if (this.#wanted) this.#seek();
    else if (changed.has('conversation')) this.toEnd();
    else this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#release);
    this.#grown.disconnect();
  }

  /** Shows the message of a run, however far back it is; older pages are fetched until it is there. */
  reveal(runId: string): void {
    this.#wanted = runId;
    this.requestUpdate();
  }

  #seek(): void {
    const at = this.items.findIndex(({ runId }) => runId === this.#wanted);
    if (at === -1) {
      if (this.moreOnServer && !this.fetching) this.dispatchEvent(new CustomEvent('need-earlier', { bubbles: true }));
      return;
    }
    if (this.items.length - at > this.shown) {
      this.shown = this.items.length - at;
      return;
    }
    this.#wanted = undefined;
    this.away = true;
    const message = this.querySelectorAll('.messages > :not(.show-earlier)')[at - (this.items.length - this.shown)];
    const shown = message ?? this.querySelector('.messages > :not(.show-earlier)');
    shown?.scrollIntoView({ block: 'center' });
    shown?.classList.add('revealed');
    this.#top = this.#scroller.scrollTop;
  }

  toEnd(): void {
    this.away = false;
    this.#anchor = undefined;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  get #scroller(): HTMLElement {
    return this.querySelector<HTMLElement>('.scroller')!;
  }

  /** Somebody may have scrolled, told by an event or not yet. */
  #moved(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const up = scrollTop < this.#top;
    // Who goes on scrolling while earlier messages are laid out sees that stay which they see now.
    if (this.#anchor) this.#anchor.top += this.#top - scrollTop;
    this.#top = scrollTop;
    // What grows below, or takes room from the list, is no reader scrolling away.
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END) this.away = false;
    else if (up) this.away = true;
    if (up) this.#nearStart();
  }

  #follow(): void {
    const scroller = this.#scroller;
    this.#moved();
    if (this.#anchor?.message.isConnected)
      scroller.scrollTop += this.#anchor.message.getBoundingClientRect().top - this.#anchor.top;
    else if (!this.away) scroller.scrollTop = scroller.scrollHeight;
    this.#top = scroller.scrollTop;
  }

  /** What was on screen stays where it was. */
  #earlier(): void {
    if (this.fetching || (this.items.length <= this.shown && !this.moreOnServer)) return;
    this.away = true;
    this.#anchor = undefined;
    this.#hold();
    if (this.items.length <= this.shown + PAGE && this.moreOnServer)
      this.dispatchEvent(new CustomEvent('need-earlier', { bubbles: true }));
    this.shown += PAGE;
  }

  /** One sentence per answer for a screen reader, not every word as it streams. */
  #spoken(): string {
    const last = this.items.at(-1);
    if (last?.kind !== 'answer') return '';
    return isLive(last) ? 'The assistant is answering.' : head(answerText(last), 400);
  }
}

customElements.define('claw-messages', MessageList);

declare global {
  interface HTMLElementTagNameMap {
    'claw-messages': MessageList;
  }
}
