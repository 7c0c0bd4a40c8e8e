import { describe } from 'node:test';
import {
  arrived,
  turnEnded,
  steered,
  resumed,
  taskRequested,
  taskEnded,
  aborted,
  suspended,
  halted,
  cases,
} from '../../testing/lane-steps.ts';

describe('interrupt', () => {
  const now = { mode: 'interrupt' } as const;
  cases([
    {
      name: 'stops the turn and drops what waits',
      events: [arrived('a'), arrived('b'), arrived('c', now), turnEnded(1)],
      effects: ['run a', 'interrupt a: superseded', 'drop b: interrupted', 'run c'],
    },
    { name: 'leaves an idle session alone', events: [arrived('a', now)], effects: ['run a'] },
    {
      name: 'drops what waits for more',
      events: [arrived('a', { mode: 'collect' }), arrived('b', { mode: 'collect' }), turnEnded(1), arrived('c', now)],
      effects: ['run a', 'debounce 1000', 'end debounce', 'run c', 'drop b: interrupted'],
    },
    {
      name: 'leaves exclusive work alone',
      events: [taskRequested(1), arrived('a', now), taskEnded],
      effects: ['task 1', 'run a'],
    },
  ]);
});

describe('abort', () => {
  const steer = { mode: 'steer' } as const;
  cases([
    { name: 'of nothing', events: [aborted()], effects: [] },
    {
      name: 'stops what runs and hands back what waits',
      events: [
        arrived('a', steer),
        arrived('b', steer),
        steered(1),
        arrived('c', steer),
        arrived('d'),
        resumed('e'),
        aborted(),
        turnEnded(1),
      ],
      effects: ['run a', 'steer b', 'handBack c+e+d', 'interrupt a+b: stopped'],
    },
    {
      name: 'of one message that waits',
      events: [arrived('a'), arrived('b'), arrived('c'), aborted('b')],
      effects: ['run a', 'handBack b'],
      waiting: 'c',
    },
    {
      name: 'of one message of the running turn',
      events: [arrived('a', steer), arrived('b', steer), steered(1), aborted('b')],
      effects: ['run a', 'steer b', 'interrupt a+b: stopped'],
    },
    {
      name: 'of a turn without a place: it runs, interrupted',
      events: [arrived('other', { key: 'o' }), arrived('a'), aborted(), turnEnded(1, 0, 'o')],
      effects: ['run other', 'interrupt a: stopped', 'run a'],
      limit: 1,
    },
    {
      name: 'ends the wait for more',
      events: [arrived('a', { gatherMs: 500, gather: 'me' }), aborted()],
      effects: ['debounce 500', 'end debounce', 'handBack a'],
    },
    {
      name: 'forgets the overflow',
      events: [arrived('a'), arrived('b', { cap: 1 }), arrived('c', { cap: 1 }), aborted(), turnEnded(1), arrived('d')],
      effects: ['run a', 'drop b: overflow', 'handBack c', 'interrupt a: stopped', 'run d'],
    },
  ]);
});

describe('exclusive work', () => {
  cases([
    {
      name: 'runs between two turns, before what waits',
      events: [arrived('a'), arrived('b'), taskRequested(1), turnEnded(1), taskEnded],
      effects: ['run a', 'task 1', 'run b'],
    },
    {
      name: 'runs one after the other',
      events: [taskRequested(1), taskRequested(2), taskEnded],
      effects: ['task 1', 'task 2'],
    },
    {
      name: 'does not wait for more messages',
      events: [arrived('a', { gatherMs: 500, gather: 'me' }), taskRequested(1)],
      effects: ['debounce 500', 'end debounce', 'task 1'],
      waiting: 'a',
    },
    {
      name: 'that is not there cannot end',
      events: [arrived('a'), taskEnded, arrived('b')],
      effects: ['run a'],
      waiting: 'b',
    },
  ]);
});

describe('suspended', () => {
  cases([
    {
      name: 'no turn begins',
      events: [arrived('a'), arrived('b'), suspended, turnEnded(1), arrived('c')],
      effects: ['run a'],
      waiting: 'b+c',
    },
    {
      name: 'a turn that waits for a place runs, and is interrupted when its time is over',
      events: [arrived('other', { key: 'o' }), arrived('a'), suspended, halted, turnEnded(1, 0, 'o')],
      effects: ['run other', 'interrupt other: halted', 'interrupt a: halted', 'run a'],
      limit: 1,
    },
    { name: 'exclusive work still runs', events: [suspended, taskRequested(1)], effects: ['task 1'] },
    {
      name: 'nothing waits for more',
      events: [arrived('a', { gatherMs: 500, gather: 'me' }), suspended],
      effects: ['debounce 500', 'end debounce'],
      waiting: 'a',
    },
  ]);
});
