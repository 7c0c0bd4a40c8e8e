/** Converts between instants and local times of a zone, including gaps and overlaps. */

const HOUR_MS = 3_600_000;
/** Further than any clock was ever set in one step. */
const STEP_MS = 26 * HOUR_MS;

/**
 * Since then every clock was set at a full quarter of an hour, counted from 1970: within one, its offset is the same.
 */
const QUARTERS_SINCE_MS = Date.UTC(1980, 0, 1);
const QUARTER_MS = 900_000;
/** Asking a clock takes 0.01 ms, and thousands of jobs ask for the same days. */
const QUARTERS_KEPT = 1000;

/** What a clock shows is written as if it were UTC: 09:00 in Berlin is `Date.UTC(…, 9)`, in milliseconds. */
export interface Zone {
  readonly name: string;
  /** What its clocks show at an instant. */
  wall(ms: number): number;
  /**
   * The first instant at which its clocks have reached `wall`: the end of the gap for a time that is skipped, the first
   * of the two for one that comes twice.
   */
  instant(wall: number): number;
  /** The latest time its clocks have shown up to an instant. Ahead of `wall` while a time is shown again. */
  reached(ms: number): number;
}

/** No such zone: undefined. Costs about 0.1 ms, so it is kept by whoever asks often. */
export function createZone(name: string): Zone | undefined {
  const offset = offsetsOf(name);
  if (!offset) return undefined;
  const wall = (ms: number): number => ms + offset(ms);
  return {
    name,
    wall,
    instant(time) {
      const [before, after] = [offset(time - STEP_MS), offset(time + STEP_MS)];
      const fits = [time - Math.max(before, after), time - Math.min(before, after)].find((ms) => wall(ms) === time);
      return fits ?? change(offset, time - after, time - before);
    },
    reached(ms) {
      if (offset(ms - STEP_MS) <= offset(ms)) return wall(ms);
      return Math.max(wall(ms), wall(change(offset, ms - STEP_MS, ms) - 1));
    },
  };
}

/** The instant in `(from, to]` from which the other offset counts; both ends must differ. */
function change(offset: (ms: number) => number, from: number, to: number): number {
  const old = offset(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetsOf(timeZone: string): ((ms: number) => number) | undefined {
  if (/^(etc\/)?(utc|uct|zulu|universal|gmt)$/i.test(timeZone)) return () => 0;
  const clock = clockOf(timeZone);
  if (!clock) return undefined;
  const read = (ms: number): number => {
    const second = Math.floor(ms / 1000) * 1000;
    // `MM/DD/YYYY, HH:MM:SS`: cutting the text up takes a third of what its parts would.
    const [month, day, year, hour, minute, second60] = clock.format(second).split(/\D+/).map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute, second60) - second;
  };
  const known = new Map<number, number>();
  return (ms) => {
    if (ms < QUARTERS_SINCE_MS) return read(ms);
    const quarter = Math.floor(ms / QUARTER_MS);
    const offset = known.get(quarter) ?? read(quarter * QUARTER_MS);
    if (known.size >= QUARTERS_KEPT) known.clear();
    known.set(quarter, offset);
    return offset;
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined; // no such zone
    throw error;
  }
}
