/** Formats jobs and runs as compact JSON for the model, with times in words. Pure. */
import { cut, errorResult, textResult, type ToolResult, present } from '../../../../sdk/index.ts';

/** A job as the gateway answers; another gateway may know less of it. */
interface Job {
  readonly id: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly when?: string;
  readonly schedule?: unknown;
  readonly nextRuns?: readonly string[];
  readonly nextRunsAtMs?: readonly number[];
  readonly sessionTarget?: string;
  readonly payload?: {
    readonly kind?: string;
    readonly text?: string;
    readonly message?: string;
    readonly deliver?: boolean;
    readonly channel?: string;
    readonly to?: string;
  };
  readonly state?: {
    readonly nextRunAtMs?: number;
    readonly runningAtMs?: number;
    readonly lastRunAtMs?: number;
    readonly lastStatus?: string;
    readonly lastError?: string;
    readonly disabledReason?: string;
  };
  readonly problem?: string;
}
interface Run {
  readonly runAtMs: number;
  readonly durationMs?: number;
  readonly status?: string;
  readonly error?: string;
  readonly summary?: string;
  readonly deliveryStatus?: string;
}

/** Characters of a text in a list. */
const SHOWN = 160;

/** The model reads `text`, everybody else `details`. */
export const jsonResult = (text: unknown, details: unknown): ToolResult => textResult(JSON.stringify(text), details);

/** `off`: nothing runs by itself on that gateway. */
export function reportJob(what: 'Planned' | 'Changed', answer: unknown, off = false): ToolResult {
  const job = answer as Job;
  const warning = off
    ? {
        warning:
          'The job is saved but will not run: cron is disabled on this gateway (cron.enabled is false). ' +
          'Tell the person; only they can enable it.',
      }
    : {};
  return jsonResult(
    {
      ok: true,
      done: what,
      ...warning,
      job: { ...facts(job), nextRunsAtMs: job.nextRunsAtMs, nextRuns: instants(job) },
    },
    { job },
  );
}

export function reportJobs(answer: unknown): ToolResult {
  const { jobs = [], total = jobs.length } = answer as { readonly jobs?: readonly Job[]; readonly total?: number };
  return jsonResult(
    {
      jobs: jobs.map((job) => ({ ...facts(job), next: instants(job)[0] })),
      ...present({ total: total > jobs.length ? total : undefined }),
    },
    answer,
  );
}

export const reportStatus = (answer: unknown): ToolResult => jsonResult(answer, answer);

export function reportRuns(answer: unknown): ToolResult {
  const { entries = [] } = answer as { readonly entries?: readonly Run[] };
  const runs = entries.map(({ runAtMs, durationMs, status, error, summary, deliveryStatus }) => ({
    at: iso(runAtMs),
    ms: durationMs,
    status,
    error: short(error),
    summary: short(summary),
    delivery: deliveryStatus,
  }));
  return jsonResult({ runs }, answer);
}

const WHY: Readonly<Record<string, string>> = {
  'already-running': 'it is already running',
  disabled: 'it is disabled',
  'not-due': 'it is not due',
};

export function reportStarted(id: string, answer: unknown): ToolResult {
  const { ran, reason = '' } = answer as { readonly ran?: boolean; readonly reason?: string };
  if (ran === false)
    return errorResult(`Job ${id} was not started: ${WHY[reason] ?? (reason || 'no reason was given')}.`, answer);
  return jsonResult(
    { ok: true, started: id, note: 'It runs in parallel to this turn; action "runs" shows the result.' },
    answer,
  );
}

const facts = ({ id, name, enabled, when, schedule, sessionTarget, payload, state, problem }: Job) => ({
  id,
  name,
  when: when ?? schedule,
  runsIn: sessionTarget,
  does: short(payload?.message ?? payload?.text),
  to: whereTo(payload),
  ...(enabled === false && { enabled, because: state?.disabledReason }),
  ...present({
    running: state?.runningAtMs !== undefined ? true : undefined,
    last:
      state?.lastStatus !== undefined
        ? { status: state.lastStatus, at: iso(state.lastRunAtMs), error: short(state.lastError) }
        : undefined,
  }),
  problem,
});

function whereTo({ kind, deliver, channel, to }: NonNullable<Job['payload']> = {}): string | undefined {
  if (kind !== 'agentTurn' || deliver === false || (!deliver && to === undefined)) return undefined;
  return [channel ?? 'last', to].filter(Boolean).join(' ');
}

const instants = ({ nextRuns, nextRunsAtMs, state }: Job): readonly (string | undefined)[] =>
  nextRuns ?? (nextRunsAtMs ?? (state?.nextRunAtMs === undefined ? [] : [state.nextRunAtMs])).map(iso);
const iso = (at: number | undefined): string | undefined =>
  at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();
const short = (text: string | undefined): string | undefined => (text === undefined ? undefined : cut(text, SHOWN));
