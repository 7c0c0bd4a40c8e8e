/** The lifecycle of a held process: ended by us, sent to the background, released and taken up; one row a case. */
import { describe } from 'node:test';
import {
  AT,
  group,
  spool,
  exited,
  lost,
  forced,
  found,
  end,
  treeEnded,
  treeNotEnded,
  outputSeen,
  backgrounded,
  released,
  over,
  CLOSE,
  INQUEST,
  HERITAGE,
  outcome,
  cases,
} from '../../../../testing/process-cases.ts';

describe('is ended', () => {
  const killed = { at: AT, exitSignal: 'SIGKILL', reason: 'killed' } as const;
  cases([
    { name: 'an abort asks first', event: end('aborted'), effects: ['endTree graceMs=300 pid=7'] },
    { name: 'a timeout asks first', event: end('timeout'), effects: ['endTree graceMs=300 pid=7'] },
    { name: 'a kill does not', event: end('killed'), effects: ['endTree graceMs=0 pid=7'] },
    { name: 'once', after: [end('aborted')], event: end('killed'), effects: [] },
    {
      name: 'the first reason counts',
      after: [end('timeout'), end('killed')],
      event: exited(),
      effects: [],
      phase: 'ended',
      changed: { outcome: { at: AT, exitCode: 0, reason: 'timeout' } },
    },
    {
      name: 'its report is waited for',
      after: [end('killed')],
      event: treeEnded,
      effects: ['awaitReport', 'concludeKill'],
    },
    {
      name: 'of a foreign one there is no report',
      foreign: true,
      after: [end('killed')],
      event: treeEnded,
      effects: ['concludeKill'],
    },
    {
      name: 'its end waits for the end of its tree',
      after: [end('killed')],
      event: exited(),
      effects: [],
      phase: 'ended',
      changed: { outcome: { at: AT, exitCode: 0, reason: 'killed' } },
    },
    { name: 'both ended', after: [end('killed'), exited()], event: treeEnded, effects: CLOSE, phase: 'closing' },
    {
      name: 'the report comes',
      after: [end('killed'), treeEnded],
      event: exited(),
      effects: CLOSE,
      phase: 'closing',
      changed: { outcome: { at: AT, exitCode: 0, reason: 'killed' } },
    },
    {
      name: 'no report comes',
      after: [end('killed'), treeEnded],
      event: forced,
      effects: CLOSE,
      phase: 'closing',
      changed: { outcome: killed },
    },
    {
      name: 'a lost one was killed by us',
      foreign: true,
      after: [end('killed'), treeEnded],
      event: lost,
      effects: CLOSE,
      phase: 'closing',
      changed: { outcome: killed },
    },
    {
      name: 'who survives is named',
      after: [end('killed')],
      event: { type: 'treeEnded', survivors: [8] },
      effects: ['warnOfSurvivors pids=[8]', 'awaitReport', 'concludeKill'],
    },
    {
      name: 'no daemons are looked for',
      after: [end('killed'), exited(), treeEnded],
      event: outputSeen,
      effects: ['tellEnd', 'stopLooking', 'forgetInput', ...HERITAGE.slice(1)],
      phase: 'over',
      changed: { over: true, inputClosed: true, spool },
    },
    {
      name: 'with the group that outlived it',
      after: [exited(), found(...group)],
      event: end('killed'),
      effects: ['endTree graceMs=0 pid=7'],
    },
    {
      name: "while its group is looked for: its number may be another's",
      after: [exited()],
      event: end('killed'),
      effects: ['endTree graceMs=0 pid=undefined'],
    },
    {
      name: 'what is found of its group then does not count',
      after: [exited(), end('killed')],
      event: found(...group),
      effects: [],
    },
    { name: 'not when it is over', after: over, event: end('killed'), effects: [] },
    {
      name: 'a failure can be tried again',
      after: [end('killed'), treeNotEnded],
      event: end('killed'),
      effects: ['endTree graceMs=0 pid=7'],
    },
    {
      name: 'ends by itself after a failure: its group tells what is left',
      after: [end('killed'), treeNotEnded],
      event: exited(),
      effects: ['findGroup'],
      phase: 'ended',
      changed: { outcome: { at: AT, exitCode: 0, reason: 'killed' } },
    },
    {
      name: 'after a failure its group tells what is left',
      after: [end('killed'), exited()],
      event: treeNotEnded,
      effects: ['findGroup'],
    },
    {
      name: 'by an objection, told in its output',
      event: { type: 'objected', sentence: 'No.' },
      effects: ['note sentence="No."', 'end why="killed"'],
    },
    {
      name: 'an objection that comes too late',
      after: [exited()],
      event: { type: 'objected', sentence: 'No.' },
      effects: [],
    },
  ]);
});

describe('goes to the background', () => {
  cases([
    {
      name: 'known to a later run, its input kept',
      event: backgrounded,
      effects: ['identify', 'keepInput', 'save', 'notifyChanged'],
      changed: { background: true },
    },
    { name: 'once', after: [backgrounded], event: backgrounded, effects: [] },
    {
      name: 'its command ended',
      after: [exited()],
      event: backgrounded,
      effects: ['identify', 'save', 'notifyChanged'],
      changed: { background: true },
    },
    {
      name: 'over already: that is told',
      after: over,
      event: backgrounded,
      effects: ['identify', 'save', 'forgetInput', 'notifyChanged', 'notifyOver'],
      changed: { background: true },
    },
    {
      name: 'over before its input was kept',
      after: [backgrounded, ...over],
      event: { type: 'inputKept' },
      effects: ['forgetInput'],
    },
  ]);
});

describe('over the runs of the gateway', () => {
  const RELEASE = ['stopLooking', 'cancelTimeout', 'releaseHolder', 'releaseInput', 'save', 'stopSaving'];
  cases([
    { name: 'the gateway goes, it stays', after: [backgrounded], event: released, effects: RELEASE },
    { name: 'its end is for the next run then', after: [released], event: exited(), effects: [] },
    { name: 'its folder goes', after: over, event: { type: 'forgotten' }, effects: ['stopSaving'] },
    {
      name: 'found: it runs or not',
      foreign: true,
      event: { type: 'waitForReload' },
      effects: ['refresh', 'recountDaemons', 'findExit', 'attend'],
    },
    {
      name: 'found with a group',
      foreign: true,
      record: { outcome },
      event: { type: 'waitForReload' },
      effects: ['refresh', 'recountDaemons', 'findGroup', 'attend'],
    },
    {
      name: 'found when it was over',
      foreign: true,
      record: { outcome, over: true },
      event: { type: 'waitForReload' },
      effects: ['refresh', 'recountDaemons', 'attend'],
    },
    {
      name: 'it still runs: its input is kept',
      foreign: true,
      event: { type: 'stillRuns' },
      effects: ['keepInput'],
      phase: 'running',
    },
    {
      name: 'it still runs, its input is closed',
      foreign: true,
      record: { inputClosed: true },
      event: { type: 'stillRuns' },
      effects: [],
      phase: 'running',
    },
    {
      name: 'it ended meanwhile',
      foreign: true,
      event: exited(3),
      effects: INQUEST,
      phase: 'ended',
      changed: { outcome: { at: AT, exitCode: 3, reason: 'exit' } },
    },
    {
      name: 'nobody knows how it ended',
      foreign: true,
      event: lost,
      effects: INQUEST,
      phase: 'ended',
      changed: { outcome: { at: AT, reason: 'lost' } },
    },
  ]);
});
