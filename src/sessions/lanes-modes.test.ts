/** Queue modes: handling of messages that arrive while their session is busy (`spec/gateway.md` 2.7). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLaneHarness, item, type LaneHarness } from '../testing/lane-harness.ts';

const begun = ({ turns }: LaneHarness): string[] => turns.map(({ texts }) => texts.join('+'));

describe('collect', () => {
  const collect = { mode: 'collect' } as const;

  async function busy(): Promise<LaneHarness> {
    const harness = createLaneHarness();
    harness.arrive('s', 'first', collect);
    await harness.clock.advance(0);
    return harness;
  }

  it('starts the first message at once', async () => assert.deepEqual(begun(await busy()), ['first']));

  it('answers what waited in one turn, after the quiet', async () => {
    const harness = await busy();
    for (const text of ['a', 'b', 'c']) harness.arrive('s', text, collect);
    await harness.turns[0]!.end();
    await harness.clock.advance(999);
    assert.deepEqual(begun(harness), ['first']);
    await harness.clock.advance(1);
    assert.deepEqual(begun(harness), ['first', 'a+b+c']);
  });

  it('counts the quiet from the last arrival', async () => {
    const harness = await busy();
    harness.arrive('s', 'a', collect);
    await harness.turns[0]!.end();
    await harness.clock.advance(900);
    harness.arrive('s', 'b', collect);
    await harness.clock.advance(999);
    assert.deepEqual(begun(harness), ['first']);
    await harness.clock.advance(1);
    assert.deepEqual(begun(harness), ['first', 'a+b']);
  });

  it('keeps chats apart and lets some messages be alone, in order', async () => {
    const harness = await busy();
    harness.arrive('s', 'a', collect);
    harness.arrive('s', 'b', collect);
    harness.arrive('s', 'other chat', collect, { group: 'elsewhere' });
    harness.arrive('s', 'picture', collect, { alone: true });
    harness.arrive('s', 'c', collect);
    await harness.turns[0]!.end();
    await harness.clock.advance(1000);
    for (const nth of [1, 2, 3]) await harness.turns[nth]!.end();
    assert.deepEqual(begun(harness), ['first', 'a+b', 'other chat', 'picture', 'c']);
  });

  it('tells who gave way at the cap, and hands the turn what to sum up', async () => {
    const harness = await busy();
    for (const text of ['a', 'b', 'c', 'd']) harness.arrive('s', text, { ...collect, cap: 2 });
    assert.deepEqual(harness.dropped, [
      { texts: ['a'], reason: 'overflow' },
      { texts: ['b'], reason: 'overflow' },
    ]);
    await harness.turns[0]!.end();
    await harness.clock.advance(1000);
    assert.deepEqual(
      [harness.turns[1]!.texts, harness.turns[1]!.dropped],
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    );
    await harness.turns[1]!.end();
    harness.arrive('s', 'later', collect);
    await harness.clock.advance(0);
    assert.deepEqual(harness.turns[2]!.dropped, [], 'said once');
  });

  it('does not sum up what another drop policy sends away', async () => {
    const harness = await busy();
    for (const text of ['a', 'b', 'c']) harness.arrive('s', text, { ...collect, cap: 2, drop: 'new' });
    assert.deepEqual(harness.dropped, [{ texts: ['c'], reason: 'overflow' }]);
    await harness.turns[0]!.end();
    await harness.clock.advance(1000);
    assert.deepEqual([harness.turns[1]!.texts, harness.turns[1]!.dropped], [['a', 'b'], []]);
  });
});

describe('steer', () => {
  const steer = { mode: 'steer' } as const;

  async function busy(): Promise<LaneHarness> {
    const harness = createLaneHarness();
    harness.arrive('s', 'first', steer);
    await harness.clock.advance(0);
    return harness;
  }

  it('offers the message to the running turn, once', async () => {
    const harness = await busy();
    harness.arrive('s', 'mind this', steer);
    const { control } = harness.turns[0]!;
    assert.equal(control.steerWaiting(), true);
    assert.deepEqual(control.takeSteered(), [item('mind this')]);
    assert.deepEqual([control.steerWaiting(), control.takeSteered()], [false, []]);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['first']);
  });

  it('answers afterwards what the turn did not take, before anything later', async () => {
    const harness = await busy();
    harness.arrive('s', 'late', steer);
    harness.arrive('s', 'picture', steer, { alone: true });
    harness.arrive('s', 'after the picture', steer);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['first', 'late']);
    await harness.turns[1]!.end();
    assert.deepEqual(begun(harness), ['first', 'late', 'picture']);
  });

  it('never steers into the answer to another chat', async () => {
    const harness = await busy();
    harness.arrive('s', 'from elsewhere', steer, { group: 'elsewhere' });
    assert.equal(harness.turns[0]!.control.steerWaiting(), false);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['first', 'from elsewhere']);
  });

  it('overtakes nothing that waits, a turn of an earlier run included', async () => {
    const harness = createLaneHarness();
    harness.lanes.resume('s', [item('old 1')]);
    harness.lanes.resume('s', [item('old 2')]);
    await harness.clock.advance(0);
    harness.arrive('s', 'new', steer);
    assert.equal(harness.turns[0]!.control.steerWaiting(), false);
    await harness.turns[0]!.end();
    await harness.turns[1]!.end();
    assert.deepEqual(begun(harness), ['old 1', 'old 2', 'new']);
  });

  it('is bounded like every queue', async () => {
    const harness = await busy();
    for (let n = 0; n < 6; n++) harness.arrive('s', String(n), { ...steer, cap: 2 });
    assert.equal(harness.turns[0]!.control.takeSteered().length, 2);
    assert.deepEqual(
      harness.dropped.map(({ texts }) => texts),
      [['2'], ['3']],
    );
  });
});

describe('interrupt', () => {
  it('aborts the running turn and answers the newest', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a');
    harness.arrive('s', 'b');
    await harness.clock.advance(0);
    harness.arrive('s', 'c', { mode: 'interrupt' });
    assert.equal(harness.turns[0]!.control.signal.aborted, true);
    assert.deepEqual(harness.dropped, [{ texts: ['b'], reason: 'interrupted' }]);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['a', 'c']);
    assert.equal(harness.turns[1]!.control.signal.aborted, false);
  });

  it('leaves an idle lane alone', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', { mode: 'interrupt' });
    await harness.clock.advance(0);
    assert.deepEqual([begun(harness), harness.dropped], [['a'], []]);
  });
});
