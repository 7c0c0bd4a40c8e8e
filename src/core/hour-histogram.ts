/** A histogram of durations in the last hour: count and percentiles. */

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** The smallest distinguishable duration in milliseconds; each bucket is 25 % wider than the previous one. */
const FIRST_MS = 0.01;
const GROWTH = Math.log(1.25);
/** Up to a minute. */
const BUCKETS = 72;

/** What is known of an hour; times in milliseconds, of the percentiles the upper ends of their buckets. */
export interface HourReading {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Remembers durations by the minute. */
export interface HourHistogram {
  /** `ms`: how long it took; `now`: when it ended, milliseconds since the epoch. */
  record(ms: number, now: number): void;
  read(now: number): HourReading;
}

interface Minute {
  readonly nth: number;
  readonly counts: Uint32Array;
  maxMs: number;
}

/** Takes 300 bytes for each minute in which something was recorded. */
export function createHourHistogram(): HourHistogram {
  let minutes: Minute[] = [];

  function minuteAt(now: number): Minute {
    const nth = Math.floor(now / MINUTE_MS);
    const last = minutes.at(-1);
    if (last?.nth === nth) return last;
    const fresh: Minute = { nth, counts: new Uint32Array(BUCKETS), maxMs: 0 };
    minutes = [...minutes.filter((one) => isRecent(one, nth)), fresh];
    return fresh;
  }

  return {
    record(ms, now) {
      const minute = minuteAt(now);
      const bucket = bucketOf(ms);
      minute.counts[bucket] = minute.counts[bucket]! + 1;
      minute.maxMs = Math.max(minute.maxMs, ms);
    },
    read(now) {
      const recent = minutes.filter((one) => isRecent(one, Math.floor(now / MINUTE_MS)));
      const total = new Float64Array(BUCKETS);
      for (const { counts } of recent) counts.forEach((count, bucket) => (total[bucket] = total[bucket]! + count));
      const count = total.reduce((sum, one) => sum + one, 0);
      const maxMs = Math.max(0, ...recent.map((one) => one.maxMs));
      const percentile = (share: number): number => Math.min(maxMs, upperEnd(total, count * share));
      return { count, p50Ms: rounded(percentile(0.5)), p99Ms: rounded(percentile(0.99)), maxMs: rounded(maxMs) };
    },
  };
}

const isRecent = ({ nth }: Minute, now: number): boolean => nth > now - MINUTES && nth <= now;

const bucketOf = (ms: number): number =>
  ms <= FIRST_MS ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / FIRST_MS) / GROWTH));

/** Of the bucket in which the nth duration lies, counted from the shortest. */
function upperEnd(counts: Float64Array, nth: number): number {
  let seen = 0;
  const bucket = counts.findIndex((count) => (seen += count) >= nth && seen > 0);
  return bucket < 0 ? 0 : FIRST_MS * Math.exp(bucket * GROWTH);
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
