/**
 * Formats jobs, runs and times for the terminal. Text of jobs can come from anybody, so it is shown on one line with
 * special characters escaped. Pure.
 */
import { cut } from '../../../core/cut.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import type { WireCronJob, WireCronRun } from '../answers.ts';
import { listing } from '../../../cli/columns.ts';
import { ago, span } from '../../../cli/durations.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';

/** When it is, and where the reader is. */
export interface Reading {
  readonly now: number;
  /** IANA. */
  readonly zone: string;
}

/** Characters. */
const SHOWN = 48;
/** Enough of an id to name a job by. */
const ID_LENGTH = 8;

export const shortId = (id: string): string => visibleLine(id.length > 2 * ID_LENGTH ? id.slice(0, ID_LENGTH) : id);

export const shortened = (text: string, max = SHOWN): string => cut(visibleLine(text.trim().split('\n')[0]!), max);

/** `in 3 h`, `now`, `5 min ago`. */
export function relative(at: number, { now }: Pick<Reading, 'now'>): string {
  if (Math.abs(at - now) < 1000) return 'now';
  return at > now ? `in ${span(at - now)}` : ago(at, now);
}

/** `Thu 15 Jan 2026, 13:00`. */
export const instant = (at: number, { zone }: Pick<Reading, 'zone'>): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
    .format(at)
    .replace(',', '');

const both = (at: number, here: Reading): string => `${instant(at, here)} ${here.zone} (${relative(at, here)})`;

/** A schedule that names a zone is told by that clock, so that no line has two. */
const atClockOf = ({ zone }: Pick<WireCronJob, 'zone'>, here: Reading): Reading => ({
  ...here,
  zone: zone ?? here.zone,
});

export function jobsText(jobs: readonly WireCronJob[], here: Reading): string {
  return listing(
    ['id', 'name', 'when', 'next', 'last', 'runs in', 'answer to'],
    jobs.map((job) => jobRow(job, here)),
    `No jobs. Run \`${OWN_COMMAND} cron add --help\` for how to add one.`,
  );
}

const jobRow = (job: WireCronJob, here: Reading): readonly string[] => [
  shortId(job.id),
  shortened(job.name, 32),
  shortened(job.when),
  nextText(job, here),
  lastText(job, here),
  placeText(job),
  deliveryText(job),
];

/** It was to come once, and has. */
const isDone = (schedule: WireCronJob['schedule'], state: WireCronJob['state']): boolean =>
  schedule.kind === 'at' && state.lastRunAtMs !== undefined && state.disabledReason === undefined;

function nextText({ enabled, state, schedule, problem, nextRunsAtMs }: WireCronJob, here: Reading): string {
  if (problem !== undefined) return 'cannot run';
  if (state.runningAtMs !== undefined) return `running for ${span(here.now - state.runningAtMs)}`;
  if (!enabled) return isDone(schedule, state) ? 'done' : 'off';
  const next = state.nextRunAtMs ?? nextRunsAtMs[0];
  return next === undefined ? 'never' : relative(next, here);
}

const lastText = ({ state }: WireCronJob, here: Reading): string =>
  state.lastRunAtMs === undefined ? '-' : `${state.lastStatus ?? 'ran'} ${ago(state.lastRunAtMs, here.now)}`;
const placeText = ({ sessionTarget, agentId }: WireCronJob): string =>
  `${visibleLine(sessionTarget.replace(/^session:/, ''))}${agentId === undefined || sessionTarget.includes(`agent:${agentId}:`) ? '' : ` of ${visibleLine(agentId)}`}`;

function deliveryText({ delivery }: WireCronJob): string {
  if (!delivery || delivery.mode === 'none') return '-';
  return visibleLine(
    [delivery.channel ?? 'last', delivery.to, delivery.threadId && `thread ${delivery.threadId}`]
      .filter(Boolean)
      .join(' '),
  );
}

/** One job with everything a person would ask next. */
export function jobText(job: WireCronJob, reader: Reading): string {
  const { payload, state } = job;
  const here = atClockOf(job, reader);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['id', visibleLine(job.id)],
    ['when', visibleLine(job.when)],
    [
      'next',
      job.enabled
        ? job.nextRunsAtMs.map((at) => both(at, here)).join('\n') || 'never'
        : isDone(job.schedule, state)
          ? 'done'
          : `off${state.disabledReason ? `: ${visibleLine(state.disabledReason)}` : ''}`,
    ],
    ['problem', job.problem && visibleLine(job.problem)],
    [
      'last',
      state.lastRunAtMs === undefined
        ? undefined
        : `${state.lastStatus ?? 'ran'}, ` +
          `${both(state.lastRunAtMs, here)}${state.lastDurationMs === undefined ? '' : `, took ${took(state.lastDurationMs)}`}`,
    ],
    ['error', state.lastError && visibleLine(state.lastError)],
    ['running', state.runningAtMs === undefined ? undefined : `for ${span(here.now - state.runningAtMs)}`],
    ['runs in', placeText(job)],
    ['answer to', deliveryText(job)],
    ['missed', job.missed?.policy],
    ['model', payload.kind === 'agentTurn' && payload.model ? visibleLine(payload.model) : undefined],
    ['note', job.description && visibleLine(job.description)],
    [
      payload.kind === 'agentTurn' ? 'message' : 'text',
      (payload.kind === 'agentTurn' ? payload.message : payload.text).split('\n').map(visibleLine).join('\n'),
    ],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    shortened(job.name, 200),
    ...rows.flatMap(([label, value]) =>
      value ? value.split('\n').map((line, n) => `  ${(n === 0 ? label : '').padEnd(width)}  ${line}`) : [],
    ),
  ].join('\n');
}

/** What was understood, and when that is. */
export function plannedText(job: Pick<WireCronJob, 'when' | 'zone' | 'nextRunsAtMs'>, reader: Reading): string {
  const here = atClockOf(job, reader);
  const next = job.nextRunsAtMs.map((at) => `  ${both(at, here)}`);
  return [visibleLine(job.when), ...(next.length > 0 ? next : ['  never'])].join('\n');
}

export function runsText(entries: readonly WireCronRun[], here: Reading): string {
  const rows = entries.map((run) => [
    instant(run.runAtMs, here),
    shortened(run.jobName ?? shortId(run.jobId), 24),
    run.status,
    took(run.durationMs),
    SENT[run.deliveryStatus ?? 'not-requested'],
    triggerText(run),
    shortened(run.error ?? run.summary ?? '', 80),
  ]);
  return `${rows.length === 0 ? '' : `Times in ${here.zone}.\n`}${listing(['began', 'job', 'outcome', 'took', 'answer', 'why', 'what it said'], rows, 'No runs yet.')}`;
}

/** What became of the answer; most stay in their session. */
const SENT: Readonly<Record<NonNullable<WireCronRun['deliveryStatus']>, string>> = {
  delivered: 'sent',
  'not-delivered': 'not sent',
  unknown: 'on its way',
  'not-requested': '-',
};

const triggerText = ({ trigger, attempt }: WireCronRun): string => (attempt > 0 ? `${trigger} ${attempt}` : trigger);

/** Work of a machine is often done within the second. */
const took = (ms: number): string => (ms < 1000 ? `${ms} ms` : span(ms));
