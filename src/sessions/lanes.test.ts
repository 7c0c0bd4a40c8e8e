/** Lanes: one turn at a time per session, in order of arrival; stopping and suspending (`spec/gateway.md` 2.8, 8.4). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createLaneHarness, item, type LaneHarness } from '../testing/lane-harness.ts';

const begun = ({ turns }: LaneHarness): string[] => turns.map(({ texts }) => texts.join('+'));

describe('a lane', () => {
  it('answers in order of arrival, one turn at a time', async () => {
    const harness = createLaneHarness();
    for (const text of ['a', 'b', 'c']) harness.arrive('s', text);
    await harness.clock.advance(0);
    assert.deepEqual(begun(harness), ['a']);
    assert.equal(harness.lanes.isBusy('s'), true);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['a', 'b']);
    await harness.turns[1]!.end();
    await harness.turns[2]!.end();
    assert.deepEqual(begun(harness), ['a', 'b', 'c']);
  });

  it('is forgotten when nothing waits in it', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a');
    await harness.clock.advance(0);
    assert.deepEqual(
      harness.lanes.snapshot().map(({ key }) => key),
      ['s'],
    );
    await harness.turns[0]!.end();
    assert.deepEqual(harness.lanes.snapshot(), []);
    await harness.lanes.exclusive('s', async () => undefined);
    await harness.clock.advance(0);
    assert.deepEqual(harness.lanes.snapshot(), []);
    assert.equal(harness.clock.pending(), 0);
  });

  it('goes on after a turn that fails, and the failure is logged', async () => {
    const logged: unknown[] = [];
    const harness = createLaneHarness({
      log: { ...silentLog, error: (event, fields) => void logged.push([event, fields?.['sessionKey']]) },
    });
    harness.arrive('s', 'a');
    harness.arrive('s', 'b');
    await harness.clock.advance(0);
    await harness.turns[0]!.end(new Error('not expected'));
    assert.deepEqual(begun(harness), ['a', 'b']);
    assert.deepEqual(logged, [['lane.run', 's']]);
    await harness.turns[1]!.end();
    assert.equal(harness.lanes.running, 0);
  });

  it('runs beside other lanes up to the limit, in order of asking', async () => {
    const harness = createLaneHarness({ maxConcurrent: 2 });
    for (const key of ['s1', 's2', 's3', 's4']) harness.arrive(key, key);
    await harness.clock.advance(0);
    assert.deepEqual(begun(harness), ['s1', 's2']);
    await harness.turns[1]!.end();
    assert.deepEqual(begun(harness), ['s1', 's2', 's3']);
    assert.equal(harness.lanes.running, 2);
  });

  it('counts each kind of work apart: one that waits for another never takes its place', async () => {
    const harness = createLaneHarness({ maxConcurrent: 1 });
    harness.arrive('a', 'asks');
    harness.arrive('b', 'is asked', {}, { kind: 'nested' });
    harness.arrive('c', 'is due', {}, { kind: 'counted' });
    harness.arrive('d', 'waits');
    await harness.clock.advance(0);
    assert.deepEqual(begun(harness), ['asks', 'is asked', 'is due']);
    assert.equal(harness.lanes.running, 3);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['asks', 'is asked', 'is due', 'waits']);
  });

  it('shows what runs and what waits', async () => {
    const harness = createLaneHarness();
    for (const text of ['a', 'b']) harness.arrive('s', text);
    await harness.clock.advance(0);
    assert.deepEqual(harness.lanes.snapshot(), [{ key: 's', running: [item('a')], waiting: [item('b')] }]);
  });
});

describe('abort', () => {
  it('stops what runs and removes what waits, steered messages too', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', { mode: 'steer' });
    await harness.clock.advance(0);
    harness.arrive('s', 'joined', { mode: 'steer' });
    harness.turns[0]!.control.takeSteered();
    harness.arrive('s', 'steered', { mode: 'steer' });
    harness.arrive('s', 'waits');
    const { aborted, removed } = harness.lanes.abort('s');
    assert.deepEqual(
      [aborted, removed].map((items) => items.map(({ runId }) => runId)),
      [
        ['a', 'joined'],
        ['steered', 'waits'],
      ],
    );
    assert.equal(harness.turns[0]!.control.signal.aborted, true);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['a']);
    assert.deepEqual(harness.lanes.snapshot(), []);
  });

  it('takes one message out of the queue and leaves the rest', async () => {
    const harness = createLaneHarness();
    for (const text of ['a', 'b', 'c']) harness.arrive('s', text);
    await harness.clock.advance(0);
    assert.deepEqual(harness.lanes.abort('s', 'b'), { aborted: [], removed: [item('b')] });
    assert.equal(harness.turns[0]!.control.signal.aborted, false);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['a', 'c']);
  });

  it('stops the turn a message was steered into', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', { mode: 'steer' });
    await harness.clock.advance(0);
    harness.arrive('s', 'joined', { mode: 'steer' });
    harness.turns[0]!.control.takeSteered();
    assert.deepEqual(
      harness.lanes.abort('s', 'joined').aborted.map(({ runId }) => runId),
      ['a', 'joined'],
    );
    assert.equal(harness.turns[0]!.control.signal.aborted, true);
  });

  it('reaches a turn that still waits for a slot', async () => {
    const harness = createLaneHarness({ maxConcurrent: 1 });
    harness.arrive('s1', 'a');
    harness.arrive('s2', 'b');
    await harness.clock.advance(0);
    assert.deepEqual(harness.lanes.abort('s2').aborted, [item('b')]);
    await harness.turns[0]!.end();
    assert.equal(harness.turns[1]!.control.signal.aborted, true);
  });

  it('ends the quiet of a lane it emptied, and forgets the overflow', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', { mode: 'collect' });
    await harness.clock.advance(0);
    for (const text of ['b', 'c']) harness.arrive('s', text, { mode: 'collect', cap: 1 });
    await harness.turns[0]!.end();
    harness.lanes.abort('s');
    await harness.clock.advance(0);
    assert.deepEqual([harness.lanes.snapshot(), harness.clock.pending()], [[], 0]);
    harness.arrive('s', 'd');
    await harness.clock.advance(0);
    assert.deepEqual(harness.turns[1]!.dropped, []);
  });

  it('knows nothing of other sessions', () =>
    assert.deepEqual(createLaneHarness().lanes.abort('nobody'), { aborted: [], removed: [] }));
});

describe('exclusive work', () => {
  it('runs between two turns, before what waits', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a');
    harness.arrive('s', 'b');
    await harness.clock.advance(0);
    const during = harness.lanes.exclusive('s', async () => begun(harness).length);
    await harness.turns[0]!.end();
    assert.equal(await during, 1);
    assert.deepEqual(begun(harness), ['a', 'b']);
  });

  it('does not wait for the quiet', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', { mode: 'collect' });
    await harness.clock.advance(0);
    harness.arrive('s', 'b', { mode: 'collect' });
    await harness.turns[0]!.end();
    assert.equal(await harness.lanes.exclusive('s', async () => 'now'), 'now');
    assert.deepEqual(begun(harness), ['a']);
    await harness.clock.advance(1000);
    assert.deepEqual(begun(harness), ['a', 'b']);
  });

  it('that fails tells its caller and nobody else', async () => {
    const harness = createLaneHarness();
    await assert.rejects(
      harness.lanes.exclusive('s', () => {
        throw new Error('at once');
      }),
      /at once/,
    );
    await assert.rejects(
      harness.lanes.exclusive('s', async () => {
        throw new Error('later');
      }),
      /later/,
    );
    harness.arrive('s', 'a');
    await harness.clock.advance(0);
    assert.deepEqual(begun(harness), ['a']);
  });

  it('may itself bring a message, which runs after it', async () => {
    const harness = createLaneHarness();
    const order: string[] = [];
    await harness.lanes.exclusive('s', async () => {
      harness.arrive('s', 'a');
      await harness.clock.advance(0);
      order.push(`turns ${harness.turns.length}`);
    });
    await harness.clock.advance(0);
    assert.deepEqual([order, begun(harness)], [['turns 0'], ['a']]);
  });
});

describe('suspend', () => {
  it('interrupts what runs with its reason, starts nothing more and resolves when all let go', async () => {
    const harness = createLaneHarness({ maxConcurrent: 2 });
    for (const key of ['s1', 's2', 's3']) harness.arrive(key, key);
    harness.arrive('s1', 'waits');
    await harness.clock.advance(0);
    const reason = Symbol('why');
    let over = false;
    const suspended = harness.lanes.suspend(reason).then(() => {
      over = true;
    });
    assert.equal(harness.turns[0]!.control.signal.reason, reason);
    await harness.turns[0]!.end();
    await harness.turns[1]!.end();
    assert.equal(over, false, 's3 got its slot and has not let go');
    assert.equal(harness.turns[2]!.control.signal.reason, reason);
    await harness.turns[2]!.end();
    await suspended;
    assert.deepEqual(begun(harness), ['s1', 's2', 's3']);
    harness.arrive('s4', 'too late');
    await harness.clock.advance(5000);
    assert.equal(harness.turns.length, 3);
    assert.deepEqual(
      harness.lanes.snapshot().map(({ waiting }) => waiting.map(({ runId }) => runId)),
      [['waits'], ['too late']],
    );
  });

  it('gives what runs its grace, starts nothing of what waits, and tells work between turns to stop', async () => {
    const harness = createLaneHarness();
    harness.arrive('s1', 'runs');
    harness.arrive('s1', 'waits');
    let stopped = false;
    const work = harness.lanes.exclusive(
      's2',
      (signal) =>
        new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            stopped = true;
            resolve();
          }),
        ),
    );
    await harness.clock.advance(0);
    let over = false;
    const suspended = harness.lanes.suspend('why', 10_000).then(() => {
      over = true;
    });
    await harness.clock.advance(5000);
    await harness.turns[0]!.end();
    assert.deepEqual(
      [harness.turns.length, harness.turns[0]!.control.signal.aborted, stopped, over],
      [1, false, false, false],
    );
    await harness.clock.advance(5000);
    await Promise.all([suspended, work]);
    assert.deepEqual([stopped, over, harness.turns.length, harness.clock.pending()], [true, true, 1, 0]);
  });

  it('resolves at once when nothing runs', () => createLaneHarness().lanes.suspend('why'));
});
