/** Sums of usage as the page shows them: by day, and by what the days are split into. Pure. */
import type { UsageRow } from '../answers.ts';

export type Metric = 'cost' | 'tokens' | 'turns' | 'latency';
export type Split = 'model' | 'agent' | 'channel';

export interface Sum {
  readonly turns: number;
  readonly failed: number;
  readonly calls: number;
  readonly priced: number;
  readonly tokens: number;
  readonly output: number;
  readonly cost: number;
  readonly latency: readonly number[];
}

export const NOTHING: Sum = {
  turns: 0,
  failed: 0,
  calls: 0,
  priced: 0,
  tokens: 0,
  output: 0,
  cost: 0,
  latency: [],
};

export function sumOf(rows: readonly UsageRow[]): Sum {
  return rows.reduce<Sum>(
    (sum, row) => ({
      turns: sum.turns + row.turns,
      failed: sum.failed + row.failed,
      calls: sum.calls + row.calls,
      priced: sum.priced + row.priced,
      tokens: sum.tokens + row.input + row.output + row.cacheRead + row.cacheWrite,
      output: sum.output + row.output,
      cost: sum.cost + row.cost,
      latency: row.latency.map((count, index) => count + (sum.latency[index] ?? 0)),
    }),
    NOTHING,
  );
}

/** The seconds within which `share` of the turns were answered. Undefined: none were, or it took longer than known. */
export function secondsOf(latency: readonly number[], bounds: readonly number[], share: number): number | undefined {
  const all = latency.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let below = 0;
  for (const [index, count] of latency.entries()) {
    if (below + count >= all * share) {
      const [low, high] = [bounds[index - 1] ?? 0, bounds[index]];
      return high === undefined ? low : low + (high - low) * ((all * share - below) / count);
    }
    below += count;
  }
  return bounds.at(-1);
}

export const valueOf = (sum: Sum, metric: Metric, bounds: readonly number[]): number =>
  metric === 'latency' ? (secondsOf(sum.latency, bounds, 0.5) ?? 0) : sum[metric];

/** Every day from the first to the last, also those on which nothing was used. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  const last = Date.parse(`${to}T12:00:00Z`);
  for (let at = Date.parse(`${from}T12:00:00Z`); at <= last && days.length < 400; at += 24 * 3_600_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** What the days are split into, the largest first; what does not fit is one more. */
export function groupsOf(rows: readonly UsageRow[], split: Split, limit: number): readonly string[] {
  const weight = new Map<string, number>();
  for (const row of rows) weight.set(row[split], (weight.get(row[split]) ?? 0) + row.input + row.output + row.calls);
  return [...weight]
    .sort((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([name]) => name);
}

/** `2.5M`, `34k`, `$0.42`, `3.4 s`. */
export function valueText(value: number, metric: Metric): string {
  if (metric === 'cost') return `$${value >= 100 ? value.toFixed(0) : value.toFixed(value > 0 && value < 0.1 ? 4 : 2)}`;
  if (metric === 'latency') return value === 0 ? '–' : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} s`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)}M`;
  return value >= 10_000 ? `${Math.round(value / 1000)}k` : new Intl.NumberFormat().format(value);
}
