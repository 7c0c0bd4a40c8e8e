/** `<claw-usage>`: what models cost, how many tokens and turns there were and how fast, by day and split in a way. */
import './usage.css';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { UsageReport, UsageRow } from '../answers.ts';
import { dayText, plot, type Bar } from './plot.ts';
import {
  daysBetween,
  groupsOf,
  secondsOf,
  sumOf,
  valueOf,
  valueText,
  type Metric,
  type Split,
  type Sum,
} from './sums.ts';

const METRICS: Readonly<Record<Metric, string>> = {
  cost: 'Cost',
  tokens: 'Tokens',
  turns: 'Turns',
  latency: 'Latency',
};
const SPLITS: Readonly<Record<Split, string>> = { model: 'Model', agent: 'Agent', channel: 'Channel' };
const RANGES = [7, 30, 90] as const;
const MAX_GROUPS = 5;
const OTHERS = 'all others';

export class UsagePage extends LightElement {
  static override properties = {
    report: { state: true },
    metric: { state: true },
    split: { state: true },
    days: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare report: UsageReport | undefined;
  declare metric: Metric;
  declare split: Split;
  declare days: number;
  declare problem: string;

  constructor() {
    super();
    this.metric = 'tokens';
    this.split = 'model';
    this.days = 30;
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => event === 'usage.changed' && void this.#load()),
    );
  }

  override render(): unknown {
    const { report } = this;
    if (!report)
      return html`<div class="column wide pad"><p class="quiet">${this.problem || 'Loading usage…'}</p></div>`;
    return html`<div class="column wide pad usage">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${
        report.reading
          ? html`<p class="strip" role="status"><span class="spinner"></span><span>Reading transcripts:
            ${report.reading.done} of ${report.reading.total}. Figures grow until they are read.</span></p>`
          : nothing
      }
      <section class="tiles" aria-label="Sums">${this.#tiles(report)}</section>
      <section class="card" aria-labelledby="usage-title"><div class="bar"><h2 id="usage-title">${
        METRICS[this.metric]
      } by day</h2><span class="spacer"></span>${this.#choices()}</div>
        ${report.rows.length === 0 ? EMPTY : this.#plotted(report)}</section>
      <section class="card" aria-labelledby="usage-by"><h2 id="usage-by">By ${SPLITS[this.split].toLowerCase()}</h2>
        ${report.rows.length === 0 ? html`<p class="quiet">Nothing was used yet.</p>` : this.#table(report)}</section>
    </div>`;
  }

  #tiles({ rows, today, budget, bounds }: UsageReport): TemplateResult {
    const month = sumOf(rows.filter(({ day }) => day.slice(0, 7) === today.slice(0, 7)));
    const day = sumOf(rows.filter((row) => row.day === today));
    const all = sumOf(rows);
    return html`${tile('Today', costText(day), budgetText(day.cost, budget.dailyUsd))}
      ${tile('This month', costText(month), budgetText(month.cost, budget.monthlyUsd))}
      ${tile('Tokens', valueText(all.tokens, 'tokens'), `${valueText(all.output, 'tokens')} written by models`)}
      ${tile(
        'Turns',
        valueText(all.turns, 'turns'),
        all.failed > 0 ? `${all.failed} failed or stopped` : 'none failed',
      )}
      ${tile(
        'Half are answered within',
        valueText(secondsOf(all.latency, bounds, 0.5) ?? 0, 'latency'),
        `95 % within ${valueText(secondsOf(all.latency, bounds, 0.95) ?? 0, 'latency')}`,
      )}`;
  }

  #choices(): TemplateResult {
    const option = (value: string | number, label: string, chosen: boolean): TemplateResult =>
      html`<option value=${value} ?selected=${chosen}>${label}</option>`;
    const picked = (event: Event): string => (event.target as HTMLSelectElement).value;
    return html`<select class="field" aria-label="Figure" @change=${(event: Event) =>
      (this.metric = picked(event) as Metric)}>${Object.entries(METRICS).map(([id, label]) =>
      option(id, label, id === this.metric),
    )}</select><select class="field" aria-label="Split by" @change=${(event: Event) =>
      (this.split = picked(event) as Split)}>${Object.entries(SPLITS).map(([id, label]) =>
      option(id, `by ${label.toLowerCase()}`, id === this.split),
    )}</select><select class="field" aria-label="Time" @change=${(event: Event) => {
      this.days = Number(picked(event));
      void this.#load();
    }}>${RANGES.map((days) => option(days, `${days} days`, days === this.days))}</select>`;
  }

  #plotted(report: UsageReport): TemplateResult {
    const { metric } = this;
    const groups = metric === 'latency' ? ['all'] : this.#groups(report.rows);
    const bars = daysBetween(report.from, report.today).map((day): Bar => {
      const rows = report.rows.filter((row) => row.day === day);
      return {
        day,
        parts: groups.map((name) => ({
          name,
          value: valueOf(sumOf(metric === 'latency' ? rows : this.#rowsOf(rows, name, groups)), metric, report.bounds),
        })),
      };
    });
    const budget = metric === 'cost' ? report.budget.dailyUsd : undefined;
    return html`<figure class="usage-figure">${plot({
      bars,
      groups,
      metric,
      budget,
      label: `${METRICS[metric]} by day, the last ${this.days} days. The figures are in the table below.`,
    })}<figcaption>${
      metric === 'latency'
        ? 'Seconds within which half of the turns of a day were answered.'
        : groups.map(
            (name, index) =>
              html`<span class="usage-key"><i class="part-${index + 1}" aria-hidden="true"></i>${name}</span>`,
          )
    }</figcaption></figure>
    <details class="usage-days"><summary>Figures by day</summary><div class="table-scroll" tabindex="0" role="region"
      aria-label="Figures by day"><table><thead><tr><th scope="col">Day</th>${groups.map(
        (name) => html`<th scope="col">${name}</th>`,
      )}</tr></thead><tbody>${bars
        .filter(({ parts }) => parts.some(({ value }) => value > 0))
        .toReversed()
        .map(
          ({ day, parts }) =>
            html`<tr><th scope="row">${dayText(day)}</th>${parts.map(
              ({ value }) => html`<td>${valueText(value, metric)}</td>`,
            )}</tr>`,
        )}</tbody></table></div></details>`;
  }

  #table({ rows, bounds }: UsageReport): TemplateResult {
    const lines = [...new Set(rows.map((row) => row[this.split]))]
      .map((name) => ({ name, sum: sumOf(rows.filter((row) => row[this.split] === name)) }))
      .sort((a, b) => b.sum.cost - a.sum.cost || b.sum.tokens - a.sum.tokens);
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label="By ${this.split}"><table><thead><tr>
      <th scope="col">${SPLITS[this.split]}</th><th scope="col">Turns</th><th scope="col">Tokens</th>
      <th scope="col">Cost</th><th scope="col">Half within</th></tr></thead><tbody>${lines.map(
        ({ name, sum }) =>
          html`<tr><th scope="row">${name}</th><td>${valueText(sum.turns, 'turns')}</td><td>${valueText(
            sum.tokens,
            'tokens',
          )}</td><td>${costText(sum)}</td>
          <td>${valueText(secondsOf(sum.latency, bounds, 0.5) ?? 0, 'latency')}</td></tr>`,
      )}</tbody></table></div>
      ${
        rows.some(({ priced, calls }) => priced < calls)
          ? html`<p class="small quiet">Some calls have no price. Set the prices of a model under
            <code>models.providers.&lt;name&gt;.models[].cost</code>.</p>`
          : nothing
      }`;
  }

  #groups(rows: readonly UsageRow[]): readonly string[] {
    const groups = groupsOf(rows, this.split, MAX_GROUPS);
    return rows.some((row) => !groups.includes(row[this.split])) ? [...groups, OTHERS] : groups;
  }

  #rowsOf(rows: readonly UsageRow[], name: string, groups: readonly string[]): readonly UsageRow[] {
    return rows.filter((row) => (name === OTHERS ? !groups.includes(row[this.split]) : row[this.split] === name));
  }

  async #load(): Promise<void> {
    try {
      this.report = await this.app.request('usage.report', { days: Math.max(31, this.days) }).then((report) => ({
        ...report,
        from: daysBetween(report.from, report.today).at(-this.days) ?? report.from,
      }));
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

const tile = (label: string, value: string, detail: string | TemplateResult): TemplateResult =>
  html`<div class="tile"><span class="tile-label">${label}</span><span class="tile-value">${value}</span><span
    class="tile-detail">${detail}</span></div>`;

/** Without prices the cost is not known, and not nothing. */
const costText = ({ cost, priced, calls }: Sum): string =>
  calls > 0 && priced === 0 ? 'no prices' : valueText(cost, 'cost');

const budgetText = (cost: number, budget: number | undefined): string | TemplateResult =>
  budget === undefined
    ? 'no budget set'
    : cost > budget
      ? html`<b class="usage-over">over the budget of ${valueText(budget, 'cost')}</b>`
      : `${Math.round((cost / budget) * 100)} % of ${valueText(budget, 'cost')}`;

const EMPTY = html`<p class="quiet">Nothing was used yet. Write a message in the chat, then look again.</p>`;

customElements.define('claw-usage', UsagePage);
