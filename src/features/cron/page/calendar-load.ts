/**
 * Fetches the coming runs of six weeks; where there are too many for one answer, day by day, so that a busy first week
 * hides no later one.
 */
import type { Calendar, CronInstant } from './wire.ts';
import type { GridDay } from './month-grid.ts';

/** Of all days together, in one answer. */
const AT_ONCE = 1500;
/** Of one day, when there were more: of the next days every minute's run, further away a sample. */
const OF_A_NEAR_DAY = 2000;
const OF_A_FAR_DAY = 300;
const NEAR_DAYS = 7;
/** Questions under way at the same time. */
const SIDE_BY_SIDE = 4;

export interface Coming {
  readonly runs: readonly CronInstant[];
  /** Keys of days that have more runs than were fetched. */
  readonly cut: ReadonlySet<string>;
}

type Page = Pick<Calendar, 'runs' | 'more'>;

export interface CalendarSource {
  ask(span: { readonly fromMs: number; readonly toMs: number; readonly limit: number }): Promise<Page>;
  /** False ends it early: somebody looks at another month. */
  wanted(): boolean;
}

/** What lies before `now` is history and not asked for. */
export async function loadCalendar(source: CalendarSource, days: readonly GridDay[], now: number): Promise<Coming> {
  const ahead = days.filter(({ endMs }) => endMs > now);
  if (ahead.length === 0) return { runs: [], cut: new Set() };
  const fromMs = Math.max(now, ahead[0]!.startMs);
  const whole = await source.ask({ fromMs, toMs: ahead.at(-1)!.endMs - 1, limit: AT_ONCE });
  if (!whole.more) return { runs: whole.runs, cut: new Set() };
  const reached = whole.runs.at(-1)?.atMs ?? fromMs;
  const open = ahead.filter(({ endMs }) => endMs > reached);
  const runs = whole.runs.filter(({ atMs }) => atMs < Math.max(fromMs, open[0]!.startMs));
  const rest = await eachDay(source, open, fromMs);
  return { runs: [...runs, ...rest.runs], cut: rest.cut };
}

async function eachDay(source: CalendarSource, days: readonly GridDay[], fromMs: number): Promise<Coming> {
  const answers = new Map<string, Page>();
  const waiting = days.map((day, index) => ({ ...day, limit: index < NEAR_DAYS ? OF_A_NEAR_DAY : OF_A_FAR_DAY }));
  const worker = async (): Promise<void> => {
    for (let day = waiting.shift(); day && source.wanted(); day = waiting.shift())
      answers.set(
        day.key,
        await source.ask({ fromMs: Math.max(fromMs, day.startMs), toMs: day.endMs - 1, limit: day.limit }),
      );
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return {
    runs: days.flatMap(({ key }) => answers.get(key)?.runs ?? []),
    cut: new Set(days.flatMap(({ key }) => (answers.get(key)?.more ? [key] : []))),
  };
}
