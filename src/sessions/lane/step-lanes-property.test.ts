/** The lane state machine under random events: no message is lost or duplicated, and no limit is exceeded. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { item } from '../../testing/lane-harness.ts';
import { QUEUE_DROPS, QUEUE_MODES } from '../queue-mode.ts';
import {
  NO_LANES,
  turnOf,
  waitingIn,
  type Lane,
  type LaneEffect,
  type LaneEvent,
  type LaneItem,
  type LanesState,
} from './lane-state.ts';
import { placesUsed } from './semaphore.ts';
import { stepLanes } from './step-lanes.ts';

const KINDS = ['main', 'counted'] as const;
const LIMIT = 1;
const key = fc.constantFrom('s1', 's2');
const arrival = fc.record({
  do: fc.constant('arrive' as const),
  key,
  // Steering takes a running turn, the same group and nothing that waits: rare, unless it is often tried.
  mode: fc.constantFrom(...QUEUE_MODES, 'steer' as const, 'steer' as const),
  drop: fc.constantFrom(...QUEUE_DROPS),
  cap: fc.integer({ min: 1, max: 4 }),
  group: fc.constantFrom('a', 'a', 'a', 'b'),
  gather: fc.constantFrom(undefined, 'me', 'you'),
  alone: fc.constantFrom(false, false, false, true),
  steerable: fc.constantFrom(true, true, true, false),
  kind: fc.constantFrom(...KINDS),
});
const on = <Do extends string>(what: Do) => fc.record({ do: fc.constant(what), key });
const command = fc.oneof(
  { weight: 8, arbitrary: arrival },
  { weight: 5, arbitrary: on('end') },
  { weight: 3, arbitrary: on('steer') },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tick' as const), ms: fc.integer({ min: 0, max: 900 }) }) },
  { weight: 1, arbitrary: on('resume') },
  { weight: 1, arbitrary: on('stop') },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop one' as const), key, nth: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: on('exclusive') },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('out of date' as const), key, back: fc.nat({ max: 3 }) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
type Happening = LaneEvent<LaneItem> extends infer E ? (E extends unknown ? Omit<E, 'at'> : never) : never;

/** Runs the machine, does what it says, and checks it at each step. */
class Harness {
  state: LanesState<LaneItem> = NO_LANES;
  at = 0;
  /** What became of each message. */
  readonly fates = new Map<string, string[]>();
  /** In which order messages of a session reached a turn. */
  readonly reached = new Map<string, number[]>();
  readonly timers = new Map<string, number>();
  readonly begun = new Set<number>();
  readonly running = new Map<string, number | 'task'>();
  readonly tasks: number[] = [];
  #next = 0;

  name(session: string): string {
    const id = `${session}:${this.#next++}`;
    this.fates.set(id, []);
    return id;
  }

  happen(event: Happening): void {
    const [state, effects] = stepLanes(this.state, { ...event, at: this.at } as LaneEvent<LaneItem>);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    if (event.type !== 'limited') this.#check();
  }

  #fate(items: readonly LaneItem[], fate: string): void {
    for (const { runId } of items) this.fates.get(runId)!.push(fate);
  }

  #answer(session: string, items: readonly LaneItem[]): void {
    this.#fate(items, 'answered');
    const numbers = items.filter(({ group }) => group !== 'earlier').map(({ runId }) => Number(runId.split(':')[1]));
    this.reached.set(session, [...(this.reached.get(session) ?? []), ...numbers]);
  }

  #perform(effect: LaneEffect<LaneItem>): void {
    if (effect.do === 'begin') this.begun.add(effect.turn);
    else if (effect.do === 'limit') this.happen({ type: 'limited', kind: effect.kind, limit: LIMIT });
    else if (effect.do === 'run') {
      assert.ok(!this.running.has(effect.key), 'two things of one session at a time');
      assert.ok(this.begun.delete(effect.turn), 'runs once, after it began');
      this.running.set(effect.key, effect.turn);
      assertShared(effect.items);
      this.#answer(effect.key, effect.items);
    } else if (effect.do === 'task') {
      assert.ok(!this.running.has(effect.key), 'exclusive work beside something else');
      this.running.set(effect.key, 'task');
      this.tasks.push(effect.task);
    } else if (effect.do === 'drop') this.#fate(effect.items, effect.reason);
    else if (effect.do === 'handBack') this.#fate(effect.items, 'handed back');
    else if (effect.do === 'steer') this.#answer(effect.items[0]!.runId.split(':')[0]!, effect.items);
    else if (effect.do === 'debounce') this.timers.set(effect.key, this.at + effect.ms);
    else if (effect.do === 'endDebounce') this.timers.delete(effect.key);
  }

  #check(): void {
    const lanes = [...this.state.lanes.entries()];
    const waiting = new Set(lanes.flatMap(([, lane]) => unanswered(lane)).map(({ runId }) => runId));
    for (const [id, fates] of this.fates)
      assert.equal(fates.length + (waiting.has(id) ? 1 : 0), 1, `${id}: ${fates.join(', ') || 'lost'}`);
    const debouncing = lanes.filter(([, lane]) => lane.doing.is === 'debouncing').map(([name]) => name);
    assert.deepEqual([...this.timers.keys()].sort(), debouncing.sort(), 'a timer for each that waits for more');
    for (const kind of KINDS) assert.ok((this.state.places.get(kind)?.used ?? 0) <= LIMIT, 'over the limit');
    const turns = [...this.running.values()].filter((doing) => doing !== 'task');
    assert.equal(placesUsed(this.state.places), turns.length, 'a place for each turn that runs');
  }

  end(session: string): void {
    const doing = this.running.get(session);
    this.running.delete(session);
    if (doing === 'task') this.happen({ type: 'taskEnded', key: session });
    else if (doing !== undefined) this.happen({ type: 'turnEnded', key: session, turn: doing });
  }

  /** Of each session what runs now. */
  endAll(): void {
    const sessions = [...this.running.keys()];
    for (const session of sessions) this.end(session);
  }

  tick(ms: number): void {
    this.at += ms;
    const due = [...this.timers].filter(([, at]) => at <= this.at);
    for (const [session] of due) {
      this.timers.delete(session);
      this.happen({ type: 'debounced', key: session });
    }
  }

  arrive({ key: session, mode, drop, cap, ...over }: Extract<Command, { do: 'arrive' }>): void {
    const before = this.state.lanes.get(session);
    const message = item(this.name(session), { ...over, gather: over.alone ? undefined : over.gather });
    const settings = { mode, drop, cap, debounceMs: 1000, gatherMs: 500 };
    this.happen({ type: 'arrived', key: session, item: message, settings });
    const after = this.state.lanes.get(session);
    const steered = (after && turnOf(after)?.steered.length) ?? 0;
    assert.ok(
      steered <= Math.max(cap, (before && turnOf(before)?.steered.length) ?? 0),
      'over the cap of steered ones',
    );
    assert.ok((after?.waiting.length ?? 0) <= Math.max(cap, before?.waiting.length ?? 0), 'over the cap');
  }
}

/** What no turn answers yet; what a turn without a place took counts, too. */
function unanswered(lane: Lane<LaneItem>): LaneItem[] {
  const turn = turnOf(lane);
  return [...(turn && !turn.placed ? turn.members : []), ...waitingIn(lane)];
}

function assertShared(items: readonly LaneItem[]): void {
  assert.equal(new Set(items.map(({ group }) => group)).size, 1, 'one turn answers one group');
  assert.ok(items.length === 1 || !items.some(({ alone }) => alone), 'what is alone shares a turn');
}

function play(harness: Harness, one: Command): void {
  switch (one.do) {
    case 'arrive':
      return harness.arrive(one);
    case 'end':
      return harness.end(one.key);
    case 'tick':
      return harness.tick(one.ms);
    case 'steer': {
      const turn = harness.running.get(one.key);
      return typeof turn === 'number' ? harness.happen({ type: 'steered', key: one.key, turn }) : undefined;
    }
    case 'resume': {
      const items = [1, 2].map(() => item(harness.name(one.key), { group: 'earlier' }));
      return harness.happen({ type: 'resumed', key: one.key, items });
    }
    case 'stop': {
      harness.happen({ type: 'aborted', key: one.key });
      const lane = harness.state.lanes.get(one.key);
      return assert.deepEqual(lane ? waitingIn(lane) : [], [], 'something still waits');
    }
    case 'stop one': {
      const waits = waitingIn(
        harness.state.lanes.get(one.key) ?? ({ doing: { is: 'idle' }, batches: [], waiting: [] } as never),
      );
      return harness.happen({
        type: 'aborted',
        key: one.key,
        runId: (waits[one.nth] as LaneItem | undefined)?.runId ?? 'nobody',
      });
    }
    case 'exclusive':
      return harness.happen({ type: 'taskRequested', key: one.key, task: harness.tasks.length });
    case 'out of date': {
      const { state } = harness;
      const turn = state.nextTurn - 1 - one.back;
      if (harness.running.get(one.key) === turn) return;
      harness.happen({ type: 'turnEnded', key: one.key, turn });
      harness.happen({ type: 'steered', key: one.key, turn });
      return assert.equal(harness.state, state, 'an event that is out of date changed something');
    }
  }
}

it('answers, drops or hands back every message once, in order, within the bounds', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
      const harness = new Harness();
      for (const one of commands) play(harness, one);
      for (let left = 1000; harness.state.lanes.size > 0 && left > 0; left--) {
        harness.endAll();
        harness.tick(1000);
      }
      assert.deepEqual([...harness.state.lanes.keys()], [], 'something waits for ever');
      for (const [session, order] of harness.reached)
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
          `${session} out of order`,
        );
      assert.equal(harness.tasks.length, commands.filter((one) => one.do === 'exclusive').length);
    }),
    { numRuns: 1000 },
  );
});

it('begins no turn once it is suspended, and keeps what waits', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), fc.array(command, { maxLength: 40 }), (before, after) => {
      const harness = new Harness();
      for (const one of before) play(harness, one);
      const { nextTurn } = harness.state;
      harness.happen({ type: 'suspended' });
      assert.equal(harness.timers.size, 0, 'something waits for more messages');
      for (const one of after) play(harness, one);
      while (harness.running.size > 0) harness.endAll();
      assert.equal(harness.state.nextTurn, nextTurn);
      assert.equal(placesUsed(harness.state.places), 0);
    }),
    { numRuns: 300 },
  );
});
