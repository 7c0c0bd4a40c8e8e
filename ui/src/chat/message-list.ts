/** `<claw-messages>`: the list of messages; it stays at the bottom unless the reader scrolled up. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import './answer-view.ts';
import type { ChatItem } from './items.ts';
import { answerText, isLive } from './items.ts';
import { personView } from './person-view.ts';
import { RowHeights, windowOf, type RowWindow } from '../elements/row-window.ts';
import { head } from '../../../src/core/cut.ts';

/** Up to this number all messages are rendered, so that the browser's search finds their text. */
const ALL_DRAWN = 60;
/** The assumed height of a message that was not measured, in CSS pixels. */
const USUAL_HEIGHT = 110;
const NEAR_END = 80;
/** Screens beyond the visible part for which messages are rendered, and for which older ones are fetched. */
const SPARE = 1;
const FETCH_AHEAD = 2;
const SAVE_MS = 200;

/** A message, and its distance from the upper edge. */
export interface Place {
  readonly key: string;
  readonly top: number;
}

export class MessageList extends LightElement {
  static override properties = {
    items: { attribute: false },
    conversation: {},
    canTrace: { type: Boolean },
    canBranch: { type: Boolean },
    agent: {},
    moreOnServer: { type: Boolean },
    fetching: { type: Boolean },
    loaded: { type: Boolean },
    away: { state: true },
  };
  declare items: readonly ChatItem[];
  declare conversation: string;
  declare canTrace: boolean;
  declare canBranch: boolean;
  /** The name of the agent, if it is to be shown. */
  declare agent: string | undefined;
  /** The gateway has older messages than `items`; `fetching`: they are being fetched. */
  declare moreOnServer: boolean;
  declare fetching: boolean;
  /** `items` come from the gateway, and are not only unsent messages. */
  declare loaded: boolean;
  /** The stored reading position; read when the conversation is opened. */
  place: Place | undefined;
  /** Called with the reading position; undefined: at the end. */
  keepPlace: (conversation: string, place: Place | undefined) => void = () => undefined;
  declare away: boolean;
  #heights = new RowHeights(USUAL_HEIGHT);
  #drawn: RowWindow = { from: 0, to: 0, above: 0, below: 0 };
  /** The message that keeps its position while others are added or change their height. */
  #anchor: Place | undefined;
  /** Scrolled to as soon as it is loaded; older pages are fetched until then. */
  #sought: { readonly runId?: string; readonly place?: Place } | undefined;
  #top = 0;
  #width = 0;
  /** The message of each rendered element. */
  #keys = new Map<Element, string>();
  #observed = new Set<Element>();
  #saving: ReturnType<typeof setTimeout> | undefined;
  #grown = new ResizeObserver(() => this.#resized());

  constructor() {
    super();
    this.items = [];
    this.away = false;
    this.moreOnServer = false;
    this.fetching = false;
    this.loaded = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    // Rarely used, so it is not part of the first load.
    if (this.items.some((item) => 'system' in item)) void import('./system-view.ts');
    if (changed.has('conversation')) {
      clearTimeout(this.#saving);
      this.#heights = new RowHeights(USUAL_HEIGHT);
      this.#anchor = undefined;
      this.#sought = this.place && { place: this.place };
      this.away = this.place !== undefined;
    } else if (this.hasUpdated) {
      this.#notice();
      // Kept while there is one, because elements that were just rendered may not have their final height.
      if (this.away) this.#anchor ??= this.#read();
    }
    if (this.#sought) this.#seek();
    this.#drawn = this.#window();
  }

  /** The first visible message, if it is rendered as it currently is. */
  #read(): Place | undefined {
    const edge = this.#scroller.getBoundingClientRect().top;
    const limit = edge + this.#scroller.clientHeight;
    for (const row of this.#rows) {
      const { top, bottom } = row.getBoundingClientRect();
      const key = this.#keys.get(row);
      if (bottom > edge && top < limit && key !== undefined) return { key, top: top - edge };
    }
    return undefined;
  }

  #window(): RowWindow {
    const keys = this.items.map(({ key }) => key);
    if (keys.length <= ALL_DRAWN) return { from: 0, to: keys.length, above: 0, below: 0 };
    const room = this.hasUpdated ? this.#scroller.clientHeight : innerHeight;
    const before = (end: number): number => keys.slice(0, end).reduce((sum, key) => sum + this.#heights.of(key), 0);
    const at = this.away && this.#anchor ? keys.indexOf(this.#anchor.key) : -1;
    const top = !this.away
      ? before(keys.length) - room
      : at === -1
        ? this.#scroller.scrollTop - this.#column.offsetTop
        : before(at) - this.#anchor!.top;
    return windowOf(keys, this.#heights, { top, room, spare: room * SPARE });
  }

  override render(): unknown {
    return html`<div class="scroller" tabindex="-1" @scroll=${() => this.#moved()}>
        ${
          this.moreOnServer
            ? html`<button class="button small show-earlier" ?disabled=${this.fetching}
          @click=${() => this.#earlier()}>${
            this.fetching ? 'Loading earlier messages…' : 'Show earlier messages'
          }</button>`
            : nothing
        }
        <div class="column messages" role="log" aria-label="Conversation" aria-live="off">
          ${repeat(
            this.items.slice(this.#drawn.from, this.#drawn.to),
            (item) => item.key,
            (item) => this.#item(item),
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

  #item(item: ChatItem): unknown {
    if (item.kind === 'answer')
      return html`<claw-answer .item=${item} .canTrace=${this.canTrace} .canBranch=${this.canBranch}
        .agent=${this.agent}></claw-answer>`;
    return item.system
      ? html`<claw-system .item=${item} .canTrace=${this.canTrace}></claw-system>`
      : personView(item, this);
  }

  override firstUpdated(): void {
    this.#grown.observe(this.#scroller);
    addEventListener('pagehide', this.#save);
  }

  override updated(changed: Map<string, unknown>): void {
    // By script, because the policy of the page forbids style attributes.
    this.#column.style.setProperty('--above', `${this.#drawn.above}px`);
    this.#column.style.setProperty('--below', `${this.#drawn.below}px`);
    this.#keys = new Map(this.#rows.map((row, index) => [row, this.items[this.#drawn.from + index]!.key]));
    this.#observe();
    if (changed.has('conversation') && !this.away) this.toEnd();
    this.#settle();
    if (changed.has('items') || changed.has('fetching')) this.#nearStart();
  }

  #observe(): void {
    const rows = new Set<Element>(this.#rows);
    for (const row of this.#observed) if (!rows.has(row)) this.#grown.unobserve(row);
    for (const row of rows) if (!this.#observed.has(row)) this.#grown.observe(row);
    this.#observed = rows;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#save();
    removeEventListener('pagehide', this.#save);
    this.#grown.disconnect();
    this.#observed.clear();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.hasUpdated) return;
    this.#grown.observe(this.#scroller);
    this.requestUpdate();
  }

  /** Scrolls to the message of a run, and fetches older pages until it is found. */
  reveal(runId: string): void {
    this.#sought = { runId };
    this.requestUpdate();
  }

  #seek(): void {
    const { runId, place } = this.#sought!;
    const found = this.items.find((item) => (runId === undefined ? item.key === place?.key : item.runId === runId));
    if (!found) {
      if (this.moreOnServer && !this.fetching) this.dispatchEvent(new CustomEvent('need-earlier', { bubbles: true }));
      if (this.moreOnServer || !this.loaded) return;
      this.#sought = undefined;
      if (place) this.away = false;
      return;
    }
    this.#sought = undefined;
    this.away = true;
    this.#anchor = place ?? { key: found.key, top: innerHeight / 4 };
    if (!place) void this.updateComplete.then(() => this.#mark(found.key));
  }

  #mark(key: string): void {
    for (const [row, other] of this.#keys) row.classList.toggle('revealed', other === key);
  }

  toEnd(): void {
    this.away = false;
    this.#anchor = undefined;
    this.#sought = undefined;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
    this.requestUpdate();
    this.#save();
  }

  get #scroller(): HTMLElement {
    return this.querySelector<HTMLElement>('.scroller')!;
  }

  get #column(): HTMLElement {
    return this.querySelector<HTMLElement>('.messages')!;
  }

  get #rows(): readonly Element[] {
    return [...this.#column.children];
  }

  /** The person may have scrolled, with or without an event so far. True: somebody has. */
  #notice(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const moved = scrollTop - this.#top;
    if (moved === 0) return false;
    this.#top = scrollTop;
    // Growth of the content or a smaller list must not count as scrolling by the reader.
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END) this.away = false;
    else if (moved < 0) this.away = true;
    this.#anchor = this.away && this.#anchor ? { ...this.#anchor, top: this.#anchor.top - moved } : undefined;
    return true;
  }

  #moved(): void {
    // A position that was restored while the rows had no height yet is restored again, not read from what is there.
    if ((this.#notice() || !this.#anchor) && this.away) this.#anchor = this.#read();
    this.#drawMore();
    this.#nearStart();
    clearTimeout(this.#saving);
    this.#saving = setTimeout(this.#save, SAVE_MS);
  }

  #drawMore(): void {
    const { from, to } = this.#window();
    if (from !== this.#drawn.from || to !== this.#drawn.to) this.requestUpdate();
  }

  #resized(): void {
    const { clientWidth } = this.#scroller;
    if (clientWidth !== this.#width) this.#heights.forget();
    this.#width = clientWidth;
    this.#notice();
    this.#settle();
    // Not inside the observer, which would report elements rendered there only in the next frame.
    requestAnimationFrame(() => this.isConnected && this.#drawMore());
  }

  /** Measures the rendered messages, and restores the reading position. */
  #settle(): void {
    const scroller = this.#scroller;
    this.#measure();
    if (!this.away) scroller.scrollTop = scroller.scrollHeight;
    else if (this.#anchor) {
      const { key, top } = this.#anchor;
      const row = this.#rows.find((one) => this.#keys.get(one) === key);
      if (row) scroller.scrollTop += row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - top;
    } else this.#anchor = this.#read();
    this.#top = scroller.scrollTop;
  }

  #measure(): void {
    const rows = this.#rows.map((row) => ({ key: this.#keys.get(row), box: row.getBoundingClientRect() }));
    for (const [index, { key, box }] of rows.entries()) {
      const next = rows[index + 1];
      if (key !== undefined && box.height > 0) this.#heights.note(key, next ? next.box.top - box.top : box.height);
    }
  }

  #nearStart(): void {
    const { scrollTop, clientHeight } = this.#scroller;
    if (this.away && !this.#sought && scrollTop < clientHeight * FETCH_AHEAD) this.#earlier();
  }

  #earlier(): void {
    if (this.fetching || !this.moreOnServer) return;
    this.away = true;
    this.#anchor ??= this.#read();
    this.dispatchEvent(new CustomEvent('need-earlier', { bubbles: true }));
  }

  #save = (): void => {
    clearTimeout(this.#saving);
    this.keepPlace(this.conversation, this.away ? this.#anchor : undefined);
  };

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
