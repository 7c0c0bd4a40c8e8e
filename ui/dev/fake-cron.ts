/**
 * The fake gateway's scheduled jobs, in every state, with coming runs and results. Schedules use the machine's clock.
 */
import { randomUUID } from 'node:crypto';

export type Params = Readonly<Record<string, unknown>>;
type Schedule =
  | { readonly kind: 'at'; readonly atMs: number }
  | { readonly kind: 'every'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly expr: string; readonly tz?: string };
export interface FakeJob {
  readonly id: string;
  name: string;
  enabled: boolean;
  schedule: Schedule;
  sessionTarget: string;
  wakeMode: string;
  payload: Params;
  state: Params;
  problem?: string;
  [field: string]: unknown;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const STORE = '~/.clawdbot/cron/jobs.json';
const refusal = (message: string, details?: unknown): Error =>
  Object.assign(new Error(message), { code: 'INVALID_REQUEST', details });

export class FakeCron {
  jobs: FakeJob[] = [];
  runs: Params[] = [];
  status: Params = { enabled: true };
  heartbeat: Params | null = null;
  /** The next change is refused with this. */
  refuse: { message: string; details?: unknown } | undefined;
  #broadcast: (event: string, payload: unknown) => void;

  constructor(broadcast: (event: string, payload: unknown) => void) {
    this.#broadcast = broadcast;
  }

  answer(method: string, params: Params): unknown {
    const id = String(params['jobId'] ?? params['id']);
    switch (method) {
      case 'last-heartbeat':
        return this.heartbeat;
      case 'agents.list':
        return {
          defaultId: 'main',
          mainKey: 'main',
          scope: 'per-sender',
          agents: [agent('main', 'Clawd'), agent('garden', 'Garden')],
        };
      case 'models.list':
        return { models: [model('anthropic/claude-sonnet-4-5'), model('anthropic/claude-opus-4-6')] };
      case 'cron.status':
        return this.#status();
      case 'cron.list':
        return this.#list(params);
      case 'cron.get':
        return view(this.#known(id));
      case 'cron.add':
        return this.#add(params);
      case 'cron.update':
        return this.#update(id, params['patch'] as Params);
      case 'cron.remove':
        return this.#remove(id);
      case 'cron.run':
        return this.#run(this.#known(id));
      case 'cron.runs':
        return this.#runs(id, Number(params['limit'] ?? 200));
      case 'cron.preview':
        return preview(params);
      case 'cron.calendar':
        return this.#calendar(params);
      default:
        return undefined;
    }
  }

  /** Ends the run under way, as time would. */
  finish(id: string, run: Params = {}): void {
    const job = this.#known(id);
    const now = Date.now();
    const entry = {
      ts: now,
      action: 'finished',
      jobId: id,
      status: 'ok',
      runAtMs: now - 4200,
      durationMs: 4200,
      slotMs: now - 4200,
      attempt: 0,
      trigger: 'manual',
      runId: `cron:${id}:${now}`,
      sessionKey: `agent:main:cron:${id}`,
      deliveryStatus: 'not-requested',
      ...run,
    };
    const { runningAtMs: _running, ...state } = job.state;
    job.state = { ...state, lastRunAtMs: entry.runAtMs, lastStatus: entry.status, lastDurationMs: entry.durationMs };
    this.runs.push(entry);
    this.#broadcast('cron', entry);
  }

  #status(): object {
    const due = this.jobs
      .filter(({ enabled, problem }) => enabled && !problem)
      .flatMap((job) => instants(job.schedule, Date.now(), 1))
      .toSorted((a, b) => a - b);
    return {
      storePath: STORE,
      jobs: this.jobs.length,
      enabledJobs: this.jobs.filter(({ enabled }) => enabled).length,
      running: this.jobs.filter(({ state }) => state['runningAtMs'] !== undefined).length,
      nextWakeAtMs: due[0] ?? null,
      zone: zone(),
      ...this.status,
    };
  }

  #list({ query = '', offset = 0, limit = 1000, includeDisabled = false }: Params): object {
    const found = this.jobs.filter(
      (job) =>
        (includeDisabled || job.enabled) &&
        JSON.stringify([job.name, job.payload, job.id]).toLowerCase().includes(String(query).toLowerCase()),
    );
    const due = (job: FakeJob): number =>
      job.enabled && !job.problem ? (instants(job.schedule, Date.now(), 1)[0] ?? Infinity) : Infinity;
    const sorted = found
      .map((job) => ({ job, at: due(job) }))
      .toSorted((a, b) => a.at - b.at || 0)
      .map(({ job }) => job);
    const [from, max] = [Number(offset), Number(limit)];
    return { jobs: sorted.slice(from, from + max).map(view), ...pageOf(found.length, from, max) };
  }

  /** The newest. */
  #runs(id: string, limit: number): object {
    const ofJob = this.runs.filter(({ jobId }) => jobId === id);
    return { entries: ofJob.slice(-limit), ...pageOf(ofJob.length, 0, limit) };
  }

  #known(id: string): FakeJob {
    const job = this.jobs.find((one) => one.id === id);
    if (!job) throw refusal(`There is no job "${id}"; cron.list names them.`);
    return job;
  }

  #refused(): void {
    const { refuse } = this;
    this.refuse = undefined;
    if (refuse) throw refusal(refuse.message, refuse.details);
  }

  #add(given: Params): object {
    this.#refused();
    const payload = given['payload'] as Params;
    const job = jobOf({
      ...given,
      schedule: read(given['schedule']),
      name: String(given['name'] ?? payload['message'] ?? payload['text']).slice(0, 60),
      payload,
    } as Partial<FakeJob>);
    this.jobs.push(job);
    this.#broadcast('cron', { action: 'added', jobId: job.id });
    return view(job);
  }

  #update(id: string, { schedule, payload, ...patch }: Params): object {
    this.#refused();
    const job = this.#known(id);
    Object.assign(
      job,
      patch,
      schedule === undefined ? {} : { schedule: read(schedule) },
      payload === undefined ? {} : { payload: { ...job.payload, ...(payload as Params) } },
    );
    this.#broadcast('cron', { action: 'updated', jobId: id });
    return view(job);
  }

  #remove(id: string): object {
    this.#known(id);
    this.jobs = this.jobs.filter((job) => job.id !== id);
    this.#broadcast('cron', { action: 'removed', jobId: id });
    return { ok: true, removed: true };
  }

  #run(job: FakeJob): object {
    if (job.state['runningAtMs'] !== undefined)
      return { ok: true, ran: false, enqueued: false, reason: 'already-running' };
    job.state = { ...job.state, runningAtMs: Date.now() };
    this.#broadcast('cron', { action: 'started', jobId: job.id, runAtMs: Date.now() });
    return { ok: true, ran: true, enqueued: true };
  }

  #calendar({ fromMs, toMs, limit = 500 }: Params): object {
    const max = Number(limit);
    const runs = this.jobs
      .filter(({ enabled, problem }) => enabled && !problem)
      .flatMap(({ id, name, schedule }) =>
        instants(schedule, Number(fromMs) - 1, max + 1, Number(toMs)).map((atMs) => ({ jobId: id, name, atMs })),
      );
    return {
      fromMs: Number(fromMs),
      toMs: Number(toMs),
      runs: runs.toSorted((a, b) => a.atMs - b.atMs).slice(0, max),
      more: runs.length > max,
    };
  }
}

const agent = (id: string, name: string): object => ({
  id,
  name,
  workspace: `~/${id}`,
  model: { primary: 'anthropic/claude-sonnet-4-5' },
});

const model = (id: string): object => ({ id, name: id, provider: id.split('/')[0] });

const pageOf = (total: number, offset: number, limit: number): object => ({
  total,
  offset,
  limit,
  hasMore: offset + limit < total,
  nextOffset: offset + limit < total ? offset + limit : null,
});

export function jobOf(given: Partial<FakeJob>): FakeJob {
  const now = Date.now();
  return {
    id: randomUUID(),
    name: 'Job',
    enabled: true,
    createdAtMs: now,
    updatedAtMs: now,
    sessionTarget: 'isolated',
    wakeMode: 'next-heartbeat',
    payload: { kind: 'agentTurn', message: '' },
    ...given,
    schedule: given.schedule!,
    state: given.state ?? {},
  };
}

const view = (job: FakeJob): object => ({
  ...job,
  when: inWords(job.schedule),
  zone: zone(),
  nextRunsAtMs: job.enabled && !job.problem ? instants(job.schedule, Date.now(), 3) : [],
  configRevision: '1',
});

/** Knows five fields with numbers, lists, ranges and steps: enough to look at. */
function instants(schedule: Schedule, afterMs: number, max: number, untilMs = afterMs + 370 * DAY): number[] {
  if (schedule.kind === 'at') return schedule.atMs > afterMs && schedule.atMs <= untilMs ? [schedule.atMs] : [];
  const step = schedule.kind === 'every' ? schedule.everyMs : MINUTE;
  const found: number[] = [];
  const fields = schedule.kind === 'cron' ? schedule.expr.split(' ').map(numbersOf) : undefined;
  for (let at = Math.floor(afterMs / step) * step + step; at <= untilMs && found.length < max; at += step) {
    if (!fields) found.push(at);
    else {
      const date = new Date(at);
      const [minutes, hours, days, months, weekdays] = fields as [Numbers, Numbers, Numbers, Numbers, Numbers];
      if (!days.has(date.getDate()) || !months.has(date.getMonth() + 1) || !weekdays.has(date.getDay()))
        at = Math.max(at, new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - MINUTE);
      else if (!hours.has(date.getHours())) at += (59 - date.getMinutes()) * MINUTE;
      else if (minutes.has(date.getMinutes())) found.push(at);
    }
  }
  return found;
}

type Numbers = ReadonlySet<number>;
/** Those below 60 that a field names. */
const numbersOf = (field: string): Numbers =>
  new Set(
    field.split(',').flatMap((part) => {
      const [range, step = '1'] = part.split('/');
      const [from, to = from] = range === '*' ? ['0', '59'] : range!.split('-');
      const all = Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
      return all.filter((_, index) => index % Number(step) === 0);
    }),
  );

const WORDS: Readonly<Record<string, string>> = {
  '0 7 * * 1-5': 'every weekday at 07:00',
  '*/30 * * * *': 'every 30 minutes',
  '0 9,18 * * *': 'every day at 09:00 and 18:00',
  '0 18 * * 5': 'every Friday at 18:00',
  '0 9 1 * *': 'on the 1st of every month at 09:00',
  '* * * * *': 'every minute',
  '0 22 * * *': 'every day at 22:00',
};
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function inWords(schedule: Schedule): string {
  if (schedule.kind === 'at')
    return `once, ${new Date(schedule.atMs).toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' })} (${zone()})`;
  if (schedule.kind === 'every')
    return schedule.everyMs % HOUR === 0
      ? `every ${schedule.everyMs / HOUR} hours`
      : `every ${schedule.everyMs / MINUTE} minutes`;
  return `${WORDS[schedule.expr] ?? schedule.expr} (${schedule.tz ?? zone()})`;
}

/** The phrases the page offers, and expressions. */
function read(written: unknown): Schedule {
  if (typeof written === 'object' && written !== null) return written as Schedule;
  const text = String(written).trim().toLowerCase();
  const soon = /^in (\d+) minutes?$/.exec(text);
  if (soon) return { kind: 'at', atMs: Date.now() + Number(soon[1]) * MINUTE };
  const every = /^every (\d+) (minutes?|hours?)$/.exec(text);
  if (every) return { kind: 'every', everyMs: Number(every[1]) * (every[2]!.startsWith('h') ? HOUR : MINUTE) };
  const weekday = /^every weekday at (\d+)(?::(\d+))?$/.exec(text);
  if (weekday) return { kind: 'cron', expr: `${Number(weekday[2] ?? 0)} ${weekday[1]} * * 1-5` };
  const tomorrow = /^tomorrow (\d+):(\d+)$/.exec(text);
  if (tomorrow)
    return {
      kind: 'at',
      atMs: new Date(
        new Date().getFullYear(),
        new Date().getMonth(),
        new Date().getDate() + 1,
        Number(tomorrow[1]),
        Number(tomorrow[2]),
      ).getTime(),
    };
  if (/^[\d*,/-]+( [\d*,/-]+){4}$/.test(text)) return { kind: 'cron', expr: text };
  throw refusal(
    `schedule: “${String(written).slice(0, 80)}” is no time I can read. Write for example “every weekday at 7:00” or “tomorrow 9:00”.`,
    { field: 'schedule' },
  );
}

function preview({ schedule, count = 3 }: Params): object {
  const known = read(schedule);
  return {
    schedule: known,
    when: inWords(known),
    zone: zone(),
    nextRunsAtMs: instants(known, Date.now(), Number(count)),
  };
}
