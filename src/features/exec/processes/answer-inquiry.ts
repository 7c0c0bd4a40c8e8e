/** Answers the questions of the process lifecycle to the system; each answer is an event. */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import type { Clock } from '../../../platform/clock.ts';
import { stillRuns } from '../../../platform/process-identity.ts';
import type { Spool } from '../platform/spool.ts';
import type { ProcessScan } from '../platform/process-scan.ts';
import { endTree } from '../platform/tree.ts';
import { diskIsFull } from './disk-full.ts';
import { daemonsOf, groupOf } from './orphans.ts';
import type { Inquiry, ProcessEvent, ProcessState } from './lifecycle/process-state.ts';
import { KILLED } from './outcome.ts';
import { readExitCode } from './process-record.ts';
import type { ProcessSpec } from './process-spec.ts';

/** Whom to ask. */
export interface InquiryDeps {
  readonly folder: string;
  /** The value of the mark everything it starts inherits. */
  readonly mark: string;
  readonly spool: Spool;
  /** Shared by all that end at the same time. */
  readonly scan: ProcessScan;
  readonly clock: Clock;
  readonly log: Log;
  readonly hooks?: Pick<ProcessSpec, 'guard' | 'lastWord'> | undefined;
}

type Answer = ProcessEvent | undefined;

/** Milliseconds until one that is just becoming another program shows its mark. */
const SETTLE_MS = 100;

/** The answer as an event; undefined: there is nothing to say. */
export async function answerInquiry(inquiry: Inquiry, state: ProcessState, deps: InquiryDeps): Promise<Answer> {
  const { folder, mark, clock } = deps;
  const left = { pid: state.record.holder?.pid, mark };
  switch (inquiry.do) {
    case 'findExit':
      return findExit(state, deps);
    case 'concludeKill': {
      const code = (await readExitCode(folder)) ?? null;
      return { type: 'exited', exit: { ...KILLED, code }, at: clock.now() };
    }
    case 'findGroup':
      return { type: 'groupFound', group: await groupOf(left, state.ours) };
    case 'findDaemons':
      return { type: 'daemonsFound', daemons: await daemonsOf(left, () => clock.sleep(SETTLE_MS)) };
    case 'askGuard': {
      const sentence = left.pid === undefined ? undefined : await deps.hooks?.guard?.(left.pid);
      return sentence ? { type: 'objected', sentence } : undefined;
    }
    case 'askLastWord':
      return askLastWord(state, deps);
    case 'endTree': {
      const { pid, graceMs } = inquiry;
      const survivors = await endTree(present({ mark, pid }), { graceMs, scan: deps.scan });
      return { type: 'treeEnded', survivors: survivors.map((row) => row.pid) };
    }
    case 'finishOutput': {
      const diskFull = state.record.outcome?.exitCode !== 0 && (await diskIsFull(folder));
      return { type: 'outputSeen', diskFull, spool: deps.spool.layout() };
    }
  }
}

/** Of a process whose end nobody reports: the holder leaves its code. */
async function findExit({ record: { holder } }: ProcessState, { folder, clock }: InquiryDeps): Promise<Answer> {
  const runs = holder !== undefined && (await stillRuns(holder.pid, holder.birth));
  const code = await readExitCode(folder);
  if (code !== undefined) return { type: 'exited', exit: { code, signal: null }, at: clock.now() };
  return runs ? { type: 'stillRuns' } : { type: 'exited', exit: 'lost', at: clock.now() };
}

async function askLastWord({ record }: ProcessState, { hooks, log }: InquiryDeps): Promise<Answer> {
  try {
    const sentence = await hooks?.lastWord?.();
    return sentence ? { type: 'lastWordGiven', sentence } : undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn('process.end', { id: record.id, error: error.message });
    return undefined;
  }
}
