/** Stacked bars by day with a budget as a line. A sentence says what is seen, and the table below has the figures. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { valueText, type Metric } from './sums.ts';

export interface Bar {
  readonly day: string;
  /** From the bottom up. */
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

interface Plot {
  readonly bars: readonly Bar[];
  readonly groups: readonly string[];
  readonly metric: Metric;
  readonly label: string;
  readonly budget?: number | undefined;
}

const HEIGHT = 220;
const BOTTOM = 22;
const TOP = 10;
/** Letters keep their size on a phone: there is less of the plot instead. */
const WIDE = { width: 760, left: 64, labels: 6 };
const NARROW = { width: 300, left: 46, labels: 3 };

/** A round number at or above the highest: 1, 2 or 5 times a power of ten. Pure. */
export function niceTop(highest: number): number {
  if (!(highest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= highest * 0.999) ?? highest;
}

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0);

export function plot({ bars, groups, metric, label, budget }: Plot): TemplateResult {
  const top = niceTop(Math.max(...bars.map(totalOf), budget ?? 0));
  const y = (value: number): number => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const { width: across, left, labels } = matchMedia('(max-width: 560px)').matches ? NARROW : WIDE;
  const step = (across - left) / Math.max(1, bars.length);
  const width = Math.max(1.5, Math.min(36, step * 0.72));
  const every = Math.ceil(bars.length / labels);
  return html`<svg class="usage-plot" viewBox="0 0 ${across} ${HEIGHT}" role="img" aria-label=${label}>
    ${(top === 1 && (metric === 'turns' || metric === 'tokens') ? [0, 1] : [0, 0.5, 1]).map(
      (share) => svg`<line class="usage-grid" x1=${left} x2=${across} y1=${y(top * share)} y2=${y(top * share)} />
        <text class="usage-tick" x=${left - 8} y=${y(top * share) + 4} 
          text-anchor="end">${valueText(top * share, metric)}</text>`,
    )}
    ${bars.map((bar, index) => {
      const x = left + index * step + (step - width) / 2;
      let below = 0;
      return svg`<g><title>${titleOf(bar, metric)}</title>
        <rect class="usage-hit" x=${left + index * step} y=${TOP} width=${step} height=${HEIGHT - TOP - BOTTOM} />
        ${bar.parts.map(({ name, value }) => {
          if (value <= 0) return nothing;
          below += value;
          return svg`<rect class=${`usage-bar part-${groups.indexOf(name) + 1}`} x=${x} y=${y(below)} width=${width}
            height=${Math.max(1, y(below - value) - y(below))} />`;
        })}
        ${
          index % every === 0
            ? svg`<text class="usage-tick" x=${x + width / 2} y=${HEIGHT - 5}
              text-anchor="middle">${dayText(bar.day)}</text>`
            : nothing
        }</g>`;
    })}
    ${
      budget === undefined
        ? nothing
        : svg`<line class="usage-budget" x1=${left} x2=${across} y1=${y(budget)} y2=${y(budget)} />
          <text class="usage-budget-text"
          x=${across - 2} y=${y(budget) - 5} text-anchor="end">daily budget ${valueText(budget, metric)}</text>`
    }</svg>`;
}

const titleOf = (bar: Bar, metric: Metric): string =>
  [
    `${dayText(bar.day)}: ${valueText(totalOf(bar), metric)}`,
    ...(bar.parts.length > 1
      ? bar.parts.filter(({ value }) => value > 0).map(({ name, value }) => `${name} ${valueText(value, metric)}`)
      : []),
  ].join('\n');

const format = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** `27 Nov`; the day is one of the gateway's zone already. */
export const dayText = (day: string): string => format.format(Date.parse(`${day}T12:00:00Z`));
