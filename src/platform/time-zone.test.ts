/** Time zones by name: known and misspelled ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMachineZone, isZone } from './time-zone.ts';

describe('a time zone', () => {
  it('is what the machine knows by that name, its own among them', () => {
    assert.deepEqual(['Europe/Berlin', 'utc', createMachineZone()()].map(isZone), [true, true, true]);
    assert.deepEqual(['Europe/Berln', 'Berlin', ''].map(isZone), [false, false, false]);
  });
});
