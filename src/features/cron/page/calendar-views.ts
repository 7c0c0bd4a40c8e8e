/** How a month, a day and the next days of coming runs look. Pure but for the templates. */
import { html, nothing, type TemplateResult } from 'lit';
import { clock24 } from '../../../../ui/src/elements/times.ts';
import type { CronInstant } from './wire.ts';
import { isoTime } from '../../../../ui/src/pages/coming-times.ts';
import { dayIn } from '../../../../ui/src/pages/zone-days.ts';
import { condensed, type DayJob, type DayRuns, type GridDay } from './month-grid.ts';

export interface Shown {
  /** IANA; all times are told in it. */
  readonly zone: string;
  readonly days: readonly GridDay[];
  readonly runs: DayRuns;
  readonly cut: ReadonlySet<string>;
  /** By job. */
  readonly colours: ReadonlyMap<string, number>;
  /** A whole month is shown and not the weeks from today: days of its neighbours stand back. */
  readonly month: string | undefined;
  readonly today: string;
  readonly chosen: string;
  readonly loaded: boolean;
  /** On a phone: not only the next days. */
  readonly allDays: boolean;
  choose(day: string): void;
  showAllDays(): void;
  open(jobId: string): void;
}

/** Lines that fit into a day of the month. */
const LINES = 3;
/** Days with runs on a phone, before somebody asks for all. */
const AGENDA_DAYS = 3;
const AGENDA_LINES = 5;
/** More instants of one job than these are told as a span. */
const INSTANTS = 6;
const COLOURS = 5;

/** A colour for each job, neighbours apart, the same for as long as there are the same jobs. */
export const coloursOf = (runs: readonly CronInstant[]): ReadonlyMap<string, number> =>
  new Map([...new Set(runs.map(({ jobId }) => jobId))].toSorted().map((jobId, index) => [jobId, index % COLOURS]));

/** `×48`, `×300+`; nothing for one. */
export const timesWords = (count: number, cut: boolean): string =>
  count === 1 && !cut ? '' : `×${count}${cut && count > INSTANTS ? '+' : ''}`;

/** `Monday, 23 November: 3 runs`. */
export function dayWords(day: GridDay, runs: number, cut: boolean): string {
  const name = dayIn(day.key, { weekday: 'long', day: 'numeric', month: 'long' });
  return `${name}: ${runs === 0 ? 'no runs' : runs === 1 ? '1 run' : `${runs}${cut ? ' or more' : ''} runs`}`;
}

export function monthTable(shown: Shown): TemplateResult {
  const weeks = Array.from({ length: shown.days.length / 7 }, (_, week) => shown.days.slice(week * 7, week * 7 + 7));
  return html`<table class="month ${shown.loaded ? '' : 'waiting'}"><thead><tr>${weeks[0]!.map(
    ({ key }) => html`<th
    scope="col" abbr=${dayIn(key, { weekday: 'long' })}>${dayIn(key, { weekday: 'short' })}</th>`,
  )}</tr></thead>
    <tbody>${weeks.map(
      (week) => html`<tr>${week.map((day) => html`<td>${cell(day, shown)}</td>`)}</tr>`,
    )}</tbody></table>`;
}

function cell(day: GridDay, { runs, cut, colours, zone, month, today, chosen, choose }: Shown): TemplateResult {
  const here = runs.get(day.key) ?? [];
  const jobs = condensed(here);
  const isCut = cut.has(day.key);
  const shown = jobs.length > LINES ? jobs.slice(0, LINES - 1) : jobs;
  const classes = [
    month === undefined || day.key.startsWith(month) ? '' : 'other',
    day.key.endsWith('-01') ? 'first' : '',
    day.key < today ? 'past' : '',
    day.key === today ? 'today' : '',
  ].join(' ');
  return html`<button class="day ${classes}" data-day=${day.key} tabindex=${day.key === chosen ? '0' : '-1'}
    aria-pressed=${day.key === chosen ? 'true' : 'false'} aria-current=${day.key === today ? 'date' : 'false'}
    aria-label=${dayWords(day, here.length, isCut)} @click=${() => choose(day.key)}>
    <span class="day-number">${
      day.key.endsWith('-01') ? dayIn(day.key, { day: 'numeric', month: 'short' }) : Number(day.key.slice(-2))
    }</span>
    ${shown.map((job) => line(job, { cut: isCut, colours, zone }))}
    ${jobs.length > shown.length ? html`<span class="day-more">+${jobs.length - shown.length} more</span>` : nothing}
  </button>`;
}

const line = (
  job: DayJob,
  { cut, colours, zone }: { readonly cut: boolean; readonly colours: Shown['colours']; readonly zone: string },
): TemplateResult =>
  html`<span class="day-line colour-${colours.get(job.jobId)}"><span class="day-at">${
    job.count > INSTANTS ? timesWords(job.count, cut) : clock24(job.firstAtMs, zone)
  }</span><bdi>${job.name}</bdi>${
    job.count > 1 && job.count <= INSTANTS
      ? html`<span class="day-times">${timesWords(job.count, cut)}</span>`
      : nothing
  }</span>`;

/** The chosen day: every job with its instants. */
export function dayList(shown: Shown): TemplateResult {
  const day = shown.days.find(({ key }) => key === shown.chosen);
  const jobs = condensed(shown.runs.get(shown.chosen) ?? []);
  return html`<section class="day-list" aria-label="Selected day" aria-live="polite">
    <h3>${day ? dayIn(day.key, { weekday: 'long', day: 'numeric', month: 'long' }) : shown.chosen}</h3>
    ${
      jobs.length === 0
        ? html`<p class="quiet small">${
            shown.loaded
              ? shown.chosen < shown.today
                ? 'In the past. See the run history of each job.'
                : shown.chosen === shown.today
                  ? 'No more runs today.'
                  : 'No runs.'
              : 'Loading…'
          }</p>`
        : html`<ul>${jobs.map((job) => html`<li>${dayRow(job, shown)}</li>`)}</ul>`
    }
    ${shown.cut.has(shown.chosen) ? html`<p class="quiet small">Some runs are not shown.</p>` : nothing}
  </section>`;
}

function dayRow(job: DayJob, shown: Shown): TemplateResult {
  return html`<button class="day-row colour-${shown.colours.get(job.jobId)}" @click=${() =>
    shown.open(job.jobId)}><bdi>${job.name}</bdi><span class="day-instants">${instants(job, shown)}</span></button>`;
}

function instants(job: DayJob, { runs, chosen, cut, zone }: Shown): unknown {
  if (job.count > INSTANTS)
    return html`${timesWords(job.count, cut.has(chosen))}, ${time(job.firstAtMs, zone)} to ${time(job.lastAtMs, zone)}`;
  return (runs.get(chosen) ?? [])
    .filter(({ jobId }) => jobId === job.jobId)
    .map(({ atMs }, index) => html`${index > 0 ? ', ' : nothing}${time(atMs, zone)}`);
}

const time = (at: number, zone: string): TemplateResult =>
  html`<time datetime=${isoTime(at)}>${clock24(at, zone)}</time>`;

/** The next days on which something runs, for narrow screens. */
export function agenda(shown: Shown): TemplateResult {
  const days = shown.days.filter(({ key }) => key >= shown.today && shown.runs.has(key));
  if (days.length === 0)
    return html`<div class="agenda"><p class="quiet small">${
      shown.loaded ? 'No runs in these weeks.' : 'Loading…'
    }</p></div>`;
  const visible = shown.allDays ? days : days.slice(0, AGENDA_DAYS);
  return html`<div class="agenda"><ol>${visible.map((day) => html`<li>${agendaDay(day, shown)}</li>`)}</ol>
    ${
      days.length > visible.length
        ? html`<button class="button small" @click=${() =>
            shown.showAllDays()}>Show ${days.length - visible.length} more days</button>`
        : nothing
    }</div>`;
}

function agendaDay(day: GridDay, shown: Shown): TemplateResult {
  const jobs = condensed(shown.runs.get(day.key)!);
  const open = shown.chosen === day.key && day.key !== shown.today;
  const visible = open ? jobs : jobs.slice(0, AGENDA_LINES);
  return html`<h3><span class=${day.key === shown.today ? 'today' : ''}>${Number(day.key.slice(-2))}</span>${
    day.key === shown.today ? 'Today' : dayIn(day.key, { weekday: 'long' })
  } <span class="quiet">${dayIn(day.key, { month: 'long' })}</span></h3>
    <ul>${visible.map(
      (job) => html`<li><button class="agenda-line colour-${shown.colours.get(job.jobId)}"
      @click=${() => shown.open(job.jobId)}><span class="day-at">${clock24(
        job.firstAtMs,
        shown.zone,
      )}</span><bdi>${job.name}</bdi><span class="day-times">${timesWords(
        job.count,
        shown.cut.has(day.key),
      )}</span></button></li>`,
    )}</ul>
    ${
      jobs.length > visible.length
        ? html`<button class="link" @click=${() => shown.choose(day.key)}>${jobs.length - visible.length} more</button>`
        : nothing
    }`;
}
