/**
 * Runs the process lifecycle with a simulated system: effects are performed one at a time, in the order the test
 * chooses, and the invariants are checked at each step.
 */
import assert from 'node:assert/strict';
import type { EndReason } from '../core/shell.ts';
import {
  processState,
  type ProcessEffect,
  type ProcessEvent,
  type ProcessState,
} from '../features/exec/processes/lifecycle/process-state.ts';
import { stepProcess } from '../features/exec/processes/lifecycle/step-process.ts';
import type { ProcessRecord } from '../features/exec/processes/process-record.ts';
import { processRecord } from './process-record.ts';

export interface ProcessSetting {
  readonly ours: boolean;
  readonly unreported: boolean;
  readonly endFails: number;
  readonly guard: boolean;
  readonly leavesDaemons: boolean;
}

export type ProcessCommand =
  /** Carries out the next effect of one of the threads. */
  | { readonly do: 'step'; readonly thread: number }
  | { readonly do: 'exit'; readonly code: number; readonly leaves: boolean }
  | { readonly do: 'end'; readonly why: EndReason }
  | { readonly do: 'write' | 'poll' | 'group ends' | 'background' | 'tell' | 'release' };

export interface ProcessHarness {
  readonly state: ProcessState;
  play(command: ProcessCommand): void;
  /** Carries out all effects there are, looks now and then, until nothing is left to do. */
  settle(): void;
  assertOver(): void;
  alive(): boolean;
  groupAlive(): boolean;
  /** What a later run of the gateway would read. */
  written(): ProcessRecord | undefined;
}

/** What one event brought about, the innermost last: a list goes on when what it called for is done. */
type Thread = ProcessEffect[][];

class Harness implements ProcessHarness {
  state: ProcessState;
  readonly #setting: ProcessSetting;
  readonly #threads: Thread[] = [];
  readonly #counts = new Map<ProcessEffect['do'], number>();
  #now = 2_000;
  #command: 'runs' | number = 'runs';
  #group = false;
  #output = 0;
  #seen = 0;
  #listens = false;
  #timer = false;
  #polls = false;
  #inputKept = false;
  #fails: number;
  #saves = true;
  #disk: ProcessRecord | undefined;

  constructor(setting: ProcessSetting) {
    this.#setting = setting;
    this.#fails = setting.endFails;
    this.state = processState(processRecord({ background: !setting.ours }), setting.ours);
    this.#disk = setting.ours ? undefined : this.state.record;
    this.#happen(setting.ours ? { type: 'attended', now: this.#now } : { type: 'waitForReload' });
    this.#runThrough();
  }

  alive = (): boolean => this.#command === 'runs';
  groupAlive = (): boolean => this.#group;
  written = (): ProcessRecord | undefined => this.#disk;

  play(command: ProcessCommand): void {
    this.#now += 10;
    switch (command.do) {
      case 'step':
        return this.#step(command.thread);
      case 'write':
        if (this.alive() || this.#group) this.#output++;
        return;
      case 'exit':
        return this.alive() ? this.#exit(command.code, command.leaves, true) : undefined;
      case 'group ends':
        if (!this.alive()) this.#group = false;
        return;
      case 'poll':
        return this.#polls ? this.#happen({ type: 'polled', at: this.#now }) : undefined;
      case 'end':
        return this.#happen({ type: 'endRequested', why: command.why });
      case 'background':
        return this.#happen({ type: 'backgrounded' });
      case 'tell':
        return this.#happen({ type: 'changed', change: { told: true } });
      case 'release':
        return this.#happen({ type: 'released' });
    }
  }

  settle(): void {
    for (let round = 0; round < 5; round++) {
      this.#runThrough();
      this.#now += 1_000;
      this.play({ do: 'poll' });
    }
    this.#runThrough();
  }

  assertOver(): void {
    const { record } = this.state;
    assert.deepEqual([record.over, this.alive(), this.#group], [true, false, false]);
    assert.deepEqual([this.#count('finishOutput'), this.#count('callOnEnd')], [1, 1], 'ends once');
    assert.ok(this.#count('settle') > 0 && this.#count('notifyOver') > 0);
    assert.deepEqual([this.#timer, this.#polls, this.#inputKept], [false, false, false], 'all of it is let go');
    if (record.background) assert.deepEqual(this.#disk, record, 'a later run knows how it ended');
  }

  #count = (what: ProcessEffect['do']): number => this.#counts.get(what) ?? 0;

  #happen(event: ProcessEvent, thread?: Thread): void {
    const before = this.state;
    const [state, effects] = stepProcess(before, event);
    this.state = state;
    assertForward(before, state);
    if (thread) thread.push([...effects]);
    else this.#threads.push([[...effects]]);
  }

  #exit(code: number, leaves: boolean, reported: boolean): void {
    this.#command = code;
    this.#group = leaves;
    if (this.#listens && reported) this.#report(code);
  }

  #report(code: number): void {
    this.#happen({ type: 'exited', exit: { code, signal: null }, at: this.#now });
  }

  #step(nth: number): void {
    const thread = this.#threads[nth % Math.max(1, this.#threads.length)];
    if (!thread) return;
    const effect = thread.at(-1)?.shift();
    if (effect) this.#perform(effect, thread);
    else thread.pop();
    if (thread.length === 0) this.#threads.splice(this.#threads.indexOf(thread), 1);
  }

  #runThrough(): void {
    for (let left = 1_000; this.#threads.length > 0; left--) {
      assert.ok(left > 0, 'there is always more to do');
      this.#step(0);
    }
  }

  #perform(effect: ProcessEffect, thread: Thread): void {
    this.#counts.set(effect.do, this.#count(effect.do) + 1);
    const answer = this.#answer(effect);
    if (answer) this.#happen(answer, thread);
  }

  /** What the system makes of it, and the event that answers. */
  #answer(effect: ProcessEffect): ProcessEvent | undefined {
    switch (effect.do) {
      case 'attend':
        return { type: 'attended', now: this.#now };
      case 'end':
        return { type: 'endRequested', why: effect.why };
      case 'endTree':
        return this.#endTree(effect.pid);
      case 'concludeKill':
        return this.#exited(typeof this.#command === 'number' ? this.#command : null);
      case 'findExit':
        return typeof this.#command === 'number' ? this.#exited(this.#command) : { type: 'stillRuns' };
      case 'findGroup':
        return { type: 'groupFound', group: this.#group ? [{ pid: 8, name: 'child' }] : [] };
      case 'findDaemons':
        return { type: 'daemonsFound', daemons: this.#setting.leavesDaemons ? [{ pid: 9, birth: '', name: 'd' }] : [] };
      case 'askGuard':
        return this.#setting.guard ? { type: 'objected', sentence: 'No.' } : undefined;
      case 'finishOutput':
        assert.equal(this.#seen, this.#output, 'the end comes before the last output was seen');
        return { type: 'outputSeen', diskFull: false, spool: this.state.record.spool };
      case 'tellEnd':
        assert.ok(!this.alive(), 'an end is told of a command that runs');
        return undefined;
      case 'keepInput':
        this.#inputKept = true;
        return { type: 'inputKept' };
      case 'identify':
        return { type: 'identified', birth: 'b' };
      default:
        return this.#act(effect.do);
    }
  }

  #act(what: ProcessEffect['do']): undefined {
    if (what === 'listen') this.#listens = true;
    else if (what === 'startTimeout') this.#timer = true;
    else if (what === 'cancelTimeout') this.#timer = false;
    else if (what === 'startLooking') this.#polls = true;
    else if (what === 'stopLooking') this.#polls = false;
    else if (what === 'refresh') this.#seen = this.#output;
    else if (what === 'forgetInput' || what === 'releaseInput') this.#inputKept = false;
    else if (what === 'stopSaving') this.#saves = false;
    else if (what === 'save' && this.#saves) this.#disk = this.state.record;
  }

  #exited(code: number | null): ProcessEvent {
    return { type: 'exited', exit: { code, signal: code === null ? 'SIGKILL' : null }, at: this.#now };
  }

  #endTree(pid: number | undefined): ProcessEvent {
    if (this.#fails-- > 0) return { type: 'treeNotEnded' };
    assert.ok(pid !== undefined || !this.alive(), 'a command that runs is ended by its number, too');
    if (this.alive()) this.#exit(137, false, !this.#setting.unreported);
    this.#group = false;
    return { type: 'treeEnded', survivors: [] };
  }
}

/** What never changes back. */
function assertForward(
  { record: was, why, phase }: ProcessState,
  { record: is, why: whyNow, phase: now }: ProcessState,
): void {
  if (was.outcome) assert.equal(is.outcome, was.outcome, 'a second outcome');
  if (why) assert.equal(whyNow, why, 'the first reason counts');
  for (const flag of ['background', 'told', 'over', 'inputClosed'] as const) assert.ok(!was[flag] || is[flag], flag);
  const phases = ['found', 'running', 'ended', 'outlived', 'closing', 'over'];
  assert.ok(phases.indexOf(now) >= phases.indexOf(phase), `from ${phase} back to ${now}`);
  assert.equal(is.over, now === 'over');
}

export const createProcessHarness = (setting: ProcessSetting): ProcessHarness => new Harness(setting);
