/** The life of one process: in the foreground or the background, looked after while it runs, ended for one reason, once. */
import type { EndReason, ProcessView } from '../../core/shell.ts';
import type { Log } from '../../core/log.ts';
import { AppError } from '../../core/errors.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { birthOf, stillRuns } from '../../platform/process/birth.ts';
import type { Held } from '../../platform/process/hold.ts';
import type { InputKeeper } from '../../platform/process/input-keeper.ts';
import type { ProcessRow } from '../../platform/process/process-table.ts';
import { createSpool, type Spool } from '../../platform/process/spool.ts';
import type { Look } from '../../platform/process/surroundings.ts';
import { endTree, type Tree } from '../../platform/process/tree.ts';
import { diskIsFull } from './disk-full.ts';
import { daemonsOf, groupOf, stillThere, type Left } from './left-behind.ts';
import { createLookout, LOOK_MS, type Lookout } from './lookout.ts';
import { KILLED, lostOutcome, outcomeOf, type Exit } from './outcome.ts';
import { createProcessInput, type ProcessInput } from './process-input.ts';
import { createProcessOutput, type ProcessOutput } from './process-output.ts';
import { filesOf, readExitCode, type ProcessRecord } from './process-record.ts';
import type { ProcessSpec } from './process-spec.ts';
import { viewOf } from './process-view.ts';
import { createRecordSaver, type RecordSaver } from './save-record.ts';

export interface HeldProcessDeps {
  readonly folder: string;
  /** The value of the mark everything it starts inherits. */
  readonly mark: string;
  readonly record: ProcessRecord;
  readonly keeper: InputKeeper;
  /** Shared by all that end at the same time. */
  readonly look: Look;
  readonly clock: Clock;
  readonly log: Log;
  /** Ours to hear the end of; absent when an earlier life of the gateway started it. */
  readonly held?: Held;
  readonly hooks?: Pick<ProcessSpec, 'guard' | 'lastWord' | 'onEnd'>;
  /** Somebody may want to see it anew. */
  changed(process: HeldProcess): void;
  /** It ended, and what it left behind is known. */
  over(process: HeldProcess): void;
}

/** Milliseconds: between asking and making it end; until an end nobody reports is taken for one. */
const GRACE_MS = 300;
const UNREPORTED_MS = 1000;
const SETTLE_MS = 100;
const MAX_TIMER_MS = 2 ** 31 - 1;

export class HeldProcess {
  record: ProcessRecord;
  readonly folder: string;
  readonly output: ProcessOutput;
  /** The command ended; its group may live on. Never rejects. */
  readonly ended: Promise<ProcessView>;
  readonly #deps: HeldProcessDeps;
  readonly #spool: Spool;
  readonly #input: ProcessInput;
  readonly #saver: RecordSaver;
  /** What it leaves behind is known. */
  readonly settled: Promise<void>;
  readonly #settled = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<ProcessView>();
  readonly #lookout: Lookout;
  #group: readonly ProcessRow[] = [];
  #why: EndReason | undefined;
  #ending: Promise<readonly ProcessRow[]> | undefined;
  #identified: Promise<void> | undefined;
  #finish: Promise<void> | undefined;
  #turns: Promise<unknown> = Promise.resolve();
  #awaited = false;
  #released = false;
  #timeout: Timer | undefined;
  #lookedAfter = 0;

  constructor(deps: HeldProcessDeps) {
    const { folder, record, keeper, held } = deps;
    this.#deps = deps;
    this.record = record;
    this.folder = folder;
    this.ended = this.#end.promise;
    this.settled = this.#settled.promise;
    this.#spool = createSpool({ folder, maxBytes: record.spoolMaxBytes, layout: record.spool });
    this.output = createProcessOutput(this.#spool);
    this.#input = createProcessInput({ id: record.id, files: filesOf(folder), pty: record.pty, keeper, ...(held ? { pipe: held.input } : {}) });
    this.#saver = createRecordSaver({ folder, current: () => this.record, log: deps.log });
    this.#lookout = createLookout({ clock: deps.clock, look: () => this.#lookNow(), tail: () => this.output.facts().tail, fault: (error) => this.#fault(error) });
  }

  /** Begins to look after it. */
  attend(): void {
    const { held, clock } = this.#deps;
    if (this.record.over) return this.#settled.resolve();
    if (held) this.#behind(held.exited.then((exit) => this.#commandEnded(exit)));
    const { startedAt, timeoutMs } = this.record;
    if (timeoutMs > 0) this.#timeout = clock.setTimeout(() => this.#behind(this.end('timeout')), Math.min(MAX_TIMER_MS, Math.max(0, startedAt + timeoutMs - clock.now())));
    this.#lookout.start();
  }

  /**
   * Writes it down, so that a later life can tell its holder from another process of that number. Most commands are over before
   * the first look; one whose gateway dies even earlier is found by its mark.
   */
  #identify(): Promise<void> {
    return (this.#identified ??= this.#deps.held ? this.#writeDown() : Promise.resolve());
  }

  async #writeDown(): Promise<void> {
    const birth = this.record.holder && (await birthOf(this.record.holder.pid));
    if (birth && this.record.holder && !this.record.over) await this.change({ holder: { ...this.record.holder, birth } });
  }

  /** Finds out what became of one an earlier life started, and begins to look after it. */
  async takeUp(): Promise<void> {
    await this.look();
    if (!this.record.over && this.record.outcome) {
      this.#group = await groupOf(this.#left(), this.#deps.held !== undefined);
      if (this.#group.length === 0) await this.#over();
    } else if (!this.record.over) {
      const found = await this.#endedMeanwhile();
      if (found) await this.#commandEnded(found);
      else if (!this.record.inputClosed) await this.#keepInput();
    }
    this.attend();
  }

  /** Brings what `view` tells about its output up to date. */
  async look(): Promise<void> {
    await this.#refresh();
    await this.recountDaemons();
  }

  view(): ProcessView {
    return viewOf({ record: this.record, output: this.output.facts(), now: this.#deps.clock.now(), group: this.#group });
  }

  change(change: Partial<ProcessRecord>): Promise<void> {
    this.record = { ...this.record, ...change };
    return this.#saver.save();
  }

  /** Told with each new tail, some times a second. */
  watch(watcher: (tail: string) => void): () => void {
    return this.#lookout.watch(watcher);
  }

  async toBackground(): Promise<void> {
    if (this.record.background) return;
    this.record = { ...this.record, background: true };
    await Promise.all([this.#identify(), this.record.outcome ? undefined : this.#keepInput()]);
    await this.#saver.save();
    if (this.record.over) await this.#input.forget();
    this.#deps.changed(this);
    if (this.record.over) this.#deps.over(this);
  }

  /** Resolves when there is output behind the cursor, when it is over, after `ms`, or when the signal fires. */
  async news({ ms, signal }: { readonly ms: number; readonly signal: AbortSignal }): Promise<void> {
    const until = this.#deps.clock.monotonic() + ms;
    await this.#refresh();
    for (let left = ms; left > 0 && this.#quiet() && !signal.aborted; left = until - this.#deps.clock.monotonic()) await this.#lookout.news({ ms: left, signal });
  }

  /** Two who ask at the same time are served one after the other. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turns.then(run);
    this.#turns = turn.catch(() => undefined);
    return turn;
  }

  #quiet(): boolean {
    return !this.record.over && !this.#released && this.#spool.end() <= this.record.cursor;
  }

  /** Somebody waited for its end, and hears of it first. */
  awaited(): boolean {
    return this.#awaited;
  }

  async write(data: Uint8Array, eof: boolean): Promise<number | 'closed'> {
    if (this.record.inputClosed) return 'closed';
    const written = data.length === 0 ? 0 : await this.#input.write(data);
    const refused = written === 0 && data.length > 0;
    if (eof && !refused && written !== 'closed') {
      await this.#input.end();
      if (!this.record.pty) await this.change({ inputClosed: true });
    }
    return written;
  }

  /** Ends the whole tree; the first reason counts. Asked first, but for `killed`. */
  async end(why: EndReason): Promise<void> {
    if (this.record.over) return;
    this.#why ??= why;
    this.#ending ??= endTree(this.#tree(), { graceMs: why === 'killed' ? 0 : GRACE_MS, look: this.#deps.look });
    const left = await this.#ending;
    if (left.length > 0) this.#deps.log.warn('process.survives', { id: this.record.id, pids: left.map(({ pid }) => pid) });
    if (this.record.outcome) return this.#over();
    if (this.#deps.held) await this.#reported(this.#deps.held);
    if (!this.record.outcome) await this.#commandEnded({ ...KILLED, code: (await readExitCode(this.folder)) ?? null });
  }

  /** What left its group to live on; they carry its mark. */
  async endDaemons(): Promise<void> {
    await endTree({ mark: this.#deps.mark }, { graceMs: 0, look: this.#deps.look });
    await this.change({ daemons: [] });
  }

  /** Forgets daemons that ended meanwhile. */
  async recountDaemons(): Promise<void> {
    if (this.record.daemons.length === 0) return;
    const daemons = await stillThere(this.record.daemons);
    if (daemons.length < this.record.daemons.length) await this.change({ daemons });
  }

  /** The gateway goes, the process stays. */
  async release(): Promise<void> {
    this.#released = true;
    this.#lookout.stop();
    this.#timeout?.cancel();
    this.#deps.held?.release();
    await this.#input.release();
    await this.#saver.save();
    await this.#saver.stop();
  }

  /** Nothing is written to its folder any more. */
  async forget(): Promise<void> {
    this.#released = true;
    await this.#saver.stop();
  }

  /** Of a process an earlier life started. Undefined: it still runs. */
  async #endedMeanwhile(): Promise<Exit | 'lost' | undefined> {
    const holder = this.record.holder;
    const runs = holder !== undefined && (await stillRuns(holder.pid, holder.birth));
    const code = await readExitCode(this.folder);
    if (code !== undefined) return { code, signal: null };
    return runs ? undefined : 'lost';
  }

  async #lookAfter(): Promise<void> {
    const { held, clock, hooks } = this.#deps;
    const found = held || this.record.outcome ? undefined : await this.#endedMeanwhile();
    if (found) return this.#commandEnded(found);
    if (clock.monotonic() - this.#lookedAfter < LOOK_MS.idle) return;
    this.#lookedAfter = clock.monotonic();
    if (this.record.outcome) {
      this.#group = await groupOf(this.#left(), this.#deps.held !== undefined);
      return this.#group.length === 0 ? this.#over() : undefined;
    }
    const objection = this.record.holder && (await hooks?.guard?.(this.record.holder.pid));
    if (!objection || this.record.outcome) return;
    await this.#spool.note(objection);
    await this.end('killed');
  }

  async #commandEnded(exit: Exit | 'lost'): Promise<void> {
    if (this.record.outcome || this.#released) return;
    const at = this.#deps.clock.now();
    const outcome = exit !== 'lost' ? outcomeOf(exit, at, this.#why) : this.#why ? outcomeOf(KILLED, at, this.#why) : lostOutcome(at);
    this.record = { ...this.record, outcome };
    await this.#ending;
    await this.#noteLastWord();
    this.#group = this.#why ? [] : await groupOf(this.#left(), this.#deps.held !== undefined);
    if (this.#group.length > 0) await this.#livesOn();
    else await this.#over();
  }

  async #noteLastWord(): Promise<void> {
    const { hooks, log } = this.#deps;
    if (this.#why || !hooks?.lastWord) return;
    try {
      const word = await hooks.lastWord();
      if (word) await this.#spool.note(word);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn('process.end', { id: this.record.id, error: error.message });
    }
  }

  /** Its result is known, and members of its group go on: they are part of it. */
  async #livesOn(): Promise<void> {
    const heard = !this.record.background;
    await this.#refresh();
    this.#end.resolve({ ...this.view(), status: this.record.outcome?.exitCode === 0 ? 'completed' : 'failed' });
    await this.change({ background: true, told: this.record.told || heard });
    this.#settled.resolve();
    this.#deps.changed(this);
  }

  #over(): Promise<void> {
    return (this.#finish ??= this.#released ? Promise.resolve() : this.#finished());
  }

  async #finished(): Promise<void> {
    this.#timeout?.cancel();
    this.#group = [];
    await this.#refresh();
    this.record = { ...this.record, over: true, inputClosed: true, diskFull: this.record.outcome?.exitCode !== 0 && (await diskIsFull(this.folder)), spool: this.#spool.layout() };
    this.#end.resolve(this.view());
    if (this.record.background) await this.#saver.save();
    this.#awaited = this.#lookout.awaited();
    this.#lookout.stop();
    await this.#input.forget();
    if (!this.#why) await this.#leave(await daemonsOf(this.#left(), () => this.#deps.clock.sleep(SETTLE_MS)));
    await this.#deps.hooks?.onEnd?.().catch((error: unknown) => this.#deps.log.warn('process.end', { id: this.record.id, error: String(error) }));
    this.#settled.resolve();
    this.#deps.changed(this);
    this.#deps.over(this);
  }

  async #reported({ exited }: Held): Promise<void> {
    const late = Promise.withResolvers<void>();
    using _ = this.#deps.clock.setTimeout(late.resolve, UNREPORTED_MS);
    await Promise.race([exited, late.promise]);
  }

  /** Without somebody to keep it open a command may see the end of its input when we go; it runs all the same. */
  async #keepInput(): Promise<void> {
    try {
      await this.#input.keep();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#deps.log.warn('process.input', { id: this.record.id, error: error.message });
    }
  }

  /** A command in the foreground that left something to look after goes on in the background; its result is known. */
  async #leave(daemons: ProcessRecord['daemons']): Promise<void> {
    if (daemons.length > 0) await this.change({ daemons, background: true, told: this.record.told || !this.record.background });
  }

  #left(): Left {
    return { pid: this.record.holder?.pid, mark: this.#deps.mark };
  }

  #tree(): Tree {
    const { holder, outcome } = this.record;
    // A number whose process ended may be another's, as long as no group bears it.
    const ours = holder && (!outcome || this.#group.length > 0);
    return { mark: this.#deps.mark, ...(ours ? { pid: holder.pid } : {}) };
  }

  async #lookNow(): Promise<boolean> {
    await this.#identify();
    await this.#input.settle();
    const grew = await this.#refresh();
    await this.#lookAfter();
    return grew;
  }

  /** Nobody waits for this; a fault in it must not end the gateway. */
  #behind(work: Promise<void>): void {
    work.catch((error: unknown) => this.#fault(error));
  }

  #fault(error: unknown): void {
    this.#deps.log.error('process.fault', { id: this.record.id, error: error instanceof Error ? error.message : String(error) });
  }

  /** A disk in trouble costs what is seen of the process, not the process. */
  async #refresh(): Promise<boolean> {
    try {
      const before = this.#spool.layout();
      const grew = await this.output.refresh();
      if (before !== this.#spool.layout()) await this.change({ spool: this.#spool.layout() });
      return grew;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#deps.log.warn('process.output', { id: this.record.id, error: error.message });
      return false;
    }
  }
}
