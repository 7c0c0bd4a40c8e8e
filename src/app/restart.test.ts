/** Whether a signal restarts the process: once for each planned restart. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createSignalGate } from './restart.ts';

describe('(T184) a signal', () => {
  it('restarts once for a restart that was planned, until its time is over', async () => {
    const clock = createFakeClock();
    const gate = createSignalGate(clock);
    assert.equal(gate.take(), false, 'nothing is planned');
    gate.authorise(clock.now() + 6000, false);
    await clock.advance(6000);
    assert.deepEqual([gate.take(), gate.take()], [true, false]);
    gate.authorise(clock.now() + 6000, false);
    await clock.advance(6001);
    assert.equal(gate.take(), false, 'too late');
    gate.authorise(clock.now() + 6000, false);
    gate.clear();
    assert.equal(gate.take(), false, 'it has happened');
  });

  it('in the place of a restart with new code is one', () => {
    const gate = createSignalGate(createFakeClock());
    gate.authorise(Infinity, true);
    assert.deepEqual([gate.take(), gate.clear(), gate.clear()], [true, true, false]);
  });
});
