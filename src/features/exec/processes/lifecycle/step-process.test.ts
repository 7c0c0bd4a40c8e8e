/** The lifecycle of a held process as a state machine: what each event makes of it, one row a case. */
import { describe } from 'node:test';
import {
  AT,
  group,
  daemons,
  spool,
  exited,
  found,
  end,
  outputSeen,
  backgrounded,
  polled,
  over,
  CLOSE,
  INQUEST,
  HERITAGE,
  outcome,
  cases,
} from '../../../../testing/process-cases.ts';
import type { ProcessEvent } from './process-state.ts';

describe('looked after', () => {
  cases([
    {
      name: 'ours, with a timeout',
      event: { type: 'attended', now: 3_000 },
      effects: ['listen', 'startTimeout ms=8000', 'startLooking'],
    },
    {
      name: 'no timeout, no timer',
      record: { timeoutMs: 0 },
      event: { type: 'attended', now: 3_000 },
      effects: ['listen', 'startLooking'],
    },
    {
      name: 'the timeout counts from the start',
      foreign: true,
      event: { type: 'attended', now: 60_000 },
      effects: ['startTimeout ms=0', 'startLooking'],
    },
    {
      name: 'a timeout longer than timers are',
      record: { timeoutMs: 2 ** 40 },
      event: { type: 'attended', now: 1_000 },
      effects: ['listen', 'startTimeout ms=2147483647', 'startLooking'],
    },
    { name: 'over already', record: { outcome, over: true }, event: { type: 'attended', now: 0 }, effects: ['settle'] },
    { name: 'the guard is asked', event: polled(1_000), effects: ['askGuard'] },
    { name: 'not with each look', after: [polled(1_000)], event: polled(1_900), effects: [] },
    {
      name: 'the exit of a foreign one is looked for with each look',
      foreign: true,
      after: [{ type: 'stillRuns' }, polled(1_000)],
      event: polled(1_050),
      effects: ['findExit'],
    },
    {
      name: 'a group that outlived it',
      after: [exited(), found(...group)],
      event: polled(1_000),
      effects: ['findGroup'],
    },
    { name: 'nothing while it is being ended', after: [end('aborted')], event: polled(1_000), effects: [] },
    { name: 'nothing when it is over', after: over, event: polled(1_000), effects: [] },
    {
      name: 'its holder is written down',
      event: { type: 'identified', birth: 'b' },
      effects: ['save'],
      changed: { holder: { pid: 7, birth: 'b' } },
    },
    {
      name: 'its holder is written down once',
      after: [{ type: 'identified', birth: 'b' }],
      event: { type: 'identified', birth: 'b' },
      effects: [],
    },
    {
      name: 'what others change is saved',
      event: { type: 'changed', change: { cursor: 4, told: true } },
      effects: ['save'],
      changed: { cursor: 4, told: true },
    },
  ]);
});

describe('ends by itself', () => {
  cases([
    {
      name: 'first its last word and its group',
      event: exited(),
      effects: INQUEST,
      phase: 'ended',
      changed: { outcome },
    },
    {
      name: 'a code above 128 names a signal',
      event: exited(137),
      effects: INQUEST,
      phase: 'ended',
      changed: { outcome: { at: AT, exitCode: 137, exitSignal: 'SIGKILL', reason: 'signal' } },
    },
    {
      name: 'a last word goes into its output',
      after: [exited()],
      event: { type: 'lastWordGiven', sentence: 'Too big.' },
      effects: ['note sentence="Too big."'],
    },
    {
      name: 'nobody left: its output is read to the end',
      after: [exited()],
      event: found(),
      effects: CLOSE,
      phase: 'closing',
    },
    { name: 'only once', after: [exited()], event: exited(3), effects: [] },
    {
      name: 'in the foreground: told, and nothing saved',
      after: [exited(), found()],
      event: outputSeen,
      effects: ['tellEnd', 'stopLooking', 'forgetInput', ...HERITAGE],
      phase: 'over',
      changed: { over: true, inputClosed: true, spool },
    },
    {
      name: 'in the background: saved, too',
      after: [backgrounded, exited(), found()],
      event: outputSeen,
      effects: ['tellEnd', 'save', 'stopLooking', 'forgetInput', ...HERITAGE],
      phase: 'over',
      changed: { over: true, inputClosed: true, spool },
    },
    {
      name: 'on a full disk, well: nothing is missing',
      after: [exited(), found()],
      event: { ...outputSeen, diskFull: true } as ProcessEvent,
      effects: ['tellEnd', 'stopLooking', 'forgetInput', ...HERITAGE],
      phase: 'over',
      changed: { over: true, inputClosed: true, spool },
    },
    {
      name: 'on a full disk, badly: something may be missing',
      after: [exited(1), found()],
      event: { ...outputSeen, diskFull: true } as ProcessEvent,
      effects: ['tellEnd', 'stopLooking', 'forgetInput', ...HERITAGE],
      phase: 'over',
      changed: { over: true, inputClosed: true, spool, diskFull: true },
    },
    { name: 'is not over twice', after: over, event: outputSeen, effects: [] },
  ]);
});

describe('leaves something behind', () => {
  const OUTLIVED = ['save', 'settle', 'notifyChanged'];
  cases([
    {
      name: 'its group: the result at once, in the background from now on',
      after: [exited()],
      event: found(...group),
      effects: ['refresh', 'tellEnd status="completed"', ...OUTLIVED],
      phase: 'outlived',
      changed: { background: true, told: true },
    },
    {
      name: 'a bad result',
      after: [exited(2)],
      event: found(...group),
      effects: ['refresh', 'tellEnd status="failed"', ...OUTLIVED],
      phase: 'outlived',
      changed: { background: true, told: true },
    },
    {
      name: 'in the background already: its agent is told yet',
      after: [backgrounded, exited()],
      event: found(...group),
      effects: ['refresh', 'tellEnd status="completed"', ...OUTLIVED],
      phase: 'outlived',
    },
    { name: 'its group goes on', after: [exited(), found(...group)], event: found(...group), effects: [] },
    { name: 'its group ends', after: [exited(), found(...group)], event: found(), effects: CLOSE, phase: 'closing' },
    {
      name: 'daemons: kept in the background, nothing told',
      after: over,
      event: { type: 'daemonsFound', daemons },
      effects: ['save'],
      changed: { daemons, background: true, told: true },
    },
    {
      name: 'daemons of the background: told as ever',
      after: [backgrounded, ...over],
      event: { type: 'daemonsFound', daemons },
      effects: ['save'],
      changed: { daemons },
    },
    { name: 'no daemons', after: over, event: { type: 'daemonsFound', daemons: [] }, effects: [] },
  ]);
});
