/** The state of a supervised process, its events and effects. */
import type { EndReason, ProcessView } from '../../../../core/shell.ts';
import type { Exit } from '../outcome.ts';
import type { ProcessRecord } from '../process-record.ts';

/** How far a process has come. */
export type Phase =
  /** An earlier run of the gateway started it; whether it still runs is not known yet. */
  | 'found'
  | 'running'
  /** The command ended; what it left in its group is not known yet. */
  | 'ended'
  /** The command ended, members of its group go on: they are part of it. */
  | 'outlived'
  /** All of it ended; the last of its output is read. */
  | 'closing'
  | 'over';

/** A process of its group, or one that left it. */
export interface Member {
  readonly pid: number;
  readonly name: string;
}

/** All that is known of a held process but its output. */
export interface ProcessState {
  /** What a later run of the gateway will know, too. */
  readonly record: ProcessRecord;
  readonly phase: Phase;
  /** A child of this gateway: its end is reported. */
  readonly ours: boolean;
  /** Its group without itself, after it ended. */
  readonly group: readonly Member[];
  /** Why we end it; the first reason counts. */
  readonly why: EndReason | undefined;
  /** Whether its tree is being ended. */
  readonly ending: 'no' | 'asked' | 'done';
  /** The gateway goes, or has forgotten it. */
  readonly released: boolean;
  /** When it was last looked at closely; on the monotonic clock. */
  readonly checkedAt: number;
}

/** What may change of a record at any time, whatever the process does. */
export type RecordChange = Partial<Pick<ProcessRecord, 'told' | 'cursor' | 'daemons' | 'spool' | 'inputClosed'>>;

/** What happens to a process. */
export type ProcessEvent =
  /** It is looked after from now on; `now` is the time of day. */
  | { readonly type: 'attended'; readonly now: number }
  /** An earlier run of the gateway left it behind. */
  | { readonly type: 'waitForReload' }
  /** Time for a look; `at` is on the monotonic clock. */
  | { readonly type: 'polled'; readonly at: number }
  | { readonly type: 'identified'; readonly birth: string }
  | { readonly type: 'exited'; readonly exit: Exit | 'lost'; readonly at: number }
  | { readonly type: 'stillRuns' }
  | { readonly type: 'groupFound'; readonly group: readonly Member[] }
  /** A limit was passed; the sentence belongs into its output. */
  | { readonly type: 'objected'; readonly sentence: string }
  | { readonly type: 'lastWordGiven'; readonly sentence: string }
  | { readonly type: 'endRequested'; readonly why: EndReason }
  | { readonly type: 'treeEnded'; readonly survivors: readonly number[] }
  /** It could not be tried. */
  | { readonly type: 'treeNotEnded' }
  /** All of its output was seen. */
  | { readonly type: 'outputSeen'; readonly diskFull: boolean; readonly spool: ProcessRecord['spool'] }
  | { readonly type: 'daemonsFound'; readonly daemons: ProcessRecord['daemons'] }
  | { readonly type: 'backgrounded' }
  | { readonly type: 'inputKept' }
  | { readonly type: 'changed'; readonly change: RecordChange }
  /** The gateway goes, the process stays. */
  | { readonly type: 'released' }
  /** Its folder goes. */
  | { readonly type: 'forgotten' };

/** What the driver has to find out; the answer is the event named beside it. */
export type Inquiry =
  /** `exited`, or `stillRuns`. */
  | { readonly do: 'findExit' }
  /** `exited`, with the code the holder left, or as killed. */
  | { readonly do: 'concludeKill' }
  /** `groupFound`. */
  | { readonly do: 'findGroup' }
  /** `daemonsFound`. */
  | { readonly do: 'findDaemons' }
  /** `objected`, or nothing. */
  | { readonly do: 'askGuard' }
  /** `lastWordGiven`, or nothing. */
  | { readonly do: 'askLastWord' }
  /** `treeEnded`, or `treeNotEnded`. Without `pid` only what bears its mark: the number may be another's. */
  | { readonly do: 'endTree'; readonly graceMs: number; readonly pid: number | undefined }
  /** `outputSeen`. */
  | { readonly do: 'finishOutput' };

/** What the driver has to do, one after the other. */
export type ProcessEffect =
  | Inquiry
  /** `attended`. */
  | { readonly do: 'attend' }
  /** `exited`, when its end is reported. */
  | { readonly do: 'listen' }
  /** Wait a little for the report of its end. */
  | { readonly do: 'awaitReport' }
  | { readonly do: 'startTimeout'; readonly ms: number }
  | { readonly do: 'cancelTimeout' }
  | { readonly do: 'startLooking' }
  | { readonly do: 'stopLooking' }
  | { readonly do: 'refresh' }
  | { readonly do: 'recountDaemons' }
  /** Into its output. */
  | { readonly do: 'note'; readonly sentence: string }
  | { readonly do: 'end'; readonly why: EndReason }
  | { readonly do: 'warnOfSurvivors'; readonly pids: readonly number[] }
  /** To whoever waits for its result; `status` when its group still runs. */
  | { readonly do: 'tellEnd'; readonly status?: ProcessView['status'] }
  /** `identified`; once. */
  | { readonly do: 'identify' }
  | { readonly do: 'save' }
  | { readonly do: 'stopSaving' }
  /** `inputKept`. */
  | { readonly do: 'keepInput' }
  | { readonly do: 'forgetInput' }
  | { readonly do: 'releaseInput' }
  | { readonly do: 'releaseHolder' }
  | { readonly do: 'callOnEnd' }
  /** What it leaves behind is known. */
  | { readonly do: 'settle' }
  | { readonly do: 'notifyChanged' }
  | { readonly do: 'notifyOver' };

/** The new state and what the driver has to do. */
export type ProcessStep = readonly [ProcessState, readonly ProcessEffect[]];

/** A process before anything happens to it. */
export function processState(record: ProcessRecord, ours: boolean): ProcessState {
  const begun = ours ? 'running' : 'found';
  return {
    record,
    phase: record.over ? 'over' : record.outcome ? 'outlived' : begun,
    ours,
    group: [],
    why: undefined,
    ending: 'no',
    released: false,
    checkedAt: 0,
  };
}
