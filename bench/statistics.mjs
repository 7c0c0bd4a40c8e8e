/** Calculates medians and quantiles, and formats numbers. */

export const median = (values) => quantile(values, 0.5);

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** `{ median, min, max, n }` of one number per repetition. */
export const spread = (values) => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  n: values.length,
});

/** Three significant digits are what these measurements carry. */
export const show = (value) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);

/** Milliseconds a piece of work takes. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of what so many runs, one after the other, return. */
export async function medianOf(times, work) {
  const all = [];
  for (let nth = 0; nth < times; nth++) all.push(await work(nth));
  return median(all);
}
