/**
 * A supervised process, in the foreground or the background, that ends once for one reason. `lifecycle/` decides; this
 * performs its effects.
 */
import type { EndReason, ProcessView } from '../../../core/shell.ts';
import type { Log } from '../../../core/log.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { startTimeOf } from '../../../platform/process-identity.ts';
import type { Held } from '../platform/hold.ts';
import type { InputKeeper } from '../platform/input-keeper.ts';
import { createSpool, type Spool } from '../platform/spool.ts';
import type { ProcessScan } from '../platform/process-scan.ts';
import { endTree } from '../platform/tree.ts';
import { settlesWithin } from '../../../platform/timeout.ts';
import { answerInquiry } from './answer-inquiry.ts';
import { stillRunning } from './orphans.ts';
import {
  processState,
  type Inquiry,
  type ProcessEffect,
  type ProcessEvent,
  type ProcessState,
  type RecordChange,
} from './lifecycle/process-state.ts';
import { stepProcess } from './lifecycle/step-process.ts';
import { createPollTimer, type PollTimer } from './poll-timer.ts';
import { createProcessInput, type ProcessInput } from './process-input.ts';
import { createProcessOutput, type ProcessOutput } from './process-output.ts';
import { filesOf, type ProcessRecord } from './process-record.ts';
import type { ProcessSpec } from './process-spec.ts';
import { viewOf } from './process-view.ts';
import { createRecordSaver, type RecordSaver } from './save-record.ts';

/** What a held process is given. */
export interface HeldProcessDeps {
  readonly folder: string;
  /** The value of the mark everything it starts inherits. */
  readonly mark: string;
  readonly record: ProcessRecord;
  readonly keeper: InputKeeper;
  /** Shared by all that end at the same time. */
  readonly scan: ProcessScan;
  readonly clock: Clock;
  readonly log: Log;
  /** Ours to hear the end of; absent when an earlier run of the gateway started it. */
  readonly held?: Held;
  readonly hooks?: Pick<ProcessSpec, 'guard' | 'lastWord' | 'onEnd'>;
  /** Somebody may want to see it anew. */
  changed(process: HeldProcess): void;
  /** It wrote something. */
  grew(process: HeldProcess): void;
  /** It ended, and what it left behind is known. */
  over(process: HeldProcess): void;
}

/** Milliseconds until an end nobody reports is taken for one. */
const UNREPORTED_MS = 1000;

/** What follows from an effect: an event, when there is something to tell. */
type Follow = ProcessEvent | undefined | void;

/** One process, as long as the gateway knows it. */
export class HeldProcess {
  readonly folder: string;
  readonly output: ProcessOutput;
  /** The command ended; its group may live on. Never rejects. */
  readonly ended: Promise<ProcessView>;
  /** What it leaves behind is known. */
  readonly settled: Promise<void>;
  readonly #deps: HeldProcessDeps;
  readonly #spool: Spool;
  readonly #input: ProcessInput;
  readonly #saver: RecordSaver;
  readonly #settled = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<ProcessView>();
  readonly #pollTimer: PollTimer;
  #state: ProcessState;
  #ending: Promise<void> | undefined;
  #reported: Promise<void> | undefined;
  #identified: Promise<string | undefined> | undefined;
  #awaited = false;
  #timeout: Timer | undefined;

  constructor(deps: HeldProcessDeps) {
    const { folder, record, keeper, held } = deps;
    this.#deps = deps;
    this.#state = processState(record, held !== undefined);
    this.folder = folder;
    this.ended = this.#end.promise;
    this.settled = this.#settled.promise;
    this.#spool = createSpool({ folder, maxBytes: record.spoolMaxBytes, layout: record.spool });
    this.output = createProcessOutput(this.#spool);
    this.#input = createProcessInput(
      present({ id: record.id, files: filesOf(folder), pty: record.pty, keeper, pipe: held?.input }),
    );
    this.#saver = createRecordSaver({ folder, current: () => this.record, log: deps.log });
    this.#pollTimer = createPollTimer({
      clock: deps.clock,
      poll: () => this.#poll(),
      tail: () => this.output.facts().tail,
      fault: (error) => this.#fault(error),
    });
  }

  /** What a later run of the gateway will know of it. */
  get record(): ProcessRecord {
    return this.#state.record;
  }

  /** Begins to look after it. */
  attend(): void {
    this.#behind(this.#dispatch({ type: 'attended', now: this.#deps.clock.now() }));
  }

  /** Finds out what became of one an earlier run of the gateway started, and begins to look after it. */
  takeUp(): Promise<void> {
    return this.#dispatch({ type: 'waitForReload' });
  }

  /** Brings what `view` tells about its output up to date. */
  async refreshView(): Promise<void> {
    await this.#refresh();
    await this.recountDaemons();
  }

  /** As anybody may see it. */
  view(): ProcessView {
    const { record, group } = this.#state;
    return viewOf({ record, output: this.output.facts(), now: this.#deps.clock.now(), group });
  }

  /** Resolves when it is written down. */
  change(change: RecordChange): Promise<void> {
    return this.#dispatch({ type: 'changed', change });
  }

  /** Told with each new tail, some times a second. */
  watch(watcher: (tail: string) => void): () => void {
    return this.#pollTimer.watch(watcher);
  }

  /** Resolves once a later run of the gateway would know it. */
  toBackground(): Promise<void> {
    return this.#dispatch({ type: 'backgrounded' });
  }

  /** Resolves when there is output behind the cursor, when it is over, after `ms`, or when the signal fires. */
  async news({ ms, signal }: { readonly ms: number; readonly signal: AbortSignal }): Promise<void> {
    const until = this.#deps.clock.monotonic() + ms;
    await this.#refresh();
    for (let left = ms; left > 0 && this.#quiet() && !signal.aborted; left = until - this.#deps.clock.monotonic())
      await this.#pollTimer.news({ ms: left, signal });
  }

  /** Two who ask at the same time are served one after the other. */
  readonly inTurn = createSerialQueue().run;

  /** Somebody waited for its end, and hears of it first. */
  awaited(): boolean {
    return this.#awaited;
  }

  /** Bytes written; see `ProcessInput`. */
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
    await (this.#ending ??= this.#dispatch({ type: 'endRequested', why }).finally(() => {
      this.#ending = undefined;
    }));
  }

  /** What left its group to live on; they carry its mark. */
  async endDaemons(): Promise<void> {
    await endTree({ mark: this.#deps.mark }, { graceMs: 0, scan: this.#deps.scan });
    await this.change({ daemons: [] });
  }

  /** Forgets daemons that ended meanwhile. */
  async recountDaemons(): Promise<void> {
    if (this.record.daemons.length === 0) return;
    const daemons = await stillRunning(this.record.daemons);
    if (daemons.length < this.record.daemons.length) await this.change({ daemons });
  }

  /** The gateway goes, the process stays. */
  release(): Promise<void> {
    return this.#dispatch({ type: 'released' });
  }

  /** Nothing is written to its folder any more. */
  forget(): Promise<void> {
    return this.#dispatch({ type: 'forgotten' });
  }

  /** Resolves when the effects of the event, and of all that follows from them, are done. */
  async #dispatch(event: ProcessEvent): Promise<void> {
    const [state, effects] = stepProcess(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      const result = this.#perform(effect);
      const follow = result instanceof Promise ? await result : result;
      if (follow) await this.#dispatch(follow);
    }
  }

  #perform(effect: ProcessEffect): Follow | Promise<Follow> {
    const { clock, held, hooks, log } = this.#deps;
    switch (effect.do) {
      case 'attend':
        return { type: 'attended', now: clock.now() };
      case 'listen':
        return this.#listen();
      case 'awaitReport':
        return this.#awaitReport();
      case 'startTimeout':
        this.#timeout = clock.setTimeout(() => this.#behind(this.end('timeout')), effect.ms);
        return;
      case 'cancelTimeout':
        return this.#timeout?.cancel();
      case 'startLooking':
        return this.#pollTimer.start();
      case 'stopLooking':
        this.#awaited = this.#pollTimer.awaited();
        return this.#pollTimer.stop();
      case 'refresh':
        return this.#refresh().then(() => undefined);
      case 'recountDaemons':
        return this.recountDaemons();
      case 'note':
        return this.#spool.note(effect.sentence);
      case 'end':
        return this.end(effect.why);
      case 'warnOfSurvivors':
        return log.warn('process.survives', { id: this.record.id, pids: effect.pids });
      case 'tellEnd':
        return this.#end.resolve({ ...this.view(), ...present({ status: effect.status }) });
      case 'identify':
        return this.#identify();
      case 'save':
        return this.#saver.save();
      case 'stopSaving':
        return this.#saver.stop();
      case 'keepInput':
        return this.#keepInput();
      case 'forgetInput':
        return this.#input.forget();
      case 'releaseInput':
        return this.#input.release();
      case 'releaseHolder':
        return held?.release();
      case 'callOnEnd':
        return hooks
          ?.onEnd?.()
          .catch((error: unknown) => log.warn('process.end', { id: this.record.id, error: String(error) }));
      case 'settle':
        return this.#settled.resolve();
      case 'notifyChanged':
        return this.#deps.changed(this);
      case 'notifyOver':
        return this.#deps.over(this);
      case 'endTree':
        return this.#endTree(effect);
      default:
        return this.#answer(effect);
    }
  }

  #answer(inquiry: Inquiry): Promise<ProcessEvent | undefined> {
    const { folder, mark, scan, clock, log, hooks } = this.#deps;
    return answerInquiry(inquiry, this.#state, { folder, mark, scan, clock, log, hooks, spool: this.#spool });
  }

  async #endTree(inquiry: Extract<Inquiry, { readonly do: 'endTree' }>): Promise<ProcessEvent | undefined> {
    try {
      return await this.#answer(inquiry);
    } catch (error) {
      await this.#dispatch({ type: 'treeNotEnded' });
      throw error;
    }
  }

  #listen(): void {
    this.#reported = this.#deps.held?.exited.then((exit) =>
      this.#dispatch({ type: 'exited', exit, at: this.#deps.clock.now() }),
    );
    if (this.#reported) this.#behind(this.#reported);
  }

  async #awaitReport(): Promise<void> {
    if (this.#reported) await settlesWithin(this.#reported, UNREPORTED_MS, this.#deps.clock);
  }

  /**
   * Writes down who holds it, so that a later run of the gateway can tell its holder from another process of that
   * number. Most commands are over before the first look; one whose gateway dies even earlier is found by its mark.
   */
  async #identify(): Promise<ProcessEvent | undefined> {
    const { holder } = this.record;
    if (!this.#state.ours || !holder) return undefined;
    const birth = await (this.#identified ??= startTimeOf(holder.pid));
    return birth ? { type: 'identified', birth } : undefined;
  }

  /** Without somebody to keep it open a command may see the end of its input when we go; it runs all the same. */
  async #keepInput(): Promise<ProcessEvent> {
    try {
      await this.#input.keep();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#deps.log.warn('process.input', { id: this.record.id, error: error.message });
    }
    return { type: 'inputKept' };
  }

  async #poll(): Promise<boolean> {
    const identified = await this.#identify();
    if (identified) await this.#dispatch(identified);
    await this.#input.settle();
    const grew = await this.#refresh();
    await this.#dispatch({ type: 'polled', at: this.#deps.clock.monotonic() });
    if (grew) this.#deps.grew(this);
    return grew;
  }

  #quiet(): boolean {
    return !this.record.over && !this.#state.released && this.#spool.end() <= this.record.cursor;
  }

  /** Nobody waits for this; a fault in it must not end the gateway. */
  #behind(work: Promise<void>): void {
    work.catch((error: unknown) => this.#fault(error));
  }

  #fault(error: unknown): void {
    this.#deps.log.error('process.fault', {
      id: this.record.id,
      error: error instanceof Error ? error.message : String(error),
    });
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
