/** The state of the scheduler, its events and effects. Plain data. */
import type { CronNews, CronOutcome } from '../cron-job.ts';
import type { CronRun } from '../ledger-rows.ts';
import type { CronFacts, JobEntry } from '../store/entry.ts';
import type { MissedRules } from './due.ts';
import type { Ranked, RankedMap } from './ranked-map.ts';

/** What the configuration says. */
export interface SchedulerSettings {
  /** Whether anything runs by itself. */
  readonly enabled: boolean;
  /** Jobs that run by themselves at the same time. */
  readonly maxRuns: number;
  /** What holds for jobs that say nothing about missed occurrences themselves. */
  readonly missed: MissedRules;
}

/** A job that is due and waits for a place. Its rank is when it was due. */
export interface Waiting extends Ranked {
  /** When it was seen to be due: what comes due while it waits was not missed. */
  readonly noticedMs: number;
}

export interface SchedulerState {
  readonly phase: 'new' | 'started' | 'stopped';
  readonly settings: SchedulerSettings;
  /** Runs of an earlier instance were looked for: from now on what runs is ours. */
  readonly resumed: boolean;
  /** Jobs by when there is something to do about them. */
  readonly due: RankedMap;
  readonly waiting: RankedMap<Waiting>;
  /** Jobs whose turn was asked for, and when they were seen to be due. Each has a place. */
  readonly turns: ReadonlyMap<string, number>;
  /** Claimed and not ended, by job: never two of one. */
  readonly running: ReadonlyMap<string, CronRun>;
  /** Jobs with a run of an earlier instance that waits until the one that is going on has ended. */
  readonly leftOver: ReadonlySet<string>;
  /** When a job's last run ended: what came due until then was not missed by anybody's absence. */
  readonly busyUntil: RankedMap;
  /** Jobs not to be looked at before: those with something to catch up, and those the ledger could not take. */
  readonly heldUntil: RankedMap;
  /** When the next job may catch up: they do not all begin together. */
  readonly catchUpMs: number;
  /** The clock at the last tick; a clock that shows less was set back. */
  readonly lastTickMs: number;
  /** When the timer fires; infinite: none is set. */
  readonly timerMs: number;
}

/** The job an event is about as it stands in its turn; undefined: it is gone or cannot be read. */
interface OfJob {
  readonly entry: JobEntry | undefined;
}

/** What happened; `nowMs` is the clock on the wall. */
export type SchedulerEvent = SchedulerInput & { readonly nowMs: number };

export type SchedulerInput =
  | { readonly type: 'started' | 'configured'; readonly settings: SchedulerSettings }
  | { readonly type: 'stopped' }
  /** A job was loaded, made, changed, or moved on; `dueMs`: when there is something to do about it. */
  | { readonly type: 'jobReckoned'; readonly jobId: string; readonly dueMs: number | undefined }
  | { readonly type: 'jobGone'; readonly jobId: string }
  | { readonly type: 'ticked' }
  /** Nothing else happens to the job until the effects of this event are done. */
  | ({ readonly type: 'turnCame'; readonly jobId: string } & OfJob)
  /** `failed`: the ledger could not be written. */
  | { readonly type: 'turnEnded'; readonly jobId: string; readonly failed: boolean }
  /** Somebody asks for a run in the job's turn. `force`: outside the schedule; `due`: the occurrence that is due. */
  | { readonly type: 'runAsked'; readonly mode: 'due' | 'force'; readonly entry: JobEntry }
  /** `won`: nobody had claimed this attempt at this occurrence before. */
  | ({ readonly type: 'claimed'; readonly run: CronRun; readonly won: boolean } & OfJob)
  /** A run of an earlier instance that has no end. */
  | ({ readonly type: 'runFound'; readonly run: CronRun } & OfJob)
  | ({ readonly type: 'runEnded'; readonly run: CronRun; readonly outcome: CronOutcome } & OfJob)
  /** A row is in the ledger, with what it means for its job. */
  | ({ readonly type: 'recorded'; readonly row: CronRun; readonly change: JobChange } & OfJob)
  /** The end of its run is written, or left to the next instance. */
  | { readonly type: 'jobFreed'; readonly jobId: string }
  | { readonly type: 'notified'; readonly noticeId: string; readonly entry: JobEntry };

/** What a row means for its job: it goes on, is switched off, or is removed. */
export type JobChange = 'none' | 'off' | 'removed';

/** How far a job is. */
export interface Progress {
  readonly slotMs: number;
  readonly facts: CronFacts;
}

/** What is to be done, in this order. */
export type SchedulerEffect =
  /** Undefined: no timer. It replaces the one before. */
  | { readonly type: 'setTimer'; readonly atMs: number | undefined }
  /** Calls `turnCame` when nothing else happens to the job, and `turnEnded` afterwards. */
  | { readonly type: 'takeTurn'; readonly jobId: string }
  /** Writes run, progress and skipped row together; calls `claimed`. */
  | {
      readonly type: 'claim';
      readonly run: CronRun;
      /** Absent: the run stands outside the schedule. */
      readonly progress?: Progress;
      readonly skipped?: CronRun;
    }
  | { readonly type: 'startRun'; readonly run: CronRun }
  /** Calls `runFound` in the job's turn for every run of it that has no end. */
  | { readonly type: 'resume'; readonly jobId: string }
  /**
   * Writes a row with what it means for its job; calls `recorded`. `as`: the end of a run, or occurrences nobody runs.
   * Without progress the job is gone already.
   */
  | {
      readonly type: 'record';
      readonly row: CronRun;
      readonly as: 'ended' | 'skipped';
      readonly change: JobChange;
      readonly progress?: Progress;
    }
  /** Calls `jobReckoned` or `jobGone`. */
  | { readonly type: 'reckon'; readonly jobId: string }
  /** The same for all jobs; `resume`: calls `runFound` for every run that has no end first. */
  | { readonly type: 'reckonAll'; readonly resume: boolean }
  | { readonly type: 'announce'; readonly news: CronNews }
  /** Tells the owner of the job; calls `notified` in the job's turn. */
  | { readonly type: 'notify'; readonly jobId: string; readonly notice: NonNullable<CronFacts['notice']> }
  | { readonly type: 'keepFacts'; readonly jobId: string; readonly facts: CronFacts }
  | { readonly type: 'warn'; readonly event: string; readonly fields: Readonly<Record<string, unknown>> };

export type SchedulerStep = readonly [state: SchedulerState, effects: readonly SchedulerEffect[]];

/** Before the jobs are read. */
export const newScheduler = (settings: SchedulerSettings, nowMs: number): SchedulerState => ({
  phase: 'new',
  settings,
  resumed: false,
  due: undefined,
  waiting: undefined,
  turns: new Map(),
  running: new Map(),
  leftOver: new Set(),
  busyUntil: undefined,
  heldUntil: undefined,
  catchUpMs: 0,
  lastTickMs: nowMs,
  timerMs: Infinity,
});

/** Whether anything runs by itself. */
export const isActive = ({ phase, settings }: SchedulerState): boolean => phase === 'started' && settings.enabled;
