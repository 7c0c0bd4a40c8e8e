/** Formats coming runs by day for the terminal; frequent runs of a job are one line. Pure. */
import { instant, shortened, shortId, type Reading } from './text.ts';

interface Coming {
  readonly jobId: string;
  readonly name: string;
  readonly atMs: number;
}

/** More than so many runs of one job on one day become one line. */
const SINGLE = 4;
/** Characters of `00:00 – 23:00`. */
const SPAN = 13;

export function calendarText(
  { runs, more }: { readonly runs: readonly Coming[]; readonly more: boolean },
  here: Reading,
): string {
  if (runs.length === 0) return 'No runs in this period.';
  const days = Map.groupBy(runs, ({ atMs }) => dayOf(atMs, here));
  return [
    `Times in ${here.zone}.`,
    ...[...days].flatMap(([day, coming]) => [`\n${day}`, ...dayLines(coming, here)]),
    ...(more ? [`\nMore runs after ${instant(runs.at(-1)!.atMs, here)}; use fewer --days.`] : []),
  ].join('\n');
}

function dayLines(coming: readonly Coming[], here: Reading): readonly string[] {
  const groups = [...Map.groupBy(coming, ({ jobId }) => jobId).values()].flatMap((runs) =>
    runs.length > SINGLE ? [runs] : runs.map((run) => [run]),
  );
  return groups.toSorted(([a], [b]) => a!.atMs - b!.atMs).map((runs) => line(runs, here));
}

function line(runs: readonly Coming[], here: Reading): string {
  const [first, last] = [runs[0]!, runs.at(-1)!];
  const often = runs.length > 1;
  const times = `${timeOf(first.atMs, here)}${often ? ` – ${timeOf(last.atMs, here)}` : ''}`;
  return (
    `  ${times.padEnd(SPAN)}  ${shortened(first.name)} (${shortId(first.jobId)})` + (often ? ` ×${runs.length}` : '')
  );
}

const dayOf = (at: number, { zone }: Reading): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .format(at)
    .replace(',', '');
const timeOf = (at: number, { zone }: Reading): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at);
