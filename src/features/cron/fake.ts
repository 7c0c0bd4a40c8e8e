/**
 * The cron service in memory: jobs of a few plain spellings, instants that can be counted on, runs that tests put
 * there.
 */
import type { CronJob, CronJobView, CronListFilter, CronNews, CronPayload, CronSchedule } from './cron-job.ts';
import type { CronRun } from './ledger-rows.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { CronService } from './cron-service.ts';

export interface FakeCron extends CronService {
  /** Every job there is, as it is kept. */
  readonly jobs: Map<string, CronJob>;
  readonly listeners: Set<(news: CronNews) => void>;
  /** Puts one there as it is. */
  put(job: Partial<CronJob> & { readonly id: string }): CronJob;
  /** Puts a run into the ledger; ended ones are told to those who listen. */
  ran(run: Partial<CronRun> & { readonly jobId: string }): CronRun;
  /** What `add`, `update` and `run` were asked, in order. */
  readonly asked: { readonly method: 'add' | 'update' | 'run'; readonly params: readonly unknown[] }[];
}

/** Thursday 15 January 2026, 12:00 UTC: now, as far as the fake knows. */
export const FAKE_NOW = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;

type Fields = Record<string, unknown>;

export function createFakeCron(): FakeCron {
  const jobs = new Map<string, CronJob>();
  const runs: CronRun[] = [];
  const listeners = new Set<(news: CronNews) => void>();
  const asked: FakeCron['asked'] = [];
  const notify = (news: CronNews): void => listeners.forEach((listener) => listener(news));
  const keep = (job: CronJob): CronJob => {
    const next = instantsOf(job.schedule, 1)[0];
    const { nextRunAtMs: _, ...state } = job.state;
    const kept = {
      ...job,
      state: { ...state, ...present({ nextRunAtMs: job.enabled && next !== undefined ? next : undefined }) },
    };
    jobs.set(job.id, kept);
    return kept;
  };
  const mustHave = (id: string): CronJob => {
    const job = jobs.get(id);
    if (!job) throw new AppError('not_found', `Unknown job ${id}.`);
    return job;
  };

  return {
    jobs,
    listeners,
    asked,
    put: (job) =>
      keep({
        name: job.id,
        enabled: true,
        createdAtMs: FAKE_NOW,
        updatedAtMs: FAKE_NOW,
        schedule: { kind: 'every', everyMs: HOUR_MS },
        sessionTarget: 'main',
        wakeMode: 'now',
        payload: { kind: 'systemEvent', text: 'tick' },
        state: {},
        ...job,
      }),
    ran(run) {
      const row: CronRun = {
        slotMs: FAKE_NOW,
        attempt: 0,
        trigger: 'schedule',
        state: 'ok',
        startedAtMs: FAKE_NOW,
        endedAtMs: FAKE_NOW + 1500,
        ...run,
      };
      runs.push(row);
      if (row.state === 'running') notify({ action: 'started', jobId: row.jobId, runAtMs: row.startedAtMs });
      else notify({ action: 'finished', jobId: row.jobId, runAtMs: row.startedAtMs, run: row });
      return row;
    },
    status: async () => ({
      enabled: true,
      zone: 'Europe/Berlin',
      storePath: '/fake/cron/jobs.json',
      jobs: jobs.size,
      enabledJobs: [...jobs.values()].filter(({ enabled }) => enabled).length,
      running: 0,
      nextWakeAtMs: [...jobs.values()].flatMap(({ state }) => state.nextRunAtMs ?? []).sort((a, b) => a - b)[0] ?? null,
    }),
    list: async (filter = {}) => page([...jobs.values()].filter(fits(filter)).sort(by(filter)).map(view), filter),
    get: (id) => {
      const job = jobs.get(id);
      return job && view(job);
    },
    async add(job, by = {}) {
      asked.push({ method: 'add', params: [job, by] });
      const fields = whole(job);
      const made = keep({
        id: `job-${jobs.size + 1}`,
        createdAtMs: FAKE_NOW,
        updatedAtMs: FAKE_NOW,
        state: {},
        ...normal(fields),
        ...present({ agentId: !('agentId' in fields) && by.agentId ? by.agentId : undefined, owner: by.owner }),
      } as CronJob);
      notify({ action: 'added', jobId: made.id });
      return view(made);
    },
    async update(id, patch) {
      asked.push({ method: 'update', params: [id, patch] });
      const before = mustHave(id);
      const fields = whole(patch);
      const payload = fields['payload'] as Fields | undefined;
      const made = keep({
        ...before,
        ...normal({
          ...before,
          ...fields,
          ...present({
            payload: payload
              ? payload['kind'] === undefined || payload['kind'] === before.payload.kind
                ? { ...before.payload, ...payload }
                : payload
              : undefined,
          }),
        }),
        updatedAtMs: before.updatedAtMs + 1,
      } as CronJob);
      notify({ action: 'updated', jobId: id });
      return view(made);
    },
    async remove(id) {
      const removed = jobs.delete(id);
      if (removed) notify({ action: 'removed', jobId: id });
      return { removed };
    },
    async run(id, mode) {
      asked.push({ method: 'run', params: [id, mode] });
      mustHave(id);
      return mode === 'due' ? { ran: false, reason: 'not-due' } : { ran: true, runId: `cron:${id}:${FAKE_NOW}` };
    },
    async runs({ jobId, limit, offset = 0, status }) {
      const fitting = runs.filter(
        (run) => (jobId === undefined || run.jobId === jobId) && (status === undefined || run.state === status),
      );
      const end = Math.max(0, fitting.length - offset);
      return { runs: fitting.slice(Math.max(0, end - limit), end), total: fitting.length };
    },
    async preview(written, count) {
      const schedule = scheduleOf(written);
      return { schedule, when: inWords(schedule), zone: 'UTC', nextRunsAtMs: instantsOf(schedule, count) };
    },
    async calendar({ fromMs, toMs, limit }) {
      const all = [...jobs.values()]
        .filter(({ enabled }) => enabled)
        .flatMap(({ id, name, schedule }) =>
          instantsOf(schedule, 1000)
            .filter((at) => at > fromMs && at <= toMs)
            .map((atMs) => ({ jobId: id, name, atMs })),
        );
      return { runs: all.sort((a, b) => a.atMs - b.atMs).slice(0, limit), more: all.length > limit };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const view = (job: CronJob): CronJobView => ({
  ...job,
  when: inWords(job.schedule),
  zone: 'UTC',
  nextRunsAtMs: job.enabled ? instantsOf(job.schedule, 3) : [],
});

function whole(given: unknown): Fields {
  if (typeof given !== 'object' || given === null) throw new AppError('invalid', 'job: expected an object');
  const fields = given as Fields;
  return (fields['job'] ?? fields['data'] ?? fields) as Fields;
}

function normal(fields: Fields): Partial<CronJob> {
  const payload = payloadOf(fields['payload'] as Fields | undefined);
  const {
    sessionTarget = payload.kind === 'systemEvent' ? 'main' : 'isolated',
    agentId,
    ...rest
  } = fields as Partial<CronJob> & Fields;
  if (sessionTarget === 'main' && payload.kind !== 'systemEvent')
    throw new AppError('invalid', 'main cron jobs require payload.kind="systemEvent"');
  if (sessionTarget === 'isolated' && payload.kind !== 'agentTurn')
    throw new AppError('invalid', 'isolated cron jobs require payload.kind="agentTurn"');
  return {
    wakeMode: 'next-heartbeat',
    enabled: true,
    name: (payload.kind === 'agentTurn' ? payload.message : payload.text).slice(0, 60),
    ...rest,
    ...present({ agentId: typeof agentId === 'string' ? agentId : undefined }),
    payload,
    sessionTarget,
    schedule: scheduleOf(fields['schedule']),
  };
}

function payloadOf(written: Fields | undefined): CronPayload {
  if (!written) throw new AppError('invalid', 'payload: is required');
  const { provider, ...payload } = {
    kind: written['message'] === undefined ? 'systemEvent' : 'agentTurn',
    ...written,
  } as Fields;
  const channel = payload['channel'] ?? provider;
  const all = { ...payload, ...present({ channel: typeof channel === 'string' ? channel.toLowerCase() : undefined }) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as unknown as CronPayload;
}

/** `every 20 minutes` and `in 20 minutes` are all the words it knows. */
function scheduleOf(written: unknown): CronSchedule {
  if (typeof written === 'string') {
    const [, how, minutes] = /^(every|in) (\d+) minutes$/.exec(written) ?? [];
    if (how)
      return how === 'every'
        ? { kind: 'every', everyMs: Number(minutes) * 60_000 }
        : { kind: 'at', atMs: FAKE_NOW + Number(minutes) * 60_000 };
    if (/^[\d*]/.test(written)) return { kind: 'cron', expr: written };
    throw new AppError('invalid', `schedule: cannot read ${JSON.stringify(written)}`);
  }
  const { kind, at, atMs, every, everyMs, expr, cron, tz, ...more } = (written ?? {}) as Fields;
  if (typeof every === 'string') return scheduleOf(`every ${every.replace(/^(\d+)m$/, '$1 minutes')}`);
  if (at !== undefined || atMs !== undefined) return { kind: 'at', atMs: Number(atMs) || Date.parse(String(at)) };
  if (everyMs !== undefined) return { kind: 'every', everyMs: Number(everyMs) };
  const pattern = expr ?? cron;
  if (pattern !== undefined)
    return {
      kind: 'cron',
      expr: String(pattern),
      ...present({ tz: typeof tz === 'string' ? tz : undefined }),
      ...more,
    };
  throw new AppError('invalid', `schedule: is required (${String(kind)})`);
}

const inWords = (schedule: CronSchedule): string => {
  if (schedule.kind === 'at')
    return `once, ${Math.abs(schedule.atMs) <= 8.64e15 ? new Date(schedule.atMs).toISOString() : 'never'}`;
  return schedule.kind === 'every'
    ? `every ${schedule.everyMs / 60_000} minutes`
    : `${schedule.expr}${schedule.tz ? ` (${schedule.tz})` : ''}`;
};

/** A pattern comes every hour, whatever it says; six fields: every second. */
function instantsOf(schedule: CronSchedule, count: number): readonly number[] {
  if (schedule.kind === 'at') return schedule.atMs > FAKE_NOW ? [schedule.atMs] : [];
  const period = schedule.kind === 'every' ? schedule.everyMs : schedule.expr.split(' ').length === 6 ? 1000 : HOUR_MS;
  return Array.from({ length: count }, (_, at) => FAKE_NOW + (at + 1) * period);
}

const fits =
  ({ includeDisabled = false, agentId, ownerSessionKey, query }: CronListFilter) =>
  (job: CronJob): boolean =>
    (includeDisabled || job.enabled) &&
    (agentId === undefined || job.agentId === agentId) &&
    (ownerSessionKey === undefined || job.owner?.sessionKey === ownerSessionKey) &&
    (!query ||
      `${job.id} ${job.name} ${job.description ?? ''} ${JSON.stringify(job.payload)}`
        .toLowerCase()
        .includes(query.toLowerCase()));

const by =
  ({ sortBy = 'nextRunAtMs', sortDir = 'asc' }: CronListFilter) =>
  (a: CronJob, b: CronJob): number => {
    const order =
      sortBy === 'name'
        ? a.name.localeCompare(b.name)
        : sortBy === 'updatedAtMs'
          ? a.updatedAtMs - b.updatedAtMs
          : (a.state.nextRunAtMs ?? Infinity) - (b.state.nextRunAtMs ?? Infinity) || 0;
    return sortDir === 'desc' ? -order : order;
  };

const page = (all: readonly CronJobView[], { limit, offset = 0 }: CronListFilter) => ({
  jobs: all.slice(offset, limit === undefined ? undefined : offset + limit),
  total: all.length,
});
