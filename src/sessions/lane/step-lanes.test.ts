/** The lane state machine: events in, effects out, one row per case. */
import { describe } from 'node:test';
import {
  type Event,
  type Case,
  arrived,
  turnEnded,
  steered,
  resumed,
  debounced,
  cases,
} from '../../testing/lane-steps.ts';

describe('a turn', () => {
  cases([
    { name: 'begins at once', events: [arrived('a')], effects: ['begin 1', 'limit main', 'run a'], whole: true },
    {
      name: 'is followed by the next',
      events: [arrived('a'), arrived('b'), turnEnded(1)],
      effects: ['run a', 'run b'],
    },
    { name: 'lets the next wait', events: [arrived('a'), arrived('b')], effects: ['run a'], waiting: 'b' },
    {
      name: 'ends once',
      events: [arrived('a'), arrived('b'), turnEnded(1), turnEnded(1)],
      effects: ['run a', 'run b'],
    },
    {
      name: 'gives its place back before the next of its lane asks',
      events: [arrived('a'), arrived('b'), turnEnded(1)],
      effects: ['begin 1', 'limit main', 'run a', 'begin 2', 'limit main', 'run b', 'limit main'],
      whole: true,
    },
    {
      name: 'waits for a place behind other sessions',
      events: [arrived('a'), arrived('b'), arrived('other', { key: 'o' }), turnEnded(1)],
      effects: ['run a', 'run other'],
      limit: 1,
    },
    {
      name: 'that has no place cannot end',
      events: [arrived('other', { key: 'o' }), arrived('a'), arrived('b'), turnEnded(2), turnEnded(1, 0, 'o')],
      effects: ['run other', 'run a'],
      limit: 1,
      waiting: 'b',
    },
    {
      name: 'of another kind takes no place of this one',
      events: [arrived('other', { key: 'o' }), arrived('a', { kind: 'nested' })],
      effects: ['run other', 'run a'],
      limit: 1,
    },
    {
      name: 'of an earlier run comes first, whole',
      events: [arrived('a'), arrived('new'), resumed('b', 'c'), turnEnded(1), turnEnded(2)],
      effects: ['run a', 'run b+c', 'run new'],
    },
  ]);
});

describe('collect', () => {
  const collect = { mode: 'collect' } as const;
  cases([
    { name: 'answers an idle session at once', events: [arrived('a', collect)], effects: ['run a'] },
    {
      name: 'waits from the last arrival',
      events: [arrived('a', collect), arrived('b', { ...collect, at: 100 }), turnEnded(1, 400)],
      effects: ['run a', 'debounce 700'],
      waiting: 'b',
    },
    {
      name: 'begins the wait anew with each message',
      events: [
        arrived('a', collect),
        arrived('b', collect),
        turnEnded(1),
        arrived('c', { ...collect, at: 900 }),
        debounced(1900),
      ],
      effects: ['run a', 'debounce 1000', 'debounce 1000', 'end debounce', 'run b+c'],
    },
    {
      name: 'is not hurried by a timer of before',
      events: [arrived('a', collect), arrived('b', collect), turnEnded(1), debounced(10)],
      effects: ['run a', 'debounce 1000', 'debounce 990'],
      waiting: 'b',
    },
    {
      name: 'keeps groups apart',
      events: [
        arrived('a', collect),
        arrived('b', collect),
        arrived('c', { ...collect, group: 'o' }),
        turnEnded(1, 1000),
        turnEnded(2, 1000),
      ],
      effects: ['run a', 'run b', 'run c'],
    },
    {
      name: 'lets some be alone, before and behind others',
      events: [
        arrived('a', collect),
        ...['b', 'c', 'd'].map((text) => arrived(text, { ...collect, alone: text === 'c' })),
        turnEnded(1, 1000),
        turnEnded(2, 1000),
        turnEnded(3, 1000),
      ],
      effects: ['run a', 'run b', 'run c', 'run d'],
    },
    {
      name: 'hands over who gave way, once',
      events: [
        arrived('a', collect),
        ...['b', 'c'].map((text) => arrived(text, { ...collect, cap: 1 })),
        turnEnded(1, 1000),
        turnEnded(2, 1000),
        arrived('d', collect),
      ],
      effects: ['run a', 'drop b: overflow', 'run c without b', 'run d'],
    },
  ]);
});

describe('overflow', () => {
  const busy = (drop: 'old' | 'new' | 'summarize'): Event[] =>
    ['a', 'b', 'c'].map((text) => arrived(text, { cap: 1, drop }));
  cases([
    { name: 'new: the newest', events: busy('new'), effects: ['run a', 'drop c: overflow'], waiting: 'b' },
    { name: 'old: the oldest', events: busy('old'), effects: ['run a', 'drop b: overflow'], waiting: 'c' },
    {
      name: 'old: without a word in the next turn',
      events: [...busy('old'), turnEnded(1)],
      effects: ['run a', 'drop b: overflow', 'run c'],
    },
    {
      name: 'summarize: with a word in the next turn',
      events: [...busy('summarize'), turnEnded(1)],
      effects: ['run a', 'drop b: overflow', 'run c without b'],
    },
  ]);
});

describe('gathering', () => {
  const mine = { gatherMs: 500, gather: 'me' };
  cases([
    { name: 'an idle session waits for more', events: [arrived('a', mine)], effects: ['debounce 500'], waiting: 'a' },
    {
      name: 'what one person writes in pieces is one message',
      events: [arrived('a', mine), arrived('b', { ...mine, at: 400 }), debounced(900)],
      effects: ['debounce 500', 'debounce 500', 'end debounce', 'run a+b'],
    },
    {
      name: 'somebody else ends the wait',
      events: [arrived('a', mine), arrived('b', { ...mine, gather: 'you', at: 100 })],
      effects: ['debounce 500', 'end debounce', 'run a'],
      waiting: 'b',
    },
    {
      name: 'what nobody wrote is never joined',
      events: [arrived('a', { gatherMs: 500 }), arrived('b', { gatherMs: 500 })],
      effects: ['run a'],
      waiting: 'b',
    },
    {
      name: 'a busy session does not wait',
      events: [arrived('a'), arrived('b', mine)],
      effects: ['run a'],
      waiting: 'b',
    },
  ]);
});

describe('steer', () => {
  const steer = { mode: 'steer' } as const;
  const busy = arrived('a', steer);
  cases([
    {
      name: 'is read into the running turn, once',
      events: [busy, arrived('b', steer), steered(1), steered(1), turnEnded(1)],
      effects: ['run a', 'steer b'],
    },
    {
      name: 'is answered afterwards when it was not read',
      events: [busy, arrived('b', steer), arrived('c', { ...steer, alone: true }), turnEnded(1)],
      effects: ['run a', 'run b'],
      waiting: 'c',
    },
    {
      name: 'cannot be read by a turn that ended',
      events: [busy, arrived('b', steer), turnEnded(1), arrived('c', steer), steered(1)],
      effects: ['run a', 'run b'],
      waiting: 'c',
    },
    ...(
      [
        ['to another group', { group: 'o' }],
        ['that is alone', { alone: true }],
        ['with something to look up', { steerable: false }],
      ] as const
    ).map(
      ([what, over]): Case => ({
        name: `not a message ${what}`,
        events: [busy, arrived('b', { ...steer, ...over }), steered(1)],
        effects: ['run a'],
        waiting: 'b',
      }),
    ),
    {
      name: 'overtakes nothing that waits',
      events: [busy, arrived('b'), arrived('c', steer), steered(1)],
      effects: ['run a'],
      waiting: 'b+c',
    },
    {
      name: 'overtakes no turn of an earlier run',
      events: [busy, resumed('b'), arrived('c', steer), steered(1)],
      effects: ['run a'],
      waiting: 'b+c',
    },
    {
      name: 'is bounded, then queues',
      events: [busy, ...['b', 'c', 'd'].map((text) => arrived(text, { ...steer, cap: 1 })), steered(1)],
      effects: ['run a', 'drop c: overflow', 'steer b'],
      waiting: 'd',
    },
  ]);
});
