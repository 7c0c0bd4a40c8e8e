/** Lanes under random histories: every message ends exactly once, in order, and no session runs two turns at a time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createLaneHarness, type LaneHarness } from '../testing/lane-harness.ts';
import { QUEUE_DROPS, QUEUE_MODES } from './queue-mode.ts';

const key = fc.constantFrom('s1', 's2', 's3');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      key,
      mode: fc.constantFrom(...QUEUE_MODES),
      drop: fc.constantFrom(...QUEUE_DROPS),
      cap: fc.integer({ min: 1, max: 4 }),
      group: fc.constantFrom('a', 'b'),
      alone: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), key, fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('steer' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('exclusive' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 1500 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What became of each message of one session, and the order in which messages reached a turn. */
interface Book {
  readonly ends: Map<string, string[]>;
  readonly reached: Map<string, number[]>;
  seen: number;
}

async function play(harness: LaneHarness, steps: readonly Step[], exclusives: { running: number }): Promise<Book> {
  const book: Book = { ends: new Map(), reached: new Map(), seen: 0 };
  const end = (id: string, how: string): void => void book.ends.get(id)!.push(how);
  const answer = (ids: readonly string[]): void =>
    ids.forEach((id) => {
      const [session, nth] = id.split(':') as [string, string];
      book.reached.set(session, [...(book.reached.get(session) ?? []), Number(nth)]);
      end(id, 'answered');
    });
  const check = (): void => {
    for (; book.seen < harness.turns.length; book.seen++) answer(harness.turns[book.seen]!.texts);
    for (const one of harness.dropped.splice(0)) for (const id of one.texts) end(id, one.reason);
    const busy = [...harness.running].map((turn) => turn.key);
    assert.equal(new Set(busy).size, busy.length, 'two turns of one session at a time');
    assert.ok(harness.lanes.running <= 2, 'over the global limit');
  };
  const running = (session: string) => [...harness.running].find((turn) => turn.key === session);
  for (const [nth, one] of steps.entries()) {
    if (one.do === 'arrive') {
      const id = `${one.key}:${nth}`;
      book.ends.set(id, []);
      harness.arrive(
        one.key,
        id,
        { mode: one.mode, drop: one.drop, cap: one.cap },
        { group: one.group, alone: one.alone },
      );
    } else if (one.do === 'end')
      await running(one.key)?.end(one.fails ? new Error('a turn that broke its promise') : undefined);
    else if (one.do === 'steer')
      answer(
        running(one.key)
          ?.control.takeSteered()
          .map(({ runId }) => runId) ?? [],
      );
    else if (one.do === 'stop') for (const { runId } of harness.lanes.abort(one.key).removed) end(runId, 'stopped');
    else if (one.do === 'wait') await harness.clock.advance(one.ms);
    else
      void harness.lanes.exclusive(one.key, async () => {
        assert.equal(running(one.key), undefined, 'exclusive work beside a turn');
        exclusives.running++;
      });
    check();
  }
  await harness.clock.advance(0);
  check();
  while (harness.running.size > 0 || harness.clock.pending() > 0) {
    for (const turn of harness.running) await turn.end();
    await harness.clock.advance(2000);
    check();
  }
  return book;
}

it('keeps its promises whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const harness = createLaneHarness({ maxConcurrent: 2 });
      const exclusives = { running: 0 };
      const { ends, reached } = await play(harness, steps, exclusives);
      for (const [id, how] of ends) assert.equal(how.length, 1, `${id} ended ${how.length} times: ${how.join(', ')}`);
      for (const [session, order] of reached)
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
          `${session} out of order`,
        );
      assert.equal(exclusives.running, steps.filter((one) => one.do === 'exclusive').length);
      assert.deepEqual(harness.lanes.snapshot(), [], 'a lane was kept');
    }),
    { numRuns: 150 },
  );
});
