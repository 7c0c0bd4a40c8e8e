/**
 * Lanes: one turn at a time per session, in order of arrival, stopped and suspended (`spec/gateway.md` 2.8, 8.4).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createLaneStage, item, type LaneStage } from '../testing/lane-stage.ts';

const begun = ({ turns }: LaneStage): string[] => turns.map(({ texts }) => texts.join('+'));

describe('a lane', () => {
  it('answers in order of arrival, one turn at a time', async () => {
    const stage = createLaneStage();
    for (const text of ['a', 'b', 'c']) stage.arrive('s', text);
    await stage.clock.advance(0);
    assert.deepEqual(begun(stage), ['a']);
    assert.equal(stage.lanes.isBusy('s'), true);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['a', 'b']);
    await stage.turns[1]!.end();
    await stage.turns[2]!.end();
    assert.deepEqual(begun(stage), ['a', 'b', 'c']);
  });

  it('is forgotten when nothing waits in it', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a');
    await stage.clock.advance(0);
    assert.deepEqual(
      stage.lanes.snapshot().map(({ key }) => key),
      ['s'],
    );
    await stage.turns[0]!.end();
    assert.deepEqual(stage.lanes.snapshot(), []);
    await stage.lanes.exclusive('s', async () => undefined);
    await stage.clock.advance(0);
    assert.deepEqual(stage.lanes.snapshot(), []);
    assert.equal(stage.clock.pending(), 0);
  });

  it('goes on after a turn that fails, and the failure is logged', async () => {
    const logged: unknown[] = [];
    const stage = createLaneStage({
      log: { ...silentLog, error: (event, fields) => void logged.push([event, fields?.['sessionKey']]) },
    });
    stage.arrive('s', 'a');
    stage.arrive('s', 'b');
    await stage.clock.advance(0);
    await stage.turns[0]!.end(new Error('not expected'));
    assert.deepEqual(begun(stage), ['a', 'b']);
    assert.deepEqual(logged, [['lane.run', 's']]);
    await stage.turns[1]!.end();
    assert.equal(stage.lanes.running, 0);
  });

  it('runs beside other lanes up to the limit, in order of asking', async () => {
    const stage = createLaneStage({ maxConcurrent: 2 });
    for (const key of ['s1', 's2', 's3', 's4']) stage.arrive(key, key);
    await stage.clock.advance(0);
    assert.deepEqual(begun(stage), ['s1', 's2']);
    await stage.turns[1]!.end();
    assert.deepEqual(begun(stage), ['s1', 's2', 's3']);
    assert.equal(stage.lanes.running, 2);
  });

  it('counts each kind of work apart: one that waits for another never takes its place', async () => {
    const stage = createLaneStage({ maxConcurrent: 1 });
    stage.arrive('a', 'asks');
    stage.arrive('b', 'is asked', {}, { kind: 'nested' });
    stage.arrive('c', 'is due', {}, { kind: 'cron' });
    stage.arrive('d', 'waits');
    await stage.clock.advance(0);
    assert.deepEqual(begun(stage), ['asks', 'is asked', 'is due']);
    assert.equal(stage.lanes.running, 3);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['asks', 'is asked', 'is due', 'waits']);
  });

  it('shows what runs and what waits', async () => {
    const stage = createLaneStage();
    for (const text of ['a', 'b']) stage.arrive('s', text);
    await stage.clock.advance(0);
    assert.deepEqual(stage.lanes.snapshot(), [{ key: 's', running: [item('a')], waiting: [item('b')] }]);
  });
});

describe('abort', () => {
  it('stops what runs and removes what waits, steered messages too', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', { mode: 'steer' });
    await stage.clock.advance(0);
    stage.arrive('s', 'joined', { mode: 'steer' });
    stage.turns[0]!.control.takeSteered();
    stage.arrive('s', 'steered', { mode: 'steer' });
    stage.arrive('s', 'waits');
    const { aborted, removed } = stage.lanes.abort('s');
    assert.deepEqual(
      [aborted, removed].map((items) => items.map(({ runId }) => runId)),
      [
        ['a', 'joined'],
        ['steered', 'waits'],
      ],
    );
    assert.equal(stage.turns[0]!.control.signal.aborted, true);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['a']);
    assert.deepEqual(stage.lanes.snapshot(), []);
  });

  it('takes one message out of the queue and leaves the rest', async () => {
    const stage = createLaneStage();
    for (const text of ['a', 'b', 'c']) stage.arrive('s', text);
    await stage.clock.advance(0);
    assert.deepEqual(stage.lanes.abort('s', 'b'), { aborted: [], removed: [item('b')] });
    assert.equal(stage.turns[0]!.control.signal.aborted, false);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['a', 'c']);
  });

  it('stops the turn a message was steered into', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', { mode: 'steer' });
    await stage.clock.advance(0);
    stage.arrive('s', 'joined', { mode: 'steer' });
    stage.turns[0]!.control.takeSteered();
    assert.deepEqual(
      stage.lanes.abort('s', 'joined').aborted.map(({ runId }) => runId),
      ['a', 'joined'],
    );
    assert.equal(stage.turns[0]!.control.signal.aborted, true);
  });

  it('reaches a turn that still waits for a slot', async () => {
    const stage = createLaneStage({ maxConcurrent: 1 });
    stage.arrive('s1', 'a');
    stage.arrive('s2', 'b');
    await stage.clock.advance(0);
    assert.deepEqual(stage.lanes.abort('s2').aborted, [item('b')]);
    await stage.turns[0]!.end();
    assert.equal(stage.turns[1]!.control.signal.aborted, true);
  });

  it('ends the quiet of a lane it emptied, and forgets the overflow', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', { mode: 'collect' });
    await stage.clock.advance(0);
    for (const text of ['b', 'c']) stage.arrive('s', text, { mode: 'collect', cap: 1 });
    await stage.turns[0]!.end();
    stage.lanes.abort('s');
    await stage.clock.advance(0);
    assert.deepEqual([stage.lanes.snapshot(), stage.clock.pending()], [[], 0]);
    stage.arrive('s', 'd');
    await stage.clock.advance(0);
    assert.deepEqual(stage.turns[1]!.dropped, []);
  });

  it('knows nothing of other sessions', () =>
    assert.deepEqual(createLaneStage().lanes.abort('nobody'), { aborted: [], removed: [] }));
});

describe('exclusive work', () => {
  it('runs between two turns, before what waits', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a');
    stage.arrive('s', 'b');
    await stage.clock.advance(0);
    const during = stage.lanes.exclusive('s', async () => begun(stage).length);
    await stage.turns[0]!.end();
    assert.equal(await during, 1);
    assert.deepEqual(begun(stage), ['a', 'b']);
  });

  it('does not wait for the quiet', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', { mode: 'collect' });
    await stage.clock.advance(0);
    stage.arrive('s', 'b', { mode: 'collect' });
    await stage.turns[0]!.end();
    assert.equal(await stage.lanes.exclusive('s', async () => 'now'), 'now');
    assert.deepEqual(begun(stage), ['a']);
    await stage.clock.advance(1000);
    assert.deepEqual(begun(stage), ['a', 'b']);
  });

  it('that fails tells its caller and nobody else', async () => {
    const stage = createLaneStage();
    await assert.rejects(
      stage.lanes.exclusive('s', () => {
        throw new Error('at once');
      }),
      /at once/,
    );
    await assert.rejects(
      stage.lanes.exclusive('s', async () => {
        throw new Error('later');
      }),
      /later/,
    );
    stage.arrive('s', 'a');
    await stage.clock.advance(0);
    assert.deepEqual(begun(stage), ['a']);
  });

  it('may itself bring a message, which runs after it', async () => {
    const stage = createLaneStage();
    const order: string[] = [];
    await stage.lanes.exclusive('s', async () => {
      stage.arrive('s', 'a');
      await stage.clock.advance(0);
      order.push(`turns ${stage.turns.length}`);
    });
    await stage.clock.advance(0);
    assert.deepEqual([order, begun(stage)], [['turns 0'], ['a']]);
  });
});

describe('suspend', () => {
  it('interrupts what runs with its reason, starts nothing more and resolves when all let go', async () => {
    const stage = createLaneStage({ maxConcurrent: 2 });
    for (const key of ['s1', 's2', 's3']) stage.arrive(key, key);
    stage.arrive('s1', 'waits');
    await stage.clock.advance(0);
    const reason = Symbol('why');
    let over = false;
    const suspended = stage.lanes.suspend(reason).then(() => {
      over = true;
    });
    assert.equal(stage.turns[0]!.control.signal.reason, reason);
    await stage.turns[0]!.end();
    await stage.turns[1]!.end();
    assert.equal(over, false, 's3 got its slot and has not let go');
    assert.equal(stage.turns[2]!.control.signal.reason, reason);
    await stage.turns[2]!.end();
    await suspended;
    assert.deepEqual(begun(stage), ['s1', 's2', 's3']);
    stage.arrive('s4', 'too late');
    await stage.clock.advance(5000);
    assert.equal(stage.turns.length, 3);
    assert.deepEqual(
      stage.lanes.snapshot().map(({ waiting }) => waiting.map(({ runId }) => runId)),
      [['waits'], ['too late']],
    );
  });

  it('gives what runs its grace, starts nothing of what waits, and tells work between turns to stop', async () => {
    const stage = createLaneStage();
    stage.arrive('s1', 'runs');
    stage.arrive('s1', 'waits');
    let stopped = false;
    const work = stage.lanes.exclusive(
      's2',
      (signal) =>
        new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            stopped = true;
            resolve();
          }),
        ),
    );
    await stage.clock.advance(0);
    let over = false;
    const suspended = stage.lanes.suspend('why', 10_000).then(() => {
      over = true;
    });
    await stage.clock.advance(5000);
    await stage.turns[0]!.end();
    assert.deepEqual(
      [stage.turns.length, stage.turns[0]!.control.signal.aborted, stopped, over],
      [1, false, false, false],
    );
    await stage.clock.advance(5000);
    await Promise.all([suspended, work]);
    assert.deepEqual([stopped, over, stage.turns.length, stage.clock.pending()], [true, true, 1, 0]);
  });

  it('resolves at once when nothing runs', () => createLaneStage().lanes.suspend('why'));
});
