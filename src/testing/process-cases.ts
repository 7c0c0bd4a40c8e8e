/** Cases of the process lifecycle: previous events, one event, and the expected effects. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  processState,
  type Phase,
  type ProcessEffect,
  type ProcessEvent,
  type ProcessState,
} from '../features/exec/processes/lifecycle/process-state.ts';
import { stepProcess } from '../features/exec/processes/lifecycle/step-process.ts';
import type { ProcessRecord } from '../features/exec/processes/process-record.ts';
import { processRecord } from './process-record.ts';

interface ProcessCase {
  readonly name: string;
  readonly record?: Partial<ProcessRecord>;
  /** An earlier run of the gateway started it. */
  readonly foreign?: boolean;
  /** What happened before; its effects are not looked at. */
  readonly after?: readonly ProcessEvent[];
  readonly event: ProcessEvent;
  readonly effects: readonly string[];
  /** What it is then, as far as the case is about it. */
  readonly phase?: Phase;
  readonly changed?: Partial<ProcessRecord>;
}

export const AT = 5_000;
export const group = [{ pid: 8, name: 'sleep' }];
export const daemons = [{ pid: 9, birth: 'b', name: 'daemon' }];
export const spool = { headBytes: 3, recentStart: 0, recentBytes: 0, outStart: 0 };

export const exited = (code = 0): ProcessEvent => ({ type: 'exited', exit: { code, signal: null }, at: AT });
export const lost: ProcessEvent = { type: 'exited', exit: 'lost', at: AT };
export const forced: ProcessEvent = { type: 'exited', exit: { code: null, signal: 'SIGKILL' }, at: AT };
export const found = (...members: typeof group): ProcessEvent => ({ type: 'groupFound', group: members });
export const end = (why: 'killed' | 'aborted' | 'timeout'): ProcessEvent => ({ type: 'endRequested', why });
export const treeEnded: ProcessEvent = { type: 'treeEnded', survivors: [] };
export const treeNotEnded: ProcessEvent = { type: 'treeNotEnded' };
export const outputSeen: ProcessEvent = { type: 'outputSeen', diskFull: false, spool };
export const backgrounded: ProcessEvent = { type: 'backgrounded' };
export const polled = (at: number): ProcessEvent => ({ type: 'polled', at });
export const released: ProcessEvent = { type: 'released' };
export const over = [exited(), found(), outputSeen];

export const CLOSE = ['cancelTimeout', 'refresh', 'finishOutput'];
export const INQUEST = ['askLastWord', 'findGroup'];
export const HERITAGE = ['findDaemons', 'callOnEnd', 'settle', 'notifyChanged', 'notifyOver'];
export const outcome = { at: AT, exitCode: 0, reason: 'exit' } as const;

const written = ({ do: what, ...more }: ProcessEffect): string =>
  [what, ...Object.entries(more).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' ');

/** Each row a test. */
export function cases(rows: readonly ProcessCase[]): void {
  for (const { name, record = {}, foreign = false, after = [], event, effects, phase, changed = {} } of rows)
    it(name, () => {
      const begun = processState(processRecord(record), !foreign);
      const before = after.reduce<ProcessState>((state, each) => stepProcess(state, each)[0], begun);
      const [state, follow] = stepProcess(before, event);
      assert.deepEqual(follow.map(written), effects);
      assert.equal(state.phase, phase ?? before.phase);
      assert.deepEqual(state.record, { ...before.record, ...changed });
    });
}
