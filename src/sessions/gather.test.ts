/**
 * G118 what one person writes in quick succession is answered once; nobody else's words, files or commands wait for it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLaneStage, type LaneStage } from '../testing/lane-stage.ts';

const begun = ({ turns }: LaneStage): string[] => turns.map(({ texts }) => texts.join('+'));
const GATHER = { gatherMs: 500 };
const ann = { gather: 'ann' };

describe('gathering', () => {
  it('waits for quiet, and starts anew with each word', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', GATHER, ann);
    await stage.clock.advance(400);
    stage.arrive('s', 'b', GATHER, ann);
    await stage.clock.advance(499);
    assert.deepEqual(begun(stage), []);
    await stage.clock.advance(1);
    assert.deepEqual(begun(stage), ['a+b']);
  });

  it('is ended by somebody else, a file or a command, each of which goes by itself', async () => {
    for (const other of [{ gather: 'bob' }, { gather: undefined, alone: true }]) {
      const stage = createLaneStage();
      stage.arrive('s', 'a', GATHER, ann);
      stage.arrive('s', 'b', GATHER, ann);
      stage.arrive('s', 'c', GATHER, other);
      await stage.clock.advance(0);
      assert.deepEqual(begun(stage), ['a+b']);
      await stage.turns[0]!.end();
      assert.deepEqual(begun(stage), ['a+b', 'c']);
    }
  });

  it('never mixes chats or rights', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', GATHER, ann);
    stage.arrive('s', 'b', GATHER, { ...ann, group: 'elsewhere' });
    await stage.clock.advance(500);
    assert.deepEqual(begun(stage), ['a']);
  });

  it('holds nothing up where it is off, or while a turn runs', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', {}, ann);
    await stage.clock.advance(0);
    stage.arrive('s', 'b', GATHER, ann);
    await stage.turns[0]!.end();
    assert.deepEqual(begun(stage), ['a', 'b']);
  });

  it('is forgotten by a stop', async () => {
    const stage = createLaneStage();
    stage.arrive('s', 'a', GATHER, ann);
    assert.equal(stage.lanes.abort('s').removed.length, 1);
    await stage.clock.advance(600);
    stage.arrive('s', 'b', {}, ann);
    await stage.clock.advance(0);
    assert.deepEqual(begun(stage), ['b']);
  });
});
