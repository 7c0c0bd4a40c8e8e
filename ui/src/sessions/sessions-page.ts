/** `<claw-sessions-page>`: all conversations with their settings, with filters and bulk actions. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { EvenRows } from '../elements/even-rows.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { exactTime, shortTime, thousands } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import { channelOf, filterRows, isMainRow, placeOf, titleOf } from '../gateway/sessions.ts';
import { createArchive, type Archive } from './archive.ts';
import type { SessionRow } from '../gateway/wire.ts';
import { createRemovals, type Removals } from './removals.ts';
import './sessions-page.css';

const LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const ACTIVE_MS = 24 * 60 * 60 * 1000;
const NEAR_END = 1600;
/** The height of a row, in CSS pixels. */
const ROW_HEIGHT = 51;
const TYPING_MS = 250;

export class SessionsPage extends LightElement {
  static override properties = {
    query: { state: true },
    channel: { state: true },
    recent: { state: true },
    archived: { state: true },
    chosen: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare query: string;
  declare channel: string;
  declare recent: boolean;
  /** Shows archived conversations instead of the others. */
  declare archived: boolean;
  declare chosen: ReadonlySet<string>;
  declare busy: boolean;
  #removals: Removals | undefined;
  #archive: Archive | undefined;
  #lines = new EvenRows(this, { scroller: '.session-table', row: '.session-line:not(.head)' }, ROW_HEIGHT);
  /** The cached result of `#rows`, until one of its inputs changes. */
  #narrowed: { readonly by: readonly unknown[]; readonly rows: readonly SessionRow[] } | undefined;
  #channels: { readonly of: readonly SessionRow[]; readonly names: readonly string[] } | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.query = '';
    this.channel = '';
    this.recent = false;
    this.archived = false;
    this.chosen = new Set();
    this.busy = false;
  }

  override connectedCallback(): void {
    this.#removals ??= createRemovals(this.app.sessions, (problem) => toast(problem, 'bad'));
    this.#archive ??= createArchive(this.app.sessions);
    this.watch(this.app.sessions.store, this.#removals.store, this.#archive.store);
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.#removals?.carryOut();
  }

  override render(): unknown {
    const state = this.app.sessions.store.get();
    const rows = this.#rows();
    const channels = this.#channelNames();
    const { from, to } = this.#lines.window(rows.length);
    const waiting = this.#removals!.store.get();
    return html`<div class="sessions-page">
      <div class="bar">
        <input class="field" type="search" placeholder="Search" aria-label="Search sessions" .value=${this.query}
          @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)} />
        <select class="field" aria-label="Channel" @change=${(event: Event) =>
          (this.channel = (event.target as HTMLSelectElement).value)}><option value="">All channels</option>
          ${channels.map((name) => html`<option .selected=${name === this.channel}>${name}</option>`)}</select>
        <label class="check"><input type="checkbox" .checked=${this.recent} @change=${() =>
          (this.recent = !this.recent)} />Active today</label>
        <label class="check"><input type="checkbox" .checked=${this.archived} @change=${() =>
          this.#toggleArchived()} />Archived</label>
        <span class="spacer"></span>
        <span class="quiet small" role="status">${
          this.chosen.size > 0 ? `${this.chosen.size} selected` : this.#count(rows.length)
        }</span>
        ${this.chosen.size > 0 ? this.#bulk() : nothing}
      </div>
      ${
        waiting.size > 0
          ? html`<p class="strip" role="status"><span>${
              waiting.size === 1 ? '1 session' : `${waiting.size} sessions`
            } deleted.</span><button class="button small" @click=${() => this.#removals!.undo()}>Undo</button></p>`
          : nothing
      }
      <div class="session-table" role="table" aria-label="Sessions" aria-rowcount=${rows.length + 1} @scroll=${(
        event: Event,
      ) => this.#scrolled(event.target as HTMLElement)}>
        <div class="session-line head" role="row"><span role="columnheader"><input type="checkbox"
          aria-label="Select all that are shown"
          .checked=${rows.length > 0 && rows.every(({ key }) => this.chosen.has(key))}
          @change=${() => this.#chooseAll(rows)} /></span>
          ${['Session', 'Model', 'Thinking', 'Tokens', 'Last used', ''].map(
            (name) => html`<span role="columnheader">${name || html`<span class="offscreen">Actions</span>`}</span>`,
          )}</div>
        <div class="room"></div>
        ${repeat(
          rows.slice(from, to),
          ({ key }) => key,
          (row, index) => this.#row(row, from + index + 2),
        )}
        <div class="room"></div>
        ${state.loaded && rows.length === 0 ? html`<p class="quiet pad">${this.#nothing()}</p>` : nothing}
        ${
          this.#isPart
            ? html`<p class="pad"><button class="button small show-more" ?disabled=${this.#fetching} @click=${() =>
                this.#fetchMore()}>${this.#fetching ? 'Loading more…' : 'Show more'}</button></p>`
            : nothing
        }
      </div></div>`;
  }

  override updated(): void {
    this.#lines.drawn();
  }

  #nothing(): string {
    if (this.archived && this.query === '') return 'Nothing is archived. Archive a conversation from its menu.';
    return this.#isPart ? 'No sessions match among those that are loaded.' : 'No sessions match.';
  }

  /** The gateway has older ones. */
  get #isPart(): boolean {
    return (this.archived ? this.#archive!.store.get() : this.app.sessions.store.get()).nextOffset !== undefined;
  }

  get #fetching(): boolean {
    return (this.archived ? this.#archive!.store.get() : this.app.sessions.store.get()).fetchingMore === true;
  }

  #fetchMore(): void {
    void (this.archived ? this.#archive!.fetchMore() : this.app.sessions.fetchMore());
  }

  /** Says how many conversations were searched, if not all are loaded. */
  #count(shown: number): string {
    const { rows, totalCount } = this.app.sessions.store.get();
    if (!this.#isPart || this.archived) return `${thousands(shown)}${this.#isPart ? ' or more' : ''} shown`;
    const loaded = rows.length === shown ? '' : ` of the newest ${thousands(rows.length)}`;
    return `${thousands(shown)}${loaded} shown${totalCount === undefined ? '' : `, ${thousands(totalCount)} in all`}`;
  }

  #toggleArchived(): void {
    this.archived = !this.archived;
    this.chosen = new Set();
    if (this.archived) void this.#archive!.refresh();
  }

  #channelNames(): readonly string[] {
    const of = this.#all();
    if (this.#channels?.of !== of) this.#channels = { of, names: [...new Set(of.map(channelOf))].toSorted() };
    return this.#channels.names;
  }

  #all(): readonly SessionRow[] {
    return this.archived ? this.#archive!.store.get().rows : this.app.sessions.store.get().rows;
  }

  /** Cached per change, because filtering ten thousand rows takes longer than a frame. */
  #rows(): readonly SessionRow[] {
    const [all, waiting] = [this.#all(), this.#removals!.store.get()];
    const by = [all, waiting, this.query, this.channel, this.recent, this.archived];
    if (this.#narrowed?.by.every((part, index) => part === by[index])) return this.#narrowed.rows;
    const { query, channel } = this;
    const filter = { query, channel, ...(this.recent ? { since: Date.now() - ACTIVE_MS } : {}) };
    const rows = filterRows(all, filter).filter(
      (row) => !waiting.has(row.key) && (row.archived === true) === this.archived,
    );
    this.#narrowed = { by, rows };
    return rows;
  }

  #row(row: SessionRow, place: number): TemplateResult {
    const { key, updatedAt, totalTokens, contextTokens } = row;
    const level = row.thinkingLevel ?? '';
    return html`<div class="session-line ${this.chosen.has(key) ? 'chosen' : ''}" role="row" aria-rowindex=${place}>
      <span role="cell"><input type="checkbox" aria-label="Select ${titleOf(row)}" .checked=${this.chosen.has(key)}
        @change=${() => this.#choose(key)} /></span>
      <span role="cell" class="session-name"><button class="link" @click=${() => this.app.openSession(key)}>${titleOf(
        row,
      )}</button><small>${placeOf(row)}</small></span>
      <span role="cell" class="mono"><button class="link" aria-label="Model of ${titleOf(row)}" @click=${() =>
        void import('../chat/session-settings.ts').then(({ openSessionSettings }) =>
          openSessionSettings(this.app, key),
        )}>${row.modelOverride ?? row.model ?? 'default'}</button></span>
      <span role="cell"><select class="field small" aria-label="Thinking of ${titleOf(row)}" @change=${(event: Event) =>
        void this.#patch(key, { thinkingLevel: (event.target as HTMLSelectElement).value || null })}>
        <option value="" .selected=${level === ''}>default</option>
        ${LEVELS.map((name) => html`<option .selected=${name === level}>${name}</option>`)}</select></span>
      <span role="cell" title="Tokens in the context">${totalTokens ? thousands(totalTokens) : '–'}${
        totalTokens && contextTokens ? html` <small>of ${thousands(contextTokens)}</small>` : nothing
      }</span>
      <span role="cell" title=${updatedAt ? exactTime(updatedAt) : ''}>${
        updatedAt ? shortTime(updatedAt, Date.now()) : '–'
      }</span>
      <span role="cell">${
        isMainRow(row)
          ? nothing
          : html`<button class="ghost" title="Delete" aria-label="Delete ${titleOf(row)}" @click=${() =>
              this.#remove([key])}>${icon('close')}</button>`
      }</span></div>`;
  }

  #bulk(): TemplateResult {
    return html`<button class="button small" ?disabled=${this.busy} @click=${() =>
      void this.#setArchived([...this.chosen], !this.archived)}>${this.archived ? 'Unarchive' : 'Archive'}</button>
      <button class="button small" ?disabled=${this.busy} @click=${() => void this.#compact()}>Compact</button>
      <button class="button small" ?disabled=${this.busy} @click=${() => void this.#reset()}>Reset</button>
      <button class="button small danger" @click=${() => this.#remove([...this.chosen])}>Delete</button>`;
  }

  #choose(key: string): void {
    this.chosen = new Set(this.chosen.has(key) ? [...this.chosen].filter((one) => one !== key) : [...this.chosen, key]);
  }

  #chooseAll(rows: readonly SessionRow[]): void {
    this.chosen = rows.every(({ key }) => this.chosen.has(key)) ? new Set() : new Set(rows.map(({ key }) => key));
  }

  /** The main conversation of an agent cannot be deleted. */
  #remove(keys: readonly string[]): void {
    const rows = this.#all().filter((row) => keys.includes(row.key) && !isMainRow(row));
    if (rows.length < keys.length) toast('Main conversations are kept; reset them instead.');
    this.#removals!.add(rows.map(({ key }) => key));
    this.chosen = new Set();
  }

  /** Can be undone for a moment; main conversations are left out. */
  async #setArchived(wanted: readonly string[], archived: boolean): Promise<void> {
    const keys = wanted.filter((key) => !this.#all().some((row) => row.key === key && isMainRow(row)));
    if (keys.length < wanted.length) toast('Main conversations are not archived.');
    this.busy = true;
    try {
      await this.app.sessions.mark(keys, { archived });
      this.chosen = new Set();
      if (keys.length > 0)
        toast(`${keys.length} ${archived ? 'archived' : 'brought back'}`, 'plain', {
          label: 'Undo',
          act: () => void this.#setArchived(keys, !archived),
        });
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    } finally {
      this.busy = false;
      await this.#archive!.refresh();
    }
  }

  async #compact(): Promise<void> {
    await this.#each('compacted', (key) => this.app.request('sessions.compact', { key }, { timeoutMs: 180_000 }));
  }

  async #reset(): Promise<void> {
    const sure = await confirmed({
      title: `Reset ${this.chosen.size === 1 ? 'this session' : `${this.chosen.size} sessions`}?`,
      body: 'Agents no longer see the earlier messages there. The old transcripts stay on disk.',
      action: 'Reset',
      danger: true,
    });
    if (sure) await this.#each('reset', (key) => this.app.request('sessions.reset', { key }));
  }

  async #each(done: string, work: (key: string) => Promise<unknown>): Promise<void> {
    this.busy = true;
    const keys = [...this.chosen];
    const problems: string[] = [];
    for (const key of keys)
      await work(key).catch((cause: unknown) => void problems.push(`${key}: ${messageOf(cause)}`));
    this.busy = false;
    this.chosen = new Set();
    toast(`${keys.length - problems.length} ${done}`);
    for (const problem of problems.slice(0, 3)) toast(problem, 'bad');
  }

  async #patch(key: string, patch: { readonly thinkingLevel: string | null }): Promise<void> {
    try {
      await this.app.request('sessions.patch', { key, ...patch } as { key: string });
      await this.app.sessions.refresh();
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }

  #search(query: string): void {
    this.query = query;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(
      () => void this.app.sessions.search(query).catch((cause: unknown) => toast(messageOf(cause), 'bad')),
      TYPING_MS,
    );
  }

  #scrolled({ scrollHeight, scrollTop, clientHeight }: HTMLElement): void {
    this.#lines.scrolled();
    if (!this.query && scrollHeight - scrollTop - clientHeight < NEAR_END) this.#fetchMore();
  }
}

customElements.define('claw-sessions-page', SessionsPage);
