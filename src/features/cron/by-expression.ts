/**
 * Orders jobs so that equal expressions follow each other: parsing one is the slowest part of a job, and the cache is
 * small.
 */

/** `scheduleOf` may answer anything; what is no expression comes first. One pass, no sorting. */
export function byExpression<T>(list: readonly T[], scheduleOf: (one: T) => unknown): T[] {
  return [...Map.groupBy(list, (one) => expressionOf(scheduleOf(one))).values()].flat();
}

function expressionOf(schedule: unknown): string {
  const { expr, tz } = (schedule ?? {}) as { readonly expr?: unknown; readonly tz?: unknown };
  return typeof expr === 'string' ? `${expr} ${String(tz)}` : '';
}
