/**
 * The jobs in memory: every change is in the ledger before it counts, in `jobs.json` soon after, and what people change
 * in the file is taken up.
 */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { writeFileAtomic } from '../../../platform/files.ts';
import { inSteps } from '../../../platform/in-steps.ts';
import { byExpression } from '../by-expression.ts';
import type { KeyedQueue } from '../../../platform/keyed-queue.ts';
import type { KeptJob } from '../job/read-job.ts';
import { idOf } from '../job/read-job.ts';
import type { CronChange, CronCursor, CronLedger, JobRedo } from '../ledger.ts';
import { cursorOf, fileJob, firstSlot, isGood, planOf, type Entry, type JobEntry, type StoredJob } from './entry.ts';
import { formatJobs, stampOf, type Head } from './jobs-file.ts';
import { readGood, type ReadFile } from './read-file.ts';
import { entryFor } from './restore.ts';

export interface JobStoreDeps {
  /** Absolute path of `jobs.json`. */
  readonly path: string;
  readonly ledger: CronLedger;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobQueue: Pick<KeyedQueue, 'run'>;
  /** What the file holds, as a job. */
  read(raw: unknown): Promise<KeptJob>;
  /** Told of every job that came, changed or went because somebody edited the file. */
  adopted(id: string, what: 'added' | 'updated' | 'removed'): void;
}

export interface JobStore {
  readonly entries: ReadonlyMap<string, Entry>;
  /** What is wrong with the file, and what to do. */
  readonly problem: string | undefined;
  /** Reads the file, or what is left of it, and everything newer in the ledger. */
  load(): Promise<void>;
  /** Takes up what people changed in the file since. */
  look(): Promise<void>;
  /** Throws `conflict` while the file cannot be read. */
  refuseWhileBroken(): void;
  /**
   * What the job is from now on, null: gone; durable when it resolves, in one commit with `rows`. To be called in the
   * job's turn.
   */
  become(
    id: string,
    next: JobEntry | null,
    rows?: Pick<CronChange, 'skipped' | 'ended'>,
  ): Promise<JobEntry | undefined>;
  /** Something shown in the file has changed that the ledger holds anyway. */
  touch(): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Between a change and the file; a big file waits longer, so that writing it stays a small part of the time. */
const [FLUSH_MS, TOUCH_MS, WRITE_SHARE] = [1000, 5000, 30];
/** Until a file that could not be written is tried again; a change tries it sooner. */
const TROUBLE_MS = 30_000;

interface StoreState {
  /** Changes the file does not hold: id → version. */
  dirty: Map<string, number>;
  touched: boolean;
  version: number;
  head: Head;
  stamp: string;
  problem: string | undefined;
  lastWriteMs: number;
  closed: boolean;
  timer: { readonly timer: Timer; readonly atMs: number } | undefined;
  /** Reading and writing the file happen one after the other. */
  file: Promise<unknown>;
}

/** A commit of so many rows takes a few milliseconds. */
const CURSORS_AT_ONCE = 200;
/** The stamp of no file: whatever is there is read. */
const EDITED = 'edited';

export function createJobStore(deps: JobStoreDeps): JobStore {
  const { path, ledger, clock, log } = deps;
  const entries = new Map<string, Entry>();
  const state: StoreState = {
    dirty: new Map(),
    touched: false,
    version: 0,
    head: {},
    stamp: '',
    problem: undefined,
    lastWriteMs: 0,
    closed: false,
    timer: undefined,
    file: Promise.resolve(),
  };

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = state.file.then(work);
    state.file = mine.catch(() => undefined /* whoever asked for it is told */);
    return mine;
  }

  async function load(): Promise<void> {
    const redo = await ledger.redo();
    state.version = redo.at(-1)?.version ?? 0;
    const read = await readGood({ path, log });
    take(read);
    const cursors = new Map<string, CronCursor>();
    for (
      let page = await ledger.cursors('', 500);
      page.length > 0;
      page = await ledger.cursors(page.at(-1)!.jobId, 500)
    ) {
      for (const cursor of page) cursors.set(cursor.jobId, cursor);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const kept = new Map<number, KeptJob>();
    for await (const [index, raw] of inSteps(
      byExpression([...read.jobs.entries()], ([, raw]) => (raw as { schedule?: unknown } | null)?.schedule),
    ))
      kept.set(index, await deps.read(raw));
    for await (const [index, raw] of inSteps([...read.jobs.entries()]))
      keep(entryFor({ kept: kept.get(index)!, raw, cursor: cursors.get(idOf(raw)), nowMs: clock.now() }));
    for (const { jobId, job, version } of redo) {
      state.dirty.set(jobId, version);
      if (job === null) entries.delete(jobId);
      else {
        const raw = JSON.parse(job) as unknown;
        const entry = entryFor({ kept: await deps.read(raw), raw, cursor: cursors.get(jobId), nowMs: clock.now() });
        entries.set(jobId, entry.entry);
      }
    }
    // From when on a job that somebody wrote by hand is owed its instants must be the same in the next run.
    const seen = [...entries.values()]
      .filter(isGood)
      .filter(({ id, job }) => cursors.get(id)?.plan !== planOf(job))
      .map(cursorOf);
    for (let at = 0; at < seen.length; at += CURSORS_AT_ONCE)
      await remember({ cursors: seen.slice(at, at + CURSORS_AT_ONCE) });
    // A file that cannot be read may still have them.
    const gone = state.problem === undefined ? [...cursors.keys()].filter((id) => !entries.has(id)) : [];
    if (gone.length > 0) await remember({ forget: gone });
    if (state.dirty.size > 0) schedule(FLUSH_MS);
  }

  function take({ head, stamp, problem }: ReadFile): void {
    if (head) state.head = head;
    state.stamp = stamp;
    if (problem !== undefined && problem !== state.problem) log.error('cron.store.broken', { path, problem });
    if (problem === undefined && state.problem !== undefined) log.info('cron.store.mended', { path });
    state.problem = problem;
  }

  /** A second job under the same id is shown, and does not run. Answers the id it is shown under. */
  function keep({ entry, raw, rewrite }: ReturnType<typeof entryFor>): string {
    if (rewrite) touch();
    const id = entries.has(entry.id) ? idOf({ copy: raw }) : entry.id;
    entries.set(
      id,
      id === entry.id
        ? entry
        : {
            id,
            raw,
            problem: `Another job has the id "${entry.id}" already: give this one another id in jobs.json, or remove it.`,
          },
    );
    return id;
  }

  /** Somebody edited the file: their jobs win, except those changed here since. */
  const look = (): Promise<void> =>
    alone(async () => {
      if (state.closed || (await stampOf(path)) === state.stamp) return;
      const read = await readGood({ path, log });
      take(read);
      if (read.gone) return touch(); // written anew
      if (read.problem === undefined && !read.recovered) await adopt(read.jobs);
      if (state.dirty.size > 0) schedule(FLUSH_MS); // what happened while it could not be written
    });

  async function adopt(jobs: readonly unknown[]): Promise<void> {
    log.info('cron.store.edited', { path, jobs: jobs.length });
    const theirs = new Set<string>();
    for await (const raw of inSteps(jobs)) {
      const id = idOf(raw);
      const kept = await deps.read(raw);
      if (theirs.has(id)) theirs.add(keep(entryFor({ kept, raw, cursor: undefined, nowMs: clock.now() })));
      else await deps.jobQueue.run(id, () => adoptOne(id, raw, kept));
      theirs.add(id);
    }
    for (const id of [...entries.keys()].filter((known) => !theirs.has(known)))
      await deps.jobQueue.run(id, () => letGo(id));
  }

  async function adoptOne(id: string, raw: unknown, kept: KeptJob): Promise<void> {
    if (state.dirty.has(id)) return;
    const known = entries.get(id);
    const { entry, rewrite } = entryFor({
      kept,
      raw,
      cursor: known && isGood(known) ? cursorOf(known) : undefined,
      nowMs: clock.now(),
    });
    if (rewrite) touch();
    if (known && same(known, entry)) return;
    if (isGood(entry)) {
      await remember({ cursors: [cursorOf(entry)] });
      if (known && isGood(known)) entry.runningAtMs = known.runningAtMs;
    }
    entries.set(id, entry);
    deps.adopted(id, known ? 'updated' : 'added');
  }

  async function letGo(id: string): Promise<void> {
    if (state.dirty.has(id) || !entries.delete(id)) return;
    await remember({ forget: [id] });
    deps.adopted(id, 'removed');
  }

  /** What the file says holds also while the ledger cannot be written. */
  async function remember(change: CronChange): Promise<void> {
    await ledger.commit(change).catch((error: unknown) => log.error('cron.ledger', { error }));
  }

  function schedule(ms: number): void {
    if (state.closed) return;
    const atMs = clock.monotonic() + Math.max(ms, state.lastWriteMs * WRITE_SHARE);
    if (state.timer && state.timer.atMs <= atMs) return;
    state.timer?.timer.cancel();
    const run = (): void => {
      state.timer = undefined;
      void flush().catch((error: unknown) => {
        log.error('cron.store.write', { path, error });
        schedule(TROUBLE_MS);
      });
    };
    state.timer = { atMs, timer: clock.setTimeout(run, atMs - clock.monotonic()).unref() };
  }

  async function flush(): Promise<void> {
    if (!state.closed) await look();
    await alone(write);
  }

  async function write(): Promise<void> {
    if (state.problem !== undefined || (state.dirty.size === 0 && !state.touched)) return;
    const began = clock.monotonic();
    const [dirty, touched] = [state.dirty, state.touched];
    [state.dirty, state.touched] = [new Map(), false];
    try {
      const bytes = await formatJobs(
        state.head,
        [...entries.values()].map((entry) => () => fileJob(entry)),
      );
      if ((await stampOf(path)) !== state.stamp) {
        // somebody wrote it this very moment: it is read first
        again(dirty, touched);
        return schedule(FLUSH_MS);
      }
      await writeFileAtomic(path, bytes);
      const stamp = await stampOf(path);
      state.stamp = stamp.split(':')[1] === String(bytes.byteLength) ? stamp : EDITED; // somebody was there in between
      await writeFileAtomic(`${path}.bak`, bytes, { sync: false });
    } catch (error) {
      again(dirty, touched);
      throw error;
    }
    state.lastWriteMs = clock.monotonic() - began;
    if (dirty.size > 0) await ledger.clearRedo([...dirty].map(([jobId, version]) => ({ jobId, version })));
  }

  async function become(
    id: string,
    next: JobEntry | null,
    rows: Pick<CronChange, 'skipped' | 'ended'> = {},
  ): Promise<JobEntry | undefined> {
    const before = entries.get(id);
    const kept = next && before && isGood(before) && before.job === next.job ? before : undefined;
    const redo: JobRedo | undefined = kept
      ? undefined
      : { jobId: id, job: next && JSON.stringify({ ...next.job, ...next.extra }), version: ++state.version };
    await ledger.commit({
      ...rows,
      ...present({ jobs: redo ? [redo] : undefined }),
      ...(next ? { cursors: [cursorOf(next)] } : { forget: [id] }),
    });
    if (redo) state.dirty.set(id, redo.version);
    if (kept) Object.assign(kept, { slotMs: next!.slotMs, facts: next!.facts });
    else if (next) entries.set(id, next);
    else entries.delete(id);
    if (redo) schedule(FLUSH_MS);
    else touch();
    return kept ?? next ?? undefined;
  }

  function again(dirty: Map<string, number>, touched: boolean): void {
    state.dirty = new Map([...dirty, ...state.dirty]);
    state.touched ||= touched;
  }

  function touch(): void {
    state.touched = true;
    schedule(TOUCH_MS);
  }

  return {
    entries,
    get problem() {
      return state.problem;
    },
    load: () => alone(load),
    look,
    refuseWhileBroken() {
      if (state.problem !== undefined) throw new AppError('conflict', state.problem);
      if (state.closed) throw new AppError('unavailable', `${path} is closed: the gateway is stopping.`);
    },
    become,
    touch,
    flush,
    async close() {
      state.timer?.timer.cancel();
      await look();
      state.closed = true;
      await alone(write);
    },
  };
}

/** What the file says of a job, whatever happened to it. */
function same(a: Entry, b: Entry): boolean {
  if (!isGood(a) || !isGood(b)) return !isGood(a) && !isGood(b) && JSON.stringify(a.raw) === JSON.stringify(b.raw);
  return JSON.stringify([a.job, a.extra]) === JSON.stringify([b.job, b.extra]);
}

/**
 * The entry of a job that was changed here. Owed instants count anew when its schedule is another one, or it was
 * switched on.
 */
export function changedEntry(before: JobEntry | undefined, job: StoredJob, nowMs: number): JobEntry {
  const kept = before && planOf(before.job) === planOf(job) ? before : undefined;
  const {
    retry: _retry,
    notBeforeMs: _notBefore,
    consecutiveErrors: _errors,
    disabledReason: _reason,
    ...facts
  } = before?.facts ?? {};
  return present({
    id: job.id,
    job,
    extra: before?.extra,
    slotMs: kept?.slotMs ?? firstSlot(job, nowMs),
    facts: kept?.facts ?? facts,
    runningAtMs: before?.runningAtMs,
  });
}
