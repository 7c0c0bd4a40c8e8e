/**
 * G118: quick successive messages of one person get one answer; messages of others, files and commands do not wait for
 * them.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLaneHarness, type LaneHarness } from '../testing/lane-harness.ts';

const begun = ({ turns }: LaneHarness): string[] => turns.map(({ texts }) => texts.join('+'));
const GATHER = { gatherMs: 500 };
const ann = { gather: 'ann' };

describe('gathering', () => {
  it('waits for quiet, and starts anew with each word', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', GATHER, ann);
    await harness.clock.advance(400);
    harness.arrive('s', 'b', GATHER, ann);
    await harness.clock.advance(499);
    assert.deepEqual(begun(harness), []);
    await harness.clock.advance(1);
    assert.deepEqual(begun(harness), ['a+b']);
  });

  it('is ended by somebody else, a file or a command, each of which goes by itself', async () => {
    for (const other of [{ gather: 'bob' }, { gather: undefined, alone: true }]) {
      const harness = createLaneHarness();
      harness.arrive('s', 'a', GATHER, ann);
      harness.arrive('s', 'b', GATHER, ann);
      harness.arrive('s', 'c', GATHER, other);
      await harness.clock.advance(0);
      assert.deepEqual(begun(harness), ['a+b']);
      await harness.turns[0]!.end();
      assert.deepEqual(begun(harness), ['a+b', 'c']);
    }
  });

  it('never mixes chats or rights', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', GATHER, ann);
    harness.arrive('s', 'b', GATHER, { ...ann, group: 'elsewhere' });
    await harness.clock.advance(500);
    assert.deepEqual(begun(harness), ['a']);
  });

  it('holds nothing up where it is off, or while a turn runs', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', {}, ann);
    await harness.clock.advance(0);
    harness.arrive('s', 'b', GATHER, ann);
    await harness.turns[0]!.end();
    assert.deepEqual(begun(harness), ['a', 'b']);
  });

  it('is forgotten by a stop', async () => {
    const harness = createLaneHarness();
    harness.arrive('s', 'a', GATHER, ann);
    assert.equal(harness.lanes.abort('s').removed.length, 1);
    await harness.clock.advance(600);
    harness.arrive('s', 'b', {}, ann);
    await harness.clock.advance(0);
    assert.deepEqual(begun(harness), ['b']);
  });
});
