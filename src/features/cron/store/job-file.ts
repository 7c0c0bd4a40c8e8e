/** `jobs.json`, written shortly after jobs change: pending changes, problems, and changes by others. */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { writeFileAtomic } from '../../../platform/files.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import type { CronLedger } from '../ledger.ts';
import { formatJobs, stampOf, type Head } from './jobs-file.ts';
import type { ReadFile } from './read-file.ts';

export interface JobFileDeps {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Pick<CronLedger, 'clearRedo'>;
  /** All jobs as the file is to hold them. */
  jobs(): Parameters<typeof formatJobs>[1];
  /** The time to write has come; what somebody else wrote is taken up first. */
  flush(): Promise<void>;
}

/** The file as the store of jobs uses it. */
export interface JobFile {
  /** What is wrong with it, and what to do. */
  readonly problem: string | undefined;
  readonly closed: boolean;
  /** Reading and writing it happen one after the other. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** It was read. */
  take(read: ReadFile): void;
  /** Somebody else wrote it since it was read or written here. */
  wasEdited(): Promise<boolean>;
  /** Throws `conflict` while it cannot be read, `unavailable` once it is closed. */
  refuseWhileBroken(): void;
  /** It does not hold a change of this job yet, which the ledger has as `version`. */
  lacks(id: string, version: number): void;
  /** There is such a change. */
  isBehind(id: string): boolean;
  /** It is written soon, where it lacks changes. */
  writeSoon(): void;
  /** Something it shows has changed that the ledger holds anyway. */
  touch(): void;
  /** Writes what it lacks, now. */
  write(): Promise<void>;
  stopTimer(): void;
  /** Writes what it lacks for the last time. */
  close(): Promise<void>;
}

/** Between a change and the file; a big file waits longer, so that writing it stays a small part of the time. */
const [FLUSH_MS, TOUCH_MS, WRITE_SHARE] = [1000, 5000, 30];
/** Until a file that could not be written is tried again; a change tries it sooner. */
const TROUBLE_MS = 30_000;
/** The stamp of no file: whatever is there is read. */
const EDITED = 'edited';

export const createJobFile = (deps: JobFileDeps): JobFile => new WrittenJobs(deps);

class WrittenJobs implements JobFile {
  readonly #deps: JobFileDeps;
  readonly #queue = createSerialQueue();
  /** Changes the file does not hold: id → version. */
  #dirty = new Map<string, number>();
  #touched = false;
  #head: Head = {};
  #stamp = '';
  #problem: string | undefined;
  #lastWriteMs = 0;
  #closed = false;
  #timer: { readonly timer: Timer; readonly atMs: number } | undefined;

  constructor(deps: JobFileDeps) {
    this.#deps = deps;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get closed(): boolean {
    return this.#closed;
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  take({ head, stamp, problem }: ReadFile): void {
    const { path, log } = this.#deps;
    if (head) this.#head = head;
    this.#stamp = stamp;
    if (problem !== undefined && problem !== this.#problem) log.error('cron.store.broken', { path, problem });
    if (problem === undefined && this.#problem !== undefined) log.info('cron.store.mended', { path });
    this.#problem = problem;
  }

  async wasEdited(): Promise<boolean> {
    return (await stampOf(this.#deps.path)) !== this.#stamp;
  }

  refuseWhileBroken(): void {
    if (this.#problem !== undefined) throw new AppError('conflict', this.#problem);
    if (this.#closed) throw new AppError('unavailable', `${this.#deps.path} is closed: the gateway is stopping.`);
  }

  lacks(id: string, version: number): void {
    this.#dirty.set(id, version);
  }

  isBehind(id: string): boolean {
    return this.#dirty.has(id);
  }

  writeSoon(): void {
    if (this.#dirty.size > 0) this.#schedule(FLUSH_MS);
  }

  touch(): void {
    this.#touched = true;
    this.#schedule(TOUCH_MS);
  }

  #schedule(ms: number): void {
    if (this.#closed) return;
    const { clock, log, path } = this.#deps;
    const atMs = clock.monotonic() + Math.max(ms, this.#lastWriteMs * WRITE_SHARE);
    if (this.#timer && this.#timer.atMs <= atMs) return;
    this.#timer?.timer.cancel();
    const run = (): void => {
      this.#timer = undefined;
      void this.#deps.flush().catch((error: unknown) => {
        log.error('cron.store.write', { path, error });
        this.#schedule(TROUBLE_MS);
      });
    };
    this.#timer = { atMs, timer: clock.setTimeout(run, atMs - clock.monotonic()).unref() };
  }

  write(): Promise<void> {
    return this.alone(() => this.#write());
  }

  async #write(): Promise<void> {
    if (this.#problem !== undefined || (this.#dirty.size === 0 && !this.#touched)) return;
    const { clock, ledger } = this.#deps;
    const began = clock.monotonic();
    const [dirty, touched] = [this.#dirty, this.#touched];
    [this.#dirty, this.#touched] = [new Map(), false];
    try {
      if (!(await this.#replace())) {
        this.#again(dirty, touched);
        return this.#schedule(FLUSH_MS);
      }
    } catch (error) {
      this.#again(dirty, touched);
      throw error;
    }
    this.#lastWriteMs = clock.monotonic() - began;
    if (dirty.size > 0) await ledger.clearRedo([...dirty].map(([jobId, version]) => ({ jobId, version })));
  }

  /** False: somebody wrote it this very moment, and it is read first. */
  async #replace(): Promise<boolean> {
    const { path } = this.#deps;
    const bytes = await formatJobs(this.#head, this.#deps.jobs());
    if (await this.wasEdited()) return false;
    await writeFileAtomic(path, bytes);
    const stamp = await stampOf(path);
    this.#stamp = stamp.split(':')[1] === String(bytes.byteLength) ? stamp : EDITED; // somebody was there in between
    await writeFileAtomic(`${path}.bak`, bytes, { sync: false });
    return true;
  }

  #again(dirty: Map<string, number>, touched: boolean): void {
    this.#dirty = new Map([...dirty, ...this.#dirty]);
    this.#touched ||= touched;
  }

  stopTimer(): void {
    this.#timer?.timer.cancel();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.write();
  }
}
