/** A small line chart of the trend of a value. */
import { nothing, svg, html, type TemplateResult } from 'lit';

const WIDTH = 100;
const HEIGHT = 24;
/** A value with little variation is drawn as an almost flat line. */
const LEAST_SPREAD = 0.2;

/**
 * Points of the polyline, oldest on the left; the scale spans at least a fifth of the highest value, around the middle.
 * Pure.
 */
export function curve(values: readonly number[]): string {
  const [top, bottom] = [Math.max(...values), Math.min(...values)];
  const span = Math.max(top - bottom, top * LEAST_SPREAD) || 1;
  const low = (top + bottom - span) / 2;
  return values
    .map(
      (value, index) =>
        `${round((index / Math.max(1, values.length - 1)) * WIDTH)},${round(HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4))}`,
    )
    .join(' ');
}

/** `label` is the text for screen readers. Empty below two values. */
export function sparkline(values: readonly number[], label: string): TemplateResult | typeof nothing {
  if (values.length < 2) return nothing;
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
    aria-label=${label}>${svg`<polyline points=${curve(values)} vector-effect="non-scaling-stroke" />`}</svg>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
