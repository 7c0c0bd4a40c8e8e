/**
 * The jobs in memory: every change is in the ledger before it counts, in `jobs.json` soon after, and what people change
 * in the file is taken up.
 */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { writeFileAtomic } from '../../../platform/files.ts';
import { inSteps } from '../../../platform/in-steps.ts';
import { byExpression } from '../by-expression.ts';
import type { KeyedQueue } from '../../../platform/keyed-queue.ts';
import type { KeptJob } from '../job/read-job.ts';
import { idOf } from '../job/read-job.ts';
import type { CronChange, CronLedger, JobRedo } from '../ledger.ts';
import { cursorOf, fileJob, firstSlot, isGood, planOf, type Entry, type JobEntry, type StoredJob } from './entry.ts';
import { formatJobs, stampOf, type Head } from './jobs-file.ts';
import { readGood, type ReadFile } from './read-file.ts';
import { entryFor } from './restore.ts';
import { whenOver } from '../../../platform/settled.ts';

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
  return new KeptJobs(deps);
}

class KeptJobs implements JobStore {
  readonly #deps: JobStoreDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #state: StoreState = {
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

  constructor(deps: JobStoreDeps) {
    this.#deps = deps;
  }

  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  get problem(): string | undefined {
    return this.#state.problem;
  }

  load(): Promise<void> {
    return this.#alone(() => this.#load());
  }

  refuseWhileBroken(): void {
    if (this.#state.problem !== undefined) throw new AppError('conflict', this.#state.problem);
    if (this.#state.closed) throw new AppError('unavailable', `${this.#deps.path} is closed: the gateway is stopping.`);
  }

  async close(): Promise<void> {
    this.#state.timer?.timer.cancel();
    await this.look();
    this.#state.closed = true;
    await this.#alone(() => this.#write());
  }

  /** Somebody edited the file: their jobs win, except those changed here since. */
  look(): Promise<void> {
    return this.#alone(async () => {
      if (this.#state.closed || (await stampOf(this.#deps.path)) === this.#state.stamp) return;
      const read = await readGood({ path: this.#deps.path, log: this.#deps.log });
      this.#take(read);
      if (read.gone) return this.touch(); // written anew
      if (read.problem === undefined && !read.recovered) await this.#adopt(read.jobs);
      if (this.#state.dirty.size > 0) this.#schedule(FLUSH_MS); // what happened while it could not be written
    });
  }

  async flush(): Promise<void> {
    if (!this.#state.closed) await this.look();
    await this.#alone(() => this.#write());
  }

  async become(
    id: string,
    next: JobEntry | null,
    rows: Pick<CronChange, 'skipped' | 'ended'> = {},
  ): Promise<JobEntry | undefined> {
    const before = this.#entries.get(id);
    const kept = next && before && isGood(before) && before.job === next.job ? before : undefined;
    const redo: JobRedo | undefined = kept
      ? undefined
      : { jobId: id, job: next && JSON.stringify({ ...next.job, ...next.extra }), version: ++this.#state.version };
    await this.#deps.ledger.commit({
      ...rows,
      ...(redo ? { jobs: [redo] } : {}),
      ...(next ? { cursors: [cursorOf(next)] } : { forget: [id] }),
    });
    if (redo) this.#state.dirty.set(id, redo.version);
    if (kept) Object.assign(kept, { slotMs: next!.slotMs, facts: next!.facts });
    else if (next) this.#entries.set(id, next);
    else this.#entries.delete(id);
    if (redo) this.#schedule(FLUSH_MS);
    else this.touch();
    return kept ?? next ?? undefined;
  }

  touch(): void {
    this.#state.touched = true;
    this.#schedule(TOUCH_MS);
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#state.file.then(work);
    this.#state.file = whenOver(mine);
    return mine;
  }

  async #load(): Promise<void> {
    const redo = this.#deps.ledger.redo();
    this.#state.version = redo.at(-1)?.version ?? 0;
    const read = await readGood({ path: this.#deps.path, log: this.#deps.log });
    this.#take(read);
    const cursors = new Map<string, ReturnType<CronLedger['cursors']>[number]>();
    for (
      let page = this.#deps.ledger.cursors('', 500);
      page.length > 0;
      page = this.#deps.ledger.cursors(page.at(-1)!.jobId, 500)
    ) {
      for (const cursor of page) cursors.set(cursor.jobId, cursor);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const kept = new Map<number, KeptJob>();
    for await (const [index, raw] of inSteps(
      byExpression([...read.jobs.entries()], ([, raw]) => (raw as { schedule?: unknown } | null)?.schedule),
    ))
      kept.set(index, await this.#deps.read(raw));
    for await (const [index, raw] of inSteps([...read.jobs.entries()]))
      this.#keep(
        entryFor({ kept: kept.get(index)!, raw, cursor: cursors.get(idOf(raw)), nowMs: this.#deps.clock.now() }),
      );
    for (const { jobId, job, version } of redo) {
      this.#state.dirty.set(jobId, version);
      if (job === null) this.#entries.delete(jobId);
      else {
        const raw = JSON.parse(job) as unknown;
        const entry = entryFor({
          kept: await this.#deps.read(raw),
          raw,
          cursor: cursors.get(jobId),
          nowMs: this.#deps.clock.now(),
        });
        this.#entries.set(jobId, entry.entry);
      }
    }
    // From when on a job that somebody wrote by hand is owed its instants must be the same in the next life.
    const seen = [...this.#entries.values()]
      .filter(isGood)
      .filter(({ id, job }) => cursors.get(id)?.plan !== planOf(job))
      .map(cursorOf);
    for (let at = 0; at < seen.length; at += CURSORS_AT_ONCE)
      await this.#remember({ cursors: seen.slice(at, at + CURSORS_AT_ONCE) });
    // A file that cannot be read may still have them.
    const gone = this.#state.problem === undefined ? [...cursors.keys()].filter((id) => !this.#entries.has(id)) : [];
    if (gone.length > 0) await this.#remember({ forget: gone });
    if (this.#state.dirty.size > 0) this.#schedule(FLUSH_MS);
  }

  #take({ head, stamp, problem }: ReadFile): void {
    if (head) this.#state.head = head;
    this.#state.stamp = stamp;
    if (problem !== undefined && problem !== this.#state.problem)
      this.#deps.log.error('cron.store.broken', { path: this.#deps.path, problem });
    if (problem === undefined && this.#state.problem !== undefined)
      this.#deps.log.info('cron.store.mended', { path: this.#deps.path });
    this.#state.problem = problem;
  }

  /** A second job under the same id is shown, and does not run. Answers the id it is shown under. */
  #keep({ entry, raw, rewrite }: ReturnType<typeof entryFor>): string {
    if (rewrite) this.touch();
    const id = this.#entries.has(entry.id) ? idOf({ copy: raw }) : entry.id;
    this.#entries.set(
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

  async #adopt(jobs: readonly unknown[]): Promise<void> {
    this.#deps.log.info('cron.store.edited', { path: this.#deps.path, jobs: jobs.length });
    const theirs = new Set<string>();
    for await (const raw of inSteps(jobs)) {
      const id = idOf(raw);
      const kept = await this.#deps.read(raw);
      if (theirs.has(id))
        theirs.add(this.#keep(entryFor({ kept, raw, cursor: undefined, nowMs: this.#deps.clock.now() })));
      else await this.#deps.jobQueue.run(id, () => this.#adoptOne(id, raw, kept));
      theirs.add(id);
    }
    for (const id of [...this.#entries.keys()].filter((known) => !theirs.has(known)))
      await this.#deps.jobQueue.run(id, () => this.#letGo(id));
  }

  async #adoptOne(id: string, raw: unknown, kept: KeptJob): Promise<void> {
    if (this.#state.dirty.has(id)) return;
    const known = this.#entries.get(id);
    const { entry, rewrite } = entryFor({
      kept,
      raw,
      cursor: known && isGood(known) ? cursorOf(known) : undefined,
      nowMs: this.#deps.clock.now(),
    });
    if (rewrite) this.touch();
    if (known && same(known, entry)) return;
    if (isGood(entry)) {
      await this.#remember({ cursors: [cursorOf(entry)] });
      if (known && isGood(known)) entry.runningAtMs = known.runningAtMs;
    }
    this.#entries.set(id, entry);
    this.#deps.adopted(id, known ? 'updated' : 'added');
  }

  async #letGo(id: string): Promise<void> {
    if (this.#state.dirty.has(id) || !this.#entries.delete(id)) return;
    await this.#remember({ forget: [id] });
    this.#deps.adopted(id, 'removed');
  }

  /** What the file says holds also while the ledger cannot be written. */
  async #remember(change: CronChange): Promise<void> {
    await this.#deps.ledger.commit(change).catch((error: unknown) => this.#deps.log.error('cron.ledger', { error }));
  }

  #schedule(ms: number): void {
    if (this.#state.closed) return;
    const atMs = this.#deps.clock.monotonic() + Math.max(ms, this.#state.lastWriteMs * WRITE_SHARE);
    if (this.#state.timer && this.#state.timer.atMs <= atMs) return;
    this.#state.timer?.timer.cancel();
    const run = (): void => {
      this.#state.timer = undefined;
      void this.flush().catch((error: unknown) => {
        this.#deps.log.error('cron.store.write', { path: this.#deps.path, error });
        this.#schedule(TROUBLE_MS);
      });
    };
    this.#state.timer = { atMs, timer: this.#deps.clock.setTimeout(run, atMs - this.#deps.clock.monotonic()).unref() };
  }

  async #write(): Promise<void> {
    if (this.#state.problem !== undefined || (this.#state.dirty.size === 0 && !this.#state.touched)) return;
    const began = this.#deps.clock.monotonic();
    const [dirty, touched] = [this.#state.dirty, this.#state.touched];
    [this.#state.dirty, this.#state.touched] = [new Map(), false];
    try {
      const bytes = await formatJobs(
        this.#state.head,
        [...this.#entries.values()].map((entry) => () => fileJob(entry)),
      );
      if ((await stampOf(this.#deps.path)) !== this.#state.stamp) {
        // somebody wrote it this very moment: it is read first
        this.#again(dirty, touched);
        return this.#schedule(FLUSH_MS);
      }
      await writeFileAtomic(this.#deps.path, bytes);
      const stamp = await stampOf(this.#deps.path);
      this.#state.stamp = stamp.split(':')[1] === String(bytes.byteLength) ? stamp : EDITED; // somebody was there in between
      await writeFileAtomic(`${this.#deps.path}.bak`, bytes, { sync: false });
    } catch (error) {
      this.#again(dirty, touched);
      throw error;
    }
    this.#state.lastWriteMs = this.#deps.clock.monotonic() - began;
    if (dirty.size > 0) await this.#deps.ledger.clearRedo([...dirty].map(([jobId, version]) => ({ jobId, version })));
  }

  #again(dirty: Map<string, number>, touched: boolean): void {
    this.#state.dirty = new Map([...dirty, ...this.#state.dirty]);
    this.#state.touched ||= touched;
  }
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
  return {
    id: job.id,
    job,
    ...(before?.extra ? { extra: before.extra } : {}),
    slotMs: kept?.slotMs ?? firstSlot(job, nowMs),
    facts: kept?.facts ?? facts,
    ...(before?.runningAtMs === undefined ? {} : { runningAtMs: before.runningAtMs }),
  };
}
