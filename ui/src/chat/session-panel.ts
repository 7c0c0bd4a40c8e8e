/** `<claw-sessions>`: the list of conversations: search, switch, new, and the menu of each. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../app.ts';
import { EvenRows } from '../elements/even-rows.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { shortTime } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import { findRows, isUnread, listed, placeOf, previewOf, titleOf } from '../gateway/sessions.ts';
import type { SessionRow } from '../gateway/wire.ts';
import type { SessionSearch } from './session-search.ts';
import type { SessionAction } from './session-actions.ts';
import type * as Menus from './session-menu.ts';

/** Distance from the end of the list at which older conversations are fetched. */
const NEAR_END = 300;
/** The height of a row, in CSS pixels. */
const ROW_HEIGHT = 53;

export class SessionPanel extends LightElement {
  static override properties = { query: { state: true }, menuFor: { state: true }, found: { state: true } };
  declare app: App;
  declare query: string;
  declare menuFor: string;
  /** Messages that contain the search terms. */
  declare found: unknown;
  #finding: SessionSearch | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #menus: typeof Menus | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;
  #lines = new EvenRows(this, { scroller: '.session-list', row: '.session' }, ROW_HEIGHT);

  constructor() {
    super();
    this.query = '';
    this.menuFor = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.sessions.store, this.app.chat.store);
    super.connectedCallback();
    this.#clock = setInterval(() => this.requestUpdate(), 60_000);
    addEventListener('click', this.#closeMenu);
    addEventListener('keydown', this.#menuKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
    removeEventListener('click', this.#closeMenu);
    removeEventListener('keydown', this.#menuKey);
  }

  override render(): unknown {
    const state = this.app.sessions.store.get();
    const rows = findRows(listed(state.rows), this.query);
    const { from, to } = this.#lines.window(rows.length);
    return html`<div class="sessions-head">
        <label class="search">${icon('search')}<span class="offscreen">Search conversations</span><input type="search"
          placeholder="Search" .value=${this.query} @input=${(event: Event) =>
            this.#search((event.target as HTMLInputElement).value)} /></label>
        <button class="ghost" title="New conversation" aria-label="New conversation" @click=${() =>
          this.#new()}>${icon('plus')}</button>
      </div>
      ${state.error ? html`<p class="quiet pad" role="alert">${state.error}</p>` : nothing}
      <ul class="session-list" aria-label="Conversations" @scroll=${(event: Event) =>
        this.#scrolled(event.target as HTMLElement)}>
        <li class="room" aria-hidden="true"></li>
        ${repeat(
          rows.slice(from, to),
          (row) => row.key,
          (row, index) => this.#row(row, from + index + 1, rows.length),
        )}
        <li class="room" aria-hidden="true"></li>
        ${
          state.loaded && rows.length === 0
            ? html`<li class="quiet pad">${this.query ? 'No conversations match.' : 'No conversations yet.'}</li>`
            : nothing
        }
        ${
          this.found && this.query
            ? this.#finding?.show(this.app, this.found, (key, runId) => this.#reveal(key, runId))
            : nothing
        }
        ${
          state.nextOffset === undefined
            ? nothing
            : html`<li class="pad"><button class="button small show-more"
          ?disabled=${state.fetchingMore === true} @click=${() =>
            void this.app.sessions.fetchMore()}>${state.fetchingMore ? 'Loading more…' : 'Show more'}</button></li>`
        }
      </ul>`;
  }

  #row(row: SessionRow, place: number, count: number): unknown {
    const state = this.app.sessions.store.get();
    const current = row.key === this.app.chat.store.get().current;
    const running = state.running.has(row.key);
    const unread = !current && isUnread(state, row);
    return html`<li class="session ${current ? 'current' : ''}" aria-posinset=${place} aria-setsize=${count}>
      <button class="session-open" aria-current=${current ? 'true' : 'false'} @click=${() => this.#open(row.key)}>
        <span class="session-title">${row.pinned ? mark('pin', 'Pinned') : nothing}${
          row.branchedFrom ? mark('branch', 'Branch') : nothing
        }${titleOf(row)}</span>
        <span class="session-time">${row.updatedAt ? shortTime(row.updatedAt, Date.now()) : ''}</span>
        <span class="session-sub"><span class="session-channel">${placeOf(row)}</span>${
          previewOf(row) ? html`<span class="session-preview">${previewOf(row)}</span>` : nothing
        }</span>
        ${
          running
            ? html`<span class="dot running" title="Answering"><span class="offscreen">answering</span></span>`
            : unread
              ? html`<span class="dot" title="New messages"><span class="offscreen">new messages</span></span>`
              : nothing
        }
      </button>
      <button class="ghost session-more" aria-label="Actions for ${titleOf(row)}" aria-haspopup="menu"
        aria-expanded=${this.menuFor === row.key ? 'true' : 'false'}
        @click=${(event: Event) => {
          event.stopPropagation();
          void this.#toggleMenu(row.key);
        }}>${icon('more')}</button>
      ${this.menuFor === row.key ? this.#menu(row) : nothing}
    </li>`;
  }

  #menu(row: SessionRow): unknown {
    const isMain = row.isMain === true || row.key === this.app.hello.get()?.snapshot.sessionDefaults?.mainSessionKey;
    return this.#menus?.sessionMenu({ isMain, ...row }, (action) => void this.#act(row, action));
  }

  async #toggleMenu(key: string): Promise<void> {
    this.#menus ??= await import('./session-menu.ts');
    this.menuFor = this.menuFor === key ? '' : key;
  }

  override updated(changed: Map<string, unknown>): void {
    this.#lines.drawn();
    if (changed.has('menuFor') && this.menuFor) this.querySelector<HTMLElement>('.session-menu button')?.focus();
  }

  #scrolled({ scrollHeight, scrollTop, clientHeight }: HTMLElement): void {
    this.#lines.scrolled();
    if (!this.query && scrollHeight - scrollTop - clientHeight < NEAR_END) void this.app.sessions.fetchMore();
  }

  #search(query: string): void {
    this.query = query;
    if (query.trim() === '') this.found = undefined;
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => void this.#find(query), 250);
  }

  /** Finds conversations by title, and messages in all of them. */
  async #find(query: string): Promise<void> {
    try {
      this.#finding ??= await (await import('./session-search.ts')).loadSessionSearch();
      const [found] = await Promise.all([this.#finding?.find(this.app, query), this.app.sessions.search(query)]);
      if (query === this.query) this.found = found;
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }

  #reveal(key: string, runId: string | undefined): void {
    this.#open(key);
    if (runId) this.dispatchEvent(new CustomEvent('reveal-message', { detail: runId, bubbles: true }));
  }

  #open(key: string): void {
    this.app.openSession(key);
    this.#left();
  }

  #new(): void {
    this.app.newSession();
    this.#left();
  }

  #left(): void {
    this.dispatchEvent(new CustomEvent('session-chosen', { bubbles: true }));
  }

  /** Loaded on demand. */
  async #act(row: SessionRow, action: SessionAction): Promise<void> {
    const { actOnSession } = await import('./session-actions.ts');
    await actOnSession(this.app, row, action);
  }

  #closeMenu = (): void => {
    this.menuFor = '';
  };

  #menuKey = (event: KeyboardEvent): void => {
    if (this.menuFor) this.#menus?.steerMenu(this, event, this.#closeMenu);
  };
}

const mark = (name: 'pin' | 'branch', said: string): unknown =>
  html`<span class="session-mark" title=${said}>${icon(name)}<span class="offscreen">${said}: </span></span>`;

customElements.define('claw-sessions', SessionPanel);
