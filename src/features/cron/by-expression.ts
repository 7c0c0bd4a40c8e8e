/**
 * Jobs in an order in which the same expressions follow each other: reading one takes longer than everything else about
 * a job, and few are remembered.
 */

/** `scheduleOf` may answer anything; what is no expression comes first. One pass, no sorting. */
export function byExpression<T>(list: readonly T[], scheduleOf: (one: T) => unknown): T[] {
  return [...Map.groupBy(list, (one) => expressionOf(scheduleOf(one))).values()].flat();
}

function expressionOf(schedule: unknown): string {
  const { expr, tz } = (schedule ?? {}) as { readonly expr?: unknown; readonly tz?: unknown };
  return typeof expr === 'string' ? `${expr} ${String(tz)}` : '';
}
