/** Queue modes: what becomes of messages that arrive while their session is busy (`spec/gateway.md` 2.7). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLaneStage, item, type LaneStage } from '../testing/lane-stage.ts';

const begun = ({ turns }: LaneStage): string[] => turns.map(({ texts }) => texts.join('+'));

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
    assert.deepEqual(stage.dropped, [
      { texts: ['a'], reason: 'overflow' },
      { texts: ['b'], reason: 'overflow' },
    ]);
    await stage.turns[0]!.end();
    await stage.clock.advance(1000);
    assert.deepEqual(
      [stage.turns[1]!.texts, stage.turns[1]!.dropped],
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    );
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
    assert.deepEqual(
      stage.dropped.map(({ texts }) => texts),
      [['2'], ['3']],
    );
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
