/** `<claw-rail>`: the pages in their groups, which can be closed and stay so; the page shown is always among them. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { isOffline } from '../gateway/health.ts';
import { entryOf, GROUPS, pageTable, type PageEntry, type PageGroup } from '../page-table.ts';
import type { Page } from '../routes.ts';
import { icon, pageIcon, type IconName } from './icons.ts';
import { LightElement } from './light-element.ts';
import { currentTheme, nextTheme, setTheme } from './theme.ts';

const KEPT = 'clawdbot.rail';

const THEME_ICONS: Readonly<Record<ReturnType<typeof currentTheme>, IconName>> = {
  system: 'system',
  light: 'sun',
  dark: 'moon',
};

export class Rail extends LightElement {
  static override properties = { app: { attribute: false }, page: { attribute: false }, closed: { state: true } };
  declare app: App;
  declare page: Page | undefined;
  declare closed: readonly string[];

  constructor() {
    super();
    this.closed = localStorage.getItem(KEPT)?.split(' ') ?? [];
  }

  override connectedCallback(): void {
    this.watch(this.app.health);
    super.connectedCallback();
  }

  override render(): unknown {
    const theme = currentTheme();
    return html`<nav class="rail" aria-label="Pages" @keydown=${(event: KeyboardEvent) => this.#key(event)}>
      ${GROUPS.map((group) => this.#group(group))}
      <span class="rail-space"></span>
      <button class="rail-item" title="Notifications and app" @click=${() =>
        void import('../pwa/alerts-dialog.ts').then(({ openAlerts }) =>
          openAlerts(),
        )}>${icon('bell')}<span>Alerts</span></button>
      <button class="rail-item" title="Theme: ${theme}" aria-label="Theme: ${theme}. Change" @click=${() => {
        setTheme(nextTheme(theme));
        this.requestUpdate();
      }}>${icon(THEME_ICONS[theme])}<span>Theme</span></button>
    </nav>`;
  }

  #group({ id, title }: (typeof GROUPS)[number]): unknown {
    const pages = pageTable.filter(
      (entry) => entry.group === id && entryOf(entry.id) === entry && this.#isOffered(entry),
    );
    if (pages.length === 0) return nothing;
    const open = !this.closed.includes(id);
    return html`<div class="rail-group" role="group" aria-labelledby="rail-${id}">
      <button class="rail-title" id="rail-${id}" aria-expanded=${open ? 'true' : 'false'} @click=${() =>
        this.#toggle(id)}>${title}${icon('chevron')}</button>
      ${pages.filter((entry) => open || entry === entryOf(this.page)).map((entry) => this.#item(entry))}</div>`;
  }

  #item({ id, title, icon: path }: PageEntry): TemplateResult {
    const current = id === entryOf(this.page)?.id ? 'page' : 'false';
    return html`<button class="rail-item" aria-current=${current} title=${title}
      @click=${() => {
        this.dispatchEvent(new Event('page-chosen', { bubbles: true }));
        this.app.go(id);
      }}>${pageIcon(id, path)}<span>${title}</span></button>`;
  }

  /** The setup page is in the navigation until a model is configured. */
  #isOffered({ id }: PageEntry): boolean {
    return id !== 'setup' || this.page === 'setup' || isOffline(this.app.health.get());
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('page')) this.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }

  #toggle(id: PageGroup): void {
    this.closed = this.closed.includes(id) ? this.closed.filter((one) => one !== id) : [...this.closed, id];
    localStorage.setItem(KEPT, this.closed.join(' '));
  }

  /** Arrow keys move between the entries. */
  #key(event: KeyboardEvent): void {
    const entries = [...this.querySelectorAll<HTMLElement>('button')];
    const at = entries.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (at < 0 || to === undefined || !entries[to]) return;
    event.preventDefault();
    entries[to].focus();
  }
}

customElements.define('claw-rail', Rail);

declare global {
  interface HTMLElementTagNameMap {
    'claw-rail': Rail;
  }
}
