/**
 * The lifecycle of a supervised process as a state machine: `(state, event) → [state, effects]`. In the foreground or
 * the background, ended once for one reason. Pure.
 */
import type { EndReason } from '../../../../core/shell.ts';
import { POLL_MS } from '../poll-timer.ts';
import { KILLED, lostOutcome, outcomeOf, type Exit } from '../outcome.ts';
import type { Outcome, ProcessRecord } from '../process-record.ts';
import type { Member, ProcessEffect, ProcessEvent, ProcessState, ProcessStep } from './process-state.ts';

/** Milliseconds between asking and making it end. */
const GRACE_MS = 300;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What an event makes of a process; one that is out of date changes nothing. */
export function stepProcess(state: ProcessState, event: ProcessEvent): ProcessStep {
  switch (event.type) {
    case 'attended':
      return [state, attended(state, event.now)];
    case 'waitForReload':
      return [state, waitForReload(state)];
    case 'polled':
      return polled(state, event.at);
    case 'identified':
      return identified(state, event.birth);
    case 'exited':
      return exited(state, event.exit, event.at);
    case 'stillRuns':
      return stillRuns(state);
    case 'groupFound':
      return groupFound(state, event.group);
    case 'objected':
      return [state, objected(state, event.sentence)];
    case 'lastWordGiven':
      return [state, [{ do: 'note', sentence: event.sentence }]];
    case 'endRequested':
      return endRequested(state, event.why);
    case 'treeEnded':
      return treeEnded(state, event.survivors);
    case 'treeNotEnded':
      return treeNotEnded(state);
    case 'outputSeen':
      return outputSeen(state, event);
    case 'daemonsFound':
      return daemonsFound(state, event.daemons);
    case 'backgrounded':
      return backgrounded(state);
    case 'inputKept':
      return [state, state.record.over ? [{ do: 'forgetInput' }] : []];
    case 'changed':
      return [withRecord(state, event.change), [{ do: 'save' }]];
    case 'released':
      return [{ ...state, released: true }, RELEASE];
    case 'forgotten':
      return [{ ...state, released: true }, [{ do: 'stopSaving' }]];
  }
}

const RELEASE: readonly ProcessEffect[] = [
  { do: 'stopLooking' },
  { do: 'cancelTimeout' },
  { do: 'releaseHolder' },
  { do: 'releaseInput' },
  { do: 'save' },
  { do: 'stopSaving' },
];

const withRecord = (state: ProcessState, change: Partial<ProcessRecord>): ProcessState => ({
  ...state,
  record: { ...state.record, ...change },
});

function attended({ record, ours }: ProcessState, now: number): ProcessEffect[] {
  if (record.over) return [{ do: 'settle' }];
  const left = Math.max(0, record.startedAt + record.timeoutMs - now);
  return [
    ...(ours ? [{ do: 'listen' } as const] : []),
    ...(record.timeoutMs > 0 ? [{ do: 'startTimeout', ms: Math.min(MAX_TIMER_MS, left) } as const] : []),
    { do: 'startLooking' },
  ];
}

/** Finds out what became of one an earlier run of the gateway started, then looks after it. */
function waitForReload({ phase }: ProcessState): ProcessEffect[] {
  const inquiry: ProcessEffect[] =
    phase === 'outlived' ? [{ do: 'findGroup' }] : phase === 'found' ? [{ do: 'findExit' }] : [];
  return [{ do: 'refresh' }, { do: 'recountDaemons' }, ...inquiry, { do: 'attend' }];
}

function polled(state: ProcessState, at: number): ProcessStep {
  const { phase, ours, ending, checkedAt } = state;
  const due = at - checkedAt >= POLL_MS.idle;
  const next = due ? { ...state, checkedAt: at } : state;
  if (phase === 'running' && !ours) return [next, [{ do: 'findExit' }]];
  if (phase === 'running' && due && ending === 'no') return [next, [{ do: 'askGuard' }]];
  return [next, phase === 'outlived' && due ? [{ do: 'findGroup' }] : []];
}

function identified(state: ProcessState, birth: string): ProcessStep {
  const { holder, over } = state.record;
  if (!holder || over || holder.birth === birth) return [state, []];
  return [withRecord(state, { holder: { ...holder, birth } }), [{ do: 'save' }]];
}

function stillRuns(state: ProcessState): ProcessStep {
  if (state.phase !== 'found') return [state, []];
  return [{ ...state, phase: 'running' }, state.record.inputClosed ? [] : [{ do: 'keepInput' }]];
}

/** The command ended. While its tree is being ended, what comes next waits for that. */
function exited(state: ProcessState, exit: Exit | 'lost', at: number): ProcessStep {
  if (state.record.outcome || state.released) return [state, []];
  const next: ProcessState = { ...withRecord(state, { outcome: outcomeFor(exit, at, state.why) }), phase: 'ended' };
  if (next.ending === 'asked') return [next, []];
  if (next.ending === 'done') return close(next);
  return [next, [...(next.why ? [] : [{ do: 'askLastWord' } as const]), { do: 'findGroup' }]];
}

function outcomeFor(exit: Exit | 'lost', at: number, why: EndReason | undefined): Outcome {
  if (exit !== 'lost') return outcomeOf(exit, at, why);
  return why ? outcomeOf(KILLED, at, why) : lostOutcome(at);
}

function groupFound(state: ProcessState, group: readonly Member[]): ProcessStep {
  if (state.phase === 'outlived') return group.length === 0 ? close(state) : [{ ...state, group }, []];
  if (state.phase !== 'ended' || state.ending === 'asked') return [state, []];
  return group.length === 0 ? close(state) : outlive({ ...state, group });
}

/** The result is known; its group goes on in the background, and whoever waited for the result has heard of it. */
function outlive(state: ProcessState): ProcessStep {
  const { outcome } = state.record;
  return [
    { ...kept(state), phase: 'outlived' },
    [
      { do: 'refresh' },
      { do: 'tellEnd', status: outcome?.exitCode === 0 ? 'completed' : 'failed' },
      { do: 'save' },
      { do: 'settle' },
      { do: 'notifyChanged' },
    ],
  ];
}

/** One of the foreground left something to look after: from now on it is in the background, and nothing is told. */
function kept(state: ProcessState): ProcessState {
  const { told, background } = state.record;
  return withRecord(state, { background: true, told: told || !background });
}

const objected = ({ phase, ending }: ProcessState, sentence: string): ProcessEffect[] =>
  phase === 'running' && ending === 'no'
    ? [
        { do: 'note', sentence },
        { do: 'end', why: 'killed' },
      ]
    : [];

/** Asked first, but for `killed`. */
function endRequested(state: ProcessState, why: EndReason): ProcessStep {
  const { record, group, phase, ending } = state;
  if (phase === 'over') return [state, []];
  const next = { ...state, why: state.why ?? why };
  if (ending !== 'no') return [next, []];
  // A number whose process ended may be another's, as long as no group bears it.
  const pid = !record.outcome || group.length > 0 ? record.holder?.pid : undefined;
  return [{ ...next, ending: 'asked' }, [{ do: 'endTree', graceMs: why === 'killed' ? 0 : GRACE_MS, pid }]];
}

function treeEnded(state: ProcessState, survivors: readonly number[]): ProcessStep {
  const next: ProcessState = { ...state, ending: 'done' };
  const warned: ProcessEffect[] = survivors.length > 0 ? [{ do: 'warnOfSurvivors', pids: survivors }] : [];
  if (!next.record.outcome)
    return [next, [...warned, ...(next.ours ? [{ do: 'awaitReport' } as const] : []), { do: 'concludeKill' }]];
  const [closing, effects] = close(next);
  return [closing, [...warned, ...effects]];
}

/** The next request tries again; should the command have ended meanwhile, its group tells whether all of it did. */
const treeNotEnded = (state: ProcessState): ProcessStep => [
  { ...state, ending: 'no' },
  state.phase === 'ended' ? [{ do: 'findGroup' }] : [],
];

/** All of it ended: what it wrote last is read before anybody hears of the end. */
function close(state: ProcessState): ProcessStep {
  if (state.released || state.phase === 'closing' || state.phase === 'over') return [state, []];
  return [
    { ...state, phase: 'closing', group: [] },
    [{ do: 'cancelTimeout' }, { do: 'refresh' }, { do: 'finishOutput' }],
  ];
}

function outputSeen(
  state: ProcessState,
  { diskFull, spool }: { readonly diskFull: boolean; readonly spool: ProcessRecord['spool'] },
): ProcessStep {
  if (state.phase !== 'closing') return [state, []];
  const missing = diskFull && state.record.outcome?.exitCode !== 0;
  return [
    { ...withRecord(state, { over: true, inputClosed: true, diskFull: missing, spool }), phase: 'over' },
    [
      { do: 'tellEnd' },
      ...(state.record.background ? [{ do: 'save' } as const] : []),
      { do: 'stopLooking' },
      { do: 'forgetInput' },
      ...(state.why ? [] : [{ do: 'findDaemons' } as const]),
      { do: 'callOnEnd' },
      { do: 'settle' },
      { do: 'notifyChanged' },
      { do: 'notifyOver' },
    ],
  ];
}

function daemonsFound(state: ProcessState, daemons: ProcessRecord['daemons']): ProcessStep {
  return daemons.length === 0 ? [state, []] : [withRecord(kept(state), { daemons }), [{ do: 'save' }]];
}

function backgrounded(state: ProcessState): ProcessStep {
  const { background, outcome, over } = state.record;
  if (background) return [state, []];
  return [
    withRecord(state, { background: true }),
    [
      { do: 'identify' },
      ...(outcome ? [] : [{ do: 'keepInput' } as const]),
      { do: 'save' },
      ...(over ? [{ do: 'forgetInput' } as const] : []),
      { do: 'notifyChanged' },
      ...(over ? [{ do: 'notifyOver' } as const] : []),
    ],
  ];
}
