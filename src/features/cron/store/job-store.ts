/**
 * The jobs in memory: every change is written to the ledger first and to `jobs.json` shortly after, and manual edits of
 * the file are applied.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inSteps } from '../../../platform/in-steps.ts';
import { byExpression } from '../by-expression.ts';
import type { KeyedQueue } from '../../../platform/keyed-queue.ts';
import type { KeptJob } from '../job/read-job.ts';
import { idOf } from '../job/read-job.ts';
import type { CronChange, CronCursor, CronLedger, JobRedo } from '../ledger.ts';
import { cursorOf, fileJob, firstSlot, isGood, planOf, type Entry, type JobEntry, type StoredJob } from './entry.ts';
import { createJobFile, type JobFile } from './job-file.ts';
import { readGood } from './read-file.ts';
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
  reread(): Promise<void>;
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

/** A commit of so many rows takes a few milliseconds. */
const CURSORS_AT_ONCE = 200;

export const createJobStore = (deps: JobStoreDeps): JobStore => new KeptJobs(deps);

class KeptJobs implements JobStore {
  readonly #deps: JobStoreDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #file: JobFile;
  #version = 0;

  constructor(deps: JobStoreDeps) {
    const { path, ledger, clock, log } = deps;
    this.#deps = deps;
    this.#file = createJobFile({
      path,
      ledger,
      clock,
      log,
      jobs: () => [...this.#entries.values()].map((entry) => () => fileJob(entry)),
      flush: () => this.flush(),
    });
  }

  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  get problem(): string | undefined {
    return this.#file.problem;
  }

  refuseWhileBroken(): void {
    this.#file.refuseWhileBroken();
  }

  touch(): void {
    this.#file.touch();
  }

  load(): Promise<void> {
    return this.#file.alone(() => this.#load());
  }

  async #load(): Promise<void> {
    const { path, ledger, log } = this.#deps;
    const redo = await ledger.redo();
    this.#version = redo.at(-1)?.version ?? 0;
    const read = await readGood({ path, log });
    this.#file.take(read);
    const cursors = await allCursors(ledger);
    await this.#takeFile(read.jobs, cursors);
    await this.#takeRedo(redo, cursors);
    await this.#settleCursors(cursors);
    this.#file.writeSoon();
  }

  async #takeFile(jobs: readonly unknown[], cursors: ReadonlyMap<string, CronCursor>): Promise<void> {
    const kept = new Map<number, KeptJob>();
    for await (const [index, raw] of inSteps(
      byExpression([...jobs.entries()], ([, raw]) => (raw as { schedule?: unknown } | null)?.schedule),
    ))
      kept.set(index, await this.#deps.read(raw));
    for await (const [index, raw] of inSteps([...jobs.entries()]))
      this.#keep(this.#restored(raw, kept.get(index)!, cursors.get(idOf(raw))));
  }

  /** What the ledger has and the file does not. */
  async #takeRedo(
    redo: Awaited<ReturnType<CronLedger['redo']>>,
    cursors: ReadonlyMap<string, CronCursor>,
  ): Promise<void> {
    for (const { jobId, job, version } of redo) {
      this.#file.lacks(jobId, version);
      if (job === null) this.#entries.delete(jobId);
      else {
        const raw = JSON.parse(job) as unknown;
        this.#entries.set(jobId, this.#restored(raw, await this.#deps.read(raw), cursors.get(jobId)).entry);
      }
    }
  }

  async #settleCursors(cursors: ReadonlyMap<string, CronCursor>): Promise<void> {
    // From when on a job that somebody wrote by hand is owed its instants must be the same in the next run.
    const seen: CronCursor[] = [];
    for await (const entry of inSteps([...this.#entries.values()]))
      if (isGood(entry) && cursors.get(entry.id)?.plan !== planOf(entry.job)) seen.push(cursorOf(entry));
    for (let at = 0; at < seen.length; at += CURSORS_AT_ONCE)
      await this.#remember({ cursors: seen.slice(at, at + CURSORS_AT_ONCE) });
    // A file that cannot be read may still have them.
    const gone = this.problem === undefined ? [...cursors.keys()].filter((id) => !this.#entries.has(id)) : [];
    if (gone.length > 0) await this.#remember({ forget: gone });
  }

  #restored(raw: unknown, kept: KeptJob, cursor: CronCursor | undefined): ReturnType<typeof entryFor> {
    return entryFor({ kept, raw, cursor, nowMs: this.#deps.clock.now() });
  }

  /** A second job under the same id is shown, and does not run. Answers the id it is shown under. */
  #keep({ entry, raw, rewrite }: ReturnType<typeof entryFor>): string {
    if (rewrite) this.touch();
    if (!this.#entries.has(entry.id)) {
      this.#entries.set(entry.id, entry);
      return entry.id;
    }
    const id = idOf({ copy: raw });
    const problem = `Another job already has the id "${entry.id}": change the id in jobs.json, or remove one of them.`;
    this.#entries.set(id, id === entry.id ? entry : { id, raw, problem });
    return id;
  }

  /** Somebody edited the file: their jobs win, except those changed here since. */
  reread(): Promise<void> {
    const { path, log } = this.#deps;
    return this.#file.alone(async () => {
      if (this.#file.closed || !(await this.#file.wasEdited())) return;
      const read = await readGood({ path, log });
      this.#file.take(read);
      if (read.gone) return this.touch(); // written anew
      if (read.problem === undefined && !read.recovered) await this.#adopt(read.jobs);
      this.#file.writeSoon(); // what happened while it could not be written
    });
  }

  async #adopt(jobs: readonly unknown[]): Promise<void> {
    const { path, log, jobQueue, read } = this.#deps;
    log.info('cron.store.edited', { path, jobs: jobs.length });
    const theirs = new Set<string>();
    for await (const raw of inSteps(jobs)) {
      const id = idOf(raw);
      const kept = await read(raw);
      if (theirs.has(id)) theirs.add(this.#keep(this.#restored(raw, kept, undefined)));
      else await jobQueue.run(id, () => this.#adoptOne(id, raw, kept));
      theirs.add(id);
    }
    for (const id of [...this.#entries.keys()].filter((known) => !theirs.has(known)))
      await jobQueue.run(id, () => this.#letGo(id));
  }

  async #adoptOne(id: string, raw: unknown, kept: KeptJob): Promise<void> {
    if (this.#file.isBehind(id)) return;
    const known = this.#entries.get(id);
    const { entry, rewrite } = this.#restored(raw, kept, known && isGood(known) ? cursorOf(known) : undefined);
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
    if (this.#file.isBehind(id) || !this.#entries.delete(id)) return;
    await this.#remember({ forget: [id] });
    this.#deps.adopted(id, 'removed');
  }

  /** What the file says holds also while the ledger cannot be written. */
  async #remember(change: CronChange): Promise<void> {
    const { ledger, log } = this.#deps;
    await ledger.commit(change).catch((error: unknown) => log.error('cron.ledger', { error }));
  }

  async flush(): Promise<void> {
    if (!this.#file.closed) await this.reread();
    await this.#file.write();
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
      : { jobId: id, job: next && JSON.stringify({ ...next.job, ...next.extra }), version: ++this.#version };
    await this.#deps.ledger.commit({
      ...rows,
      ...present({ jobs: redo ? [redo] : undefined }),
      ...(next ? { cursors: [cursorOf(next)] } : { forget: [id] }),
    });
    if (redo) this.#file.lacks(id, redo.version);
    if (kept) Object.assign(kept, { slotMs: next!.slotMs, facts: next!.facts });
    else if (next) this.#entries.set(id, next);
    else this.#entries.delete(id);
    if (redo) this.#file.writeSoon();
    else this.touch();
    return kept ?? next ?? undefined;
  }

  async close(): Promise<void> {
    this.#file.stopTimer();
    await this.reread();
    await this.#file.close();
  }
}

/** Where each job stands, read a page at a time so that nothing else has to wait. */
async function allCursors(ledger: CronLedger): Promise<ReadonlyMap<string, CronCursor>> {
  const cursors = new Map<string, CronCursor>();
  for (
    let page = await ledger.cursors('', CURSORS_AT_ONCE);
    page.length > 0;
    page = await ledger.cursors(page.at(-1)!.jobId, CURSORS_AT_ONCE)
  ) {
    for (const cursor of page) cursors.set(cursor.jobId, cursor);
    await nextTurn(); // reading waits for nothing
    await new Promise((resolve) => setImmediate(resolve));
  }
  return cursors;
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
