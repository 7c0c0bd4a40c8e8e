/** Lanes: one turn at a time per session, in order of arrival, in every queue mode (`spec/gateway.md` 2.7, 2.8, 8.4). */
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
    assert.deepEqual(stage.lanes.snapshot().map(({ key }) => key), ['s']);
    await stage.turns[0]!.end();
    assert.deepEqual(stage.lanes.snapshot(), []);
    await stage.lanes.exclusive('s', async () => undefined);
    await stage.clock.advance(0);
    assert.deepEqual(stage.lanes.snapshot(), []);
    assert.equal(stage.clock.pending(), 0);
  });

  it('goes on after a turn that fails, and the failure is logged', async () => {
    const logged: unknown[] = [];
    const stage = createLaneStage({ log: { ...silentLog, error: (event, fields) => void logged.push([event, fields?.['sessionKey']]) } });
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

describe('collect', () => {
  const collect = { mode: 'collect' } as const;

  async function busy(): Promise<LaneStage> {
    const stage = createLaneStage();
    stage.arrive('s', 'first', collect);
    await stage.clock.advance(0);
    return stage;
  }

  it('starts the first message at once', async () => assert.deepEqual(begun(await busy()), ['first']));

  it('answers what waited in one turn, after the quiet', async () => {
    const stage = await busy();
    for (const text of ['a', 'b', 'c']) stage.arrive('s', text, collect);
    await stage.turns[0]!.end();
    await stage.clock.advance(999);
    assert.deepEqual(begun(stage), ['first']);
    await stage.clock.advance(1);
    assert.deepEqual(begun(stage), ['first', 'a+b+c']);
  });

  it('counts the quiet from the last arrival', async () => {
    const stage = await busy();
    stage.arrive('s', 'a', collect);
    await stage.turns[0]!.end();
    await stage.clock.advance(900);
    stage.arrive('s', 'b', collect);
    await stage.clock.advance(999);
    assert.deepEqual(begun(stage), ['first']);
    await stage.clock.advance(1);
    assert.deepEqual(begun(stage), ['first', 'a+b']);
  });

  it('keeps chats apart and lets some messages be alone, in order', async () => {
    const stage = await busy();
    stage.arrive('s', 'a', collect);
    stage.arrive('s', 'b', collect);
    stage.arrive('s', 'other chat', collect, { group: 'elsewhere' });
    stage.arrive('s', 'picture', collect, { alone: true });
    stage.arrive('s', 'c', collect);
    await stage.turns[0]!.end();
    await stage.clock.advance(1000);
    for (const nth of [1, 2, 3]) await stage.turns[nth]!.end();
    assert.deepEqual(begun(stage), ['first', 'a+b', 'other chat', 'picture', 'c']);
  });

  it('tells who gave way at the cap, and hands the turn what to sum up', async () => {
    const stage = await busy();
    for (const text of ['a', 'b', 'c', 'd']) stage.arrive('s', text, { ...collect, cap: 2 });
    assert.deepEqual(stage.dropped, [{ texts: ['a'], reason: 'overflow' }, { texts: ['b'], reason: 'overflow' }]);
    await stage.turns[0]!.end();
    await stage.clock.advance(1000);
    assert.deepEqual([stage.turns[1]!.texts, stage.turns[1]!.dropped], [['c', 'd'], ['a', 'b']]);
    await stage.turns[1]!.end();
    stage.arrive('s', 'later', collect);
    await stage.clock.advance(0);
    assert.deepEqual(stage.turns[2]!.dropped, [], 'said once');
  });

  it('does not sum up what another drop policy sends away', async () => {
    const stage = await busy();
    for (const text of ['a', 'b', 'c']) stage.arrive('s', text, { ...collect, cap: 2, drop: 'new' });
    assert.deepEqual(stage.dropped, [{ texts: ['c'], reason: 'overflow' }]);
    await stage.turns[0]!.end();
    await stage.clock.advance(1000);
    assert.deepEqual([stage.turns[1]!.texts, stage.turns[1]!.dropped], [['a', 'b'], []]);
  });
});

describe('steer', () => {
  const steer = { mode: 'steer' } as const;

  async function busy(): Promise<LaneStage> {
    const stage = createLaneStage();
    stage.arrive('s', 'first', steer);
    await stage.clock.advance(0);
    return stage;
  }

  it('offers the message to the running turn, once', async () => {
    const stage = await busy();
    stage.arrive('s', 'mind this', steer);
    const { control } = stage.turns[0]!;
    assert.equal(control.steerWaiting(), true);
    assert.deepEqual(control.takeSteered(), [item('mind this')]);
    assert.deepEqual([control.steerWaiting(), control.takeSteered()], [false, []]);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['first']);
  });

  it('answers afterwards what the turn did not take, before anything later', async () => {
    const stage = await busy();
    stage.arrive('s', 'late', steer);
    stage.arrive('s', 'picture', steer, { alone: true });
    stage.arrive('s', 'after the picture', steer);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['first', 'late']);
    await stage.turns[1]!.end();
    assert.deepEqual(begun(stage), ['first', 'late', 'picture']);
  });

  it('never steers into the answer to another chat', async () => {
    const stage = await busy();
    stage.arrive('s', 'from elsewhere', steer, { group: 'elsewhere' });
    assert.equal(stage.turns[0]!.control.steerWaiting(), false);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['first', 'from elsewhere']);
  });

  it('overtakes nothing that waits, a turn of an earlier life included', async () => {
    const stage = createLaneStage();
    stage.lanes.resume('s', [item('old 1')]);
    stage.lanes.resume('s', [item('old 2')]);
    await stage.clock.advance(0);
    stage.arrive('s', 'new', steer);
    assert.equal(stage.turns[0]!.control.steerWaiting(), false);
    await stage.turns[0]!.end();
    await stage.turns[1]!.end();
    assert.deepEqual(begun(stage), ['old 1', 'old 2', 'new']);
  });

  it('is bounded like every queue', async () => {
    const stage = await busy();
    for (let n = 0; n < 6; n++) stage.arrive('s', String(n), { ...steer, cap: 2 });
    assert.equal(stage.turns[0]!.control.takeSteered().length, 2);
    assert.deepEqual(stage.dropped.map(({ texts }) => texts), [['2'], ['3']]);
  });
});

describe('interrupt', () => {
  it('aborts the running turn and answers the newest', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a');
    stage.arrive('s', 'b');
    await stage.clock.advance(0);
    stage.arrive('s', 'c', { mode: 'interrupt' });
    assert.equal(stage.turns[0]!.control.signal.aborted, true);
    assert.deepEqual(stage.dropped, [{ texts: ['b'], reason: 'interrupted' }]);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['a', 'c']);
    assert.equal(stage.turns[1]!.control.signal.aborted, false);
  });

  it('leaves an idle lane alone', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', { mode: 'interrupt' });
    await stage.clock.advance(0);
    assert.deepEqual([begun(stage), stage.dropped], [['a'], []]);
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
    assert.deepEqual([aborted, removed].map((items) => items.map(({ runId }) => runId)), [['a', 'joined'], ['steered', 'waits']]);
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
    assert.deepEqual(stage.lanes.abort('s', 'joined').aborted.map(({ runId }) => runId), ['a', 'joined']);
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

  it('knows nothing of other sessions', () => assert.deepEqual(createLaneStage().lanes.abort('nobody'), { aborted: [], removed: [] }));
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
    await assert.rejects(stage.lanes.exclusive('s', () => { throw new Error('at once'); }), /at once/);
    await assert.rejects(stage.lanes.exclusive('s', async () => { throw new Error('later'); }), /later/);
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
    const suspended = stage.lanes.suspend(reason).then(() => { over = true; });
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
    assert.deepEqual(stage.lanes.snapshot().map(({ waiting }) => waiting.map(({ runId }) => runId)), [['waits'], ['too late']]);
  });

  it('gives what runs its grace, starts nothing of what waits, and tells work between turns to stop', async () => {
    const stage = createLaneStage();
    stage.arrive('s1', 'runs');
    stage.arrive('s1', 'waits');
    let stopped = false;
    const work = stage.lanes.exclusive('s2', (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => {
      stopped = true;
      resolve();
    })));
    await stage.clock.advance(0);
    let over = false;
    const suspended = stage.lanes.suspend('why', 10_000).then(() => { over = true; });
    await stage.clock.advance(5000);
    await stage.turns[0]!.end();
    assert.deepEqual([stage.turns.length, stage.turns[0]!.control.signal.aborted, stopped, over], [1, false, false, false]);
    await stage.clock.advance(5000);
    await Promise.all([suspended, work]);
    assert.deepEqual([stopped, over, stage.turns.length, stage.clock.pending()], [true, true, 1, 0]);
  });

  it('resolves at once when nothing runs', () => createLaneStage().lanes.suspend('why'));
});
