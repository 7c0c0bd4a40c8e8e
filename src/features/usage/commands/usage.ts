/** `usage show`: tokens, cost and latency of model answers, summed by day, model, agent or channel. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { listing } from '../../../cli/columns.ts';
import type { Call } from '../../../cli/command.ts';
import type { UsageReport, UsageRow } from '../answers.ts';
import { secondsOf, sumOf, valueText, type Sum } from '../page/sums.ts';

const SPLITS = ['day', 'model', 'agent', 'channel'] as const;
type Split = (typeof SPLITS)[number];

export async function usageShow({ io, flags, gateway }: Call): Promise<void> {
  const by = flags.text('by') ?? 'day';
  if (!isSplit(by)) throw new AppError('invalid', `--by must be ${SPLITS.join(', ')}, not ${JSON.stringify(by)}.`);
  const report = await (await gateway()).request<UsageReport>('usage.report', present({ days: flags.number('days') }));
  if (flags.has('json')) return io.out(JSON.stringify(report, null, 2));
  const groups = [...Map.groupBy(report.rows, (row) => row[by])].map(([name, rows]) => [name, sumOf(rows)] as const);
  const sorted = by === 'day' ? groups.toSorted(byName) : groups.toSorted(([, a], [, b]) => b.tokens - a.tokens);
  const rows = [...sorted, ...(sorted.length > 1 ? [['All', sumOf(report.rows)] as const] : [])];
  io.out(
    listing(
      [by, 'turns', 'failed', 'tokens', 'cost', 'half within'],
      rows.map(([name, sum]) => [name, ...cells(sum, report)]),
      `No usage since ${report.from}.`,
    ),
  );
  for (const line of [...budgetLines(report), ...readingLine(report)]) io.out(line);
}

const isSplit = (text: string): text is Split => SPLITS.some((split) => split === text);
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const cells = (sum: Sum, { bounds }: UsageReport): readonly string[] => [
  String(sum.turns),
  String(sum.failed),
  valueText(sum.tokens, 'tokens'),
  // A model without prices costs something nobody knows.
  sum.priced === 0 ? '–' : `${valueText(sum.cost, 'cost')}${sum.priced < sum.calls ? ' +' : ''}`,
  valueText(secondsOf(sum.latency, bounds, 0.5) ?? 0, 'latency'),
];

function budgetLines({ budget, rows, today }: UsageReport): readonly string[] {
  const month = today.slice(0, 7);
  return [
    budgetLine(
      'Today',
      rows.filter(({ day }) => day === today),
      budget.dailyUsd,
    ),
    budgetLine(
      'This month',
      rows.filter(({ day }) => day.startsWith(month)),
      budget.monthlyUsd,
    ),
  ].filter((line) => line !== undefined);
}

function budgetLine(when: string, rows: readonly UsageRow[], budget: number | undefined): string | undefined {
  if (budget === undefined) return undefined;
  const { cost } = sumOf(rows);
  const over = cost > budget ? ', over the budget' : '';
  return `${when}: ${valueText(cost, 'cost')} of ${valueText(budget, 'cost')}${over}.`;
}

const readingLine = ({ reading }: UsageReport): readonly string[] =>
  reading ? [`Transcripts are still being read: ${reading.done} of ${reading.total}.`] : [];
