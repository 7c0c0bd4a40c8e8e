/** Lists jobs for clients: one, a page of the list, and coming runs. Read-only: it changes no due time. */
import { AppError } from '../../core/errors.ts';
import { isPlainObject } from '../../config/paths.ts';
import type { CronInstant, CronJob, CronJobView, CronListFilter } from './cron-job.ts';
import { present } from '../../core/present.ts';
import { inSteps } from '../../platform/in-steps.ts';
import { staggerOf } from './scheduler/due.ts';
import type { Schedules } from './schedule/schedules.ts';
import { isGood, stateOf, type BadEntry, type Entry, type JobEntry, type StoredJob } from './store/entry.ts';

export interface ShowDeps {
  readonly entries: ReadonlyMap<string, Entry>;
  schedules(): Schedules;
  problemOf(job: CronJob): string | undefined;
  now(): number;
}

/** Longer pages show one coming instant of each job. */
const SHORT_PAGE = 50;
/** Shown of a job on its own. */
export const INSTANTS_SHOWN = 3;

export function showJob(entry: Entry, instants: number, deps: ShowDeps): CronJobView {
  if (!isGood(entry)) return showBad(entry, deps);
  const job: CronJob = { ...entry.job, state: stateOf(entry) };
  const problem = deps.problemOf(job);
  const { inWords, zoneFor } = deps.schedules();
  return {
    ...job,
    when: inWords(job.schedule),
    zone: zoneFor(job.schedule),
    nextRunsAtMs: nextInstants(entry, instants, deps),
    ...present({ problem }),
  };
}

function nextInstants(entry: JobEntry, count: number, deps: ShowDeps): number[] {
  const { job, dueAtMs } = entry;
  if (!job.enabled || dueAtMs === undefined) return [];
  const instants = [dueAtMs];
  const stagger = staggerOf(job);
  for (let slot: number | undefined = Math.max(entry.slotMs, deps.now() - stagger); instants.length < count; ) {
    slot = deps.schedules().next(job.schedule, slot, job.createdAtMs);
    if (slot === undefined) break;
    if (slot + stagger > dueAtMs) instants.push(slot + stagger);
  }
  return instants;
}

/** As much of it as can be shown without believing it. */
function showBad({ id, raw, problem, job }: BadEntry, { schedules }: ShowDeps): CronJobView {
  const written = isPlainObject(raw) ? raw : {};
  const fallback: StoredJob = {
    id,
    name: typeof written['name'] === 'string' ? written['name'].slice(0, 200) : id,
    enabled: written['enabled'] !== false,
    createdAtMs: 0,
    updatedAtMs: 0,
    schedule: { kind: 'cron', expr: '' },
    sessionTarget: 'isolated',
    wakeMode: 'next-heartbeat',
    payload: { kind: 'systemEvent', text: '' },
  };
  return {
    ...(job ?? fallback),
    id,
    state: {},
    when: job ? wordsOf(job, schedules()) : 'cannot be read',
    nextRunsAtMs: [],
    problem,
  };
}

/** A schedule that cannot be kept may be one that cannot be put into words either. */
function wordsOf({ schedule }: StoredJob, schedules: Schedules): string {
  try {
    schedules.check(schedule);
    return schedules.inWords(schedule);
  } catch (error) {
    if (!(error instanceof AppError || error instanceof RangeError)) throw error;
    return 'cannot be read'; // the job's problem says why
  }
}

const SORTS: Readonly<Record<NonNullable<CronListFilter['sortBy']>, (a: Entry, b: Entry) => number>> = {
  nextRunAtMs: (a, b) => dueIn(a) - dueIn(b),
  updatedAtMs: (a, b) => (a.job?.updatedAtMs ?? 0) - (b.job?.updatedAtMs ?? 0),
  name: (a, b) => compare(a.job?.name ?? a.id, b.job?.name ?? b.id),
};
/** What does not run comes last. Not infinite: the difference of two has to be a number. */
const dueIn = (entry: Entry): number => (isGood(entry) ? entry.dueAtMs : undefined) ?? Number.MAX_SAFE_INTEGER;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export async function listJobs(
  filter: CronListFilter,
  deps: ShowDeps,
): Promise<{ readonly jobs: CronJobView[]; readonly total: number }> {
  const { sortBy = 'nextRunAtMs', sortDir, limit = Infinity, offset = 0 } = filter;
  const found: Entry[] = [];
  for await (const entry of inSteps([...deps.entries.values()])) if (isWanted(entry, filter)) found.push(entry);
  const sign = sortDir === 'desc' ? -1 : 1;
  found.sort((a, b) => sign * SORTS[sortBy](a, b) || compare(a.id, b.id));
  const page = found.slice(offset, offset + limit);
  const jobs: CronJobView[] = [];
  for await (const entry of inSteps(page))
    jobs.push(showJob(entry, page.length <= SHORT_PAGE ? INSTANTS_SHOWN : 1, deps));
  return { jobs, total: found.length };
}

/** What cannot run is always shown, unless it is somebody else's. */
function isWanted(entry: Entry, { includeDisabled, agentId, ownerSessionKey, query }: CronListFilter): boolean {
  const { job } = entry;
  if (isGood(entry) && !entry.job.enabled && !includeDisabled) return false;
  if (agentId !== undefined && job?.agentId !== agentId) return false;
  if (ownerSessionKey !== undefined && job?.owner?.sessionKey !== ownerSessionKey) return false;
  const words = query?.trim().toLowerCase();
  return (
    !words ||
    [
      entry.id,
      job?.name,
      job?.description,
      job && (job.payload.kind === 'systemEvent' ? job.payload.text : job.payload.message),
    ].some((text) => text?.toLowerCase().includes(words))
  );
}

/**
 * What is to come between two instants, in order of time. Each job's next instant is found only when the one before was
 * given.
 */
export async function calendarOf(
  { fromMs, toMs, limit }: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
  deps: ShowDeps,
): Promise<{ readonly runs: CronInstant[]; readonly more: boolean }> {
  const first = Math.max(fromMs, deps.now());
  const coming: { readonly entry: JobEntry; atMs: number }[] = [];
  for await (const entry of inSteps([...deps.entries.values()])) {
    const atMs = isGood(entry) ? firstFrom(entry, first, deps) : undefined;
    if (atMs !== undefined && atMs <= toMs) coming.push({ entry: entry as JobEntry, atMs });
  }
  coming.sort((a, b) => a.atMs - b.atMs);
  const runs: CronInstant[] = [];
  for await (const _ of inSteps(Array.from({ length: limit }))) {
    const soonest = coming[0];
    if (!soonest) break;
    runs.push({ jobId: soonest.entry.id, name: soonest.entry.job.name, atMs: soonest.atMs });
    coming.shift();
    const atMs = firstFrom(soonest.entry, soonest.atMs + 1, deps);
    if (atMs !== undefined && atMs <= toMs) insert(coming, { entry: soonest.entry, atMs });
  }
  return { runs, more: coming.length > 0 };
}

/** The first instant not before `fromMs`. */
function firstFrom({ job, dueAtMs, slotMs }: JobEntry, fromMs: number, deps: ShowDeps): number | undefined {
  if (!job.enabled || dueAtMs === undefined || dueAtMs >= fromMs) return job.enabled ? dueAtMs : undefined;
  const stagger = staggerOf(job);
  const slot = deps.schedules().next(job.schedule, Math.max(slotMs, fromMs - 1 - stagger), job.createdAtMs);
  return slot === undefined ? undefined : slot + stagger;
}

/** Keeps the list in order. */
function insert<T extends { readonly atMs: number }>(list: T[], item: T): void {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.atMs <= item.atMs) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, item);
}
