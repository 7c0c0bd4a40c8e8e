/** The card of usage on the overview of the Control UI: turns, latency, tokens and cost of two weeks, in small. */
import './usage.css';
import { html, svg, type TemplateResult } from 'lit';
import type { OverviewCard } from '../../../../ui/src/pages/glances.ts';
import type { UsageReport } from '../answers.ts';
import { daysBetween, sumOf, valueOf, valueText, type Metric } from './sums.ts';

const DAYS = 14;
const BAR = 6;
const HEIGHT = 28;
const SHOWN: readonly { readonly metric: Metric; readonly label: string }[] = [
  { metric: 'turns', label: 'Turns today' },
  { metric: 'latency', label: 'Half answered within' },
  { metric: 'tokens', label: 'Tokens today' },
  { metric: 'cost', label: 'Cost today' },
];

export const card: OverviewCard = {
  event: 'usage.changed',
  async load(app) {
    if (!app.offers('usage.report')) return undefined;
    const report = await app.request('usage.report', { days: DAYS });
    if (report.rows.length === 0) return undefined;
    return () => usageCard(report, () => app.go('usage'));
  },
};

const usageCard = (report: UsageReport, open: () => void): TemplateResult =>
  html`<section class="card usage-card" aria-labelledby="usage-card"><div class="bar"><h2 id="usage-card">Usage</h2>
    <span class="spacer"></span><button class="button small" @click=${open}>Show usage</button></div>
    <dl class="usage-small">${SHOWN.map(({ metric, label }) => small(report, metric, label))}</dl></section>`;

function small({ rows, from, today, bounds }: UsageReport, metric: Metric, label: string): TemplateResult {
  const days = daysBetween(from, today);
  const values = days.map((day) => valueOf(sumOf(rows.filter((row) => row.day === day)), metric, bounds));
  const now = sumOf(rows.filter(({ day }) => day === today));
  const text = metric === 'cost' && now.calls > 0 && now.priced === 0 ? 'no prices' : valueText(values.at(-1)!, metric);
  const top = Math.max(...values) || 1;
  return html`<div><dt>${label}</dt><dd>${text}<svg viewBox="0 0 ${DAYS * BAR} ${HEIGHT}" role="img"
    aria-label="${label}: the last ${days.length} days, at most ${valueText(Math.max(...values), metric)}">${values.map(
      (value, index) => {
        const height = value > 0 ? Math.max(2, (value / top) * HEIGHT) : 1;
        return svg`<rect class="usage-bar part-1" x=${index * BAR} y=${HEIGHT - height} width=${BAR - 2}
          height=${height} />`;
      },
    )}</svg></dd></div>`;
}
