/**
 * `<claw-cron-calendar>`: the coming runs: a month to look over, the chosen day in full, and on a phone the next days
 * as a list.
 */
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import type { CronInstant } from './wire.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import { agenda, coloursOf, dayList, monthTable, type Shown } from './calendar-views.ts';
import { loadCalendar, type Coming } from './calendar-load.ts';
import { byDay, firstWeekday, gridOf, monthAfter, monthOf, spanWords, withKnown, type GridDay } from './month-grid.ts';
import { browserZone, keyAfter } from './calendar-days.ts';
import { dayKey } from '../../../../ui/src/pages/zone-days.ts';

/** News come as often as jobs run; the calendar hardly changes by them. */
const SOON_MS = 1500;
/** Where they are too many for one answer, asking costs something. */
const LATER_MS = 60_000;
/** As long ahead as anybody plans. */
const MONTHS_AHEAD = 24;

export class CronCalendar extends LightElement {
  static override properties = {
    app: { attribute: false },
    zone: { attribute: false },
    version: { attribute: false },
    known: { attribute: false },
    month: { state: true },
    day: { state: true },
    coming: { state: true },
    allDays: { state: true },
    problem: { state: true },
  };
  declare app: App;
  /** IANA; the calendar is that of this zone. */
  declare zone: string;
  /** Changes whenever jobs did. */
  declare version: number;
  /** Instants known from the list of jobs. */
  declare known: readonly CronInstant[];
  /** `2026-11`. */
  declare month: string;
  /** The chosen day. */
  declare day: string;
  declare coming: Coming | undefined;
  declare allDays: boolean;
  declare problem: string;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #question = 0;
  /** Where the keyboard goes after the next rendering. */
  #focus = '';

  constructor() {
    super();
    this.known = [];
    this.zone = browserZone();
    this.#today();
    this.allDays = false;
    this.problem = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#question++;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('zone')) this.#today();
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('month') || changed.has('zone') || (changed.has('version') && changed.get('version') === undefined))
      void this.#load();
    else if (changed.has('version'))
      this.#soon ??= setTimeout(() => void this.#load(), this.coming?.cut.size ? LATER_MS : SOON_MS);
    if (!this.#focus) return;
    this.querySelector<HTMLElement>(`[data-day="${this.#focus}"]`)?.focus();
    this.#focus = '';
  }

  override render(): unknown {
    const now = Date.now();
    const { zone } = this;
    const first = monthOf(now, zone);
    const cut = this.coming?.cut ?? new Set();
    const runs = withKnown(this.coming?.runs ?? [], this.known, { cut, zone });
    const shown: Shown = {
      zone,
      days: this.#days(now),
      runs: byDay(runs, zone),
      cut,
      colours: coloursOf(runs),
      month: this.month === first ? undefined : this.month,
      today: dayKey(now, zone),
      chosen: this.day,
      loaded: this.coming !== undefined,
      allDays: this.allDays,
      showAllDays: () => (this.allDays = true),
      choose: (day) => (this.day = day),
      open: (jobId) => this.dispatchEvent(new CustomEvent('job-chosen', { detail: jobId, bubbles: true })),
    };
    return html`<section class="card calendar" aria-label="Coming runs">
      <header class="calendar-head"><h2>Coming runs</h2><span class="calendar-zone quiet" title=${
        zone === browserZone()
          ? 'Times on this page use this time zone, which is also the zone of your browser'
          : `Times on this page use your time zone on the gateway (agents.defaults.userTimezone); your browser uses ${browserZone()}`
      }>${zone}</span><span class="spacer"></span>
        <button class="ghost" aria-label="Previous month" ?disabled=${this.month <= first} @click=${() =>
          this.#go(-1)}><span class="turned">${icon('chevron')}</span></button>
        <span class="calendar-month" aria-live="polite">${spanWords(this.month, now, zone)}</span>
        <button class="ghost" aria-label="Next month" ?disabled=${this.month >= monthOf(now, zone, MONTHS_AHEAD)}
          @click=${() => this.#go(1)}>${icon('chevron')}</button>
        <button class="button small" ?disabled=${this.month === first && this.day === shown.today} @click=${() =>
          this.#today()}>Today</button></header>
      ${this.problem ? html`<p class="calendar-problem" role="alert">${this.problem}</p>` : nothing}
      <div class="calendar-body">
        <div class="calendar-month-box" @keydown=${(event: KeyboardEvent) =>
          this.#key(event)}>${monthTable(shown)}</div>
        ${dayList(shown)}
        ${agenda(shown)}
      </div>
    </section>`;
  }

  #go(step: number): void {
    const month = monthAfter(this.month, step);
    if (month < this.#first || month > monthAfter(this.#first, MONTHS_AHEAD)) return;
    this.month = month;
    this.day = month === this.#first ? dayKey(Date.now(), this.zone) : `${month}-01`;
  }

  #today(): void {
    this.month = this.#first;
    this.day = dayKey(Date.now(), this.zone);
  }

  get #first(): string {
    return monthOf(Date.now(), this.zone);
  }

  /** Arrows walk over the days and past the edge into the next month; page keys turn months. */
  #key(event: KeyboardEvent): void {
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (months !== undefined) this.#go(months);
    else if (days !== undefined) this.#walk(days);
    else return;
    event.preventDefault();
    this.#focus = this.day;
  }

  #walk(days: number): void {
    const first = this.#first;
    const there = keyAfter(this.day, { days });
    const earliest = gridOf(first, { firstDay: firstWeekday(), now: Date.now(), zone: this.zone })[0]!.key;
    if (there < earliest || there.slice(0, 7) > monthAfter(first, MONTHS_AHEAD)) return;
    this.day = there;
    if (!this.#days(Date.now()).some(({ key }) => key === there))
      this.month = there.slice(0, 7) < first ? first : there.slice(0, 7);
  }

  #days(now: number): readonly GridDay[] {
    return gridOf(this.month, { firstDay: firstWeekday(), now, zone: this.zone });
  }

  async #load(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const question = ++this.#question;
    const { app } = this;
    const wanted = (): boolean => question === this.#question;
    try {
      const coming = await loadCalendar(
        { ask: (span) => app.request('cron.calendar', span), wanted },
        this.#days(Date.now()),
        Date.now(),
      );
      if (!wanted()) return;
      this.coming = coming;
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause) && wanted()) this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-cron-calendar', CronCalendar);
