/** Time zones by name: known and misspelled ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMachineZone, createZoneName, isZone } from './time-zone.ts';

describe('a time zone', () => {
  it('is what the machine knows by that name, its own among them', () => {
    assert.deepEqual(['Europe/Berlin', 'utc', createMachineZone()()].map(isZone), [true, true, true]);
    assert.deepEqual(['Europe/Berln', 'Berlin', ''].map(isZone), [false, false, false]);
  });

  it('is read where the system says it, and asked from the runtime where it is written in another way', () => {
    const zone = (variable: string, link?: string): string => createZoneName({ variable, link: () => link })();
    assert.equal(zone('Europe/Berlin', '/usr/share/zoneinfo/Asia/Tokyo'), 'Europe/Berlin', 'the environment wins');
    assert.equal(zone(':/usr/share/zoneinfo/America/Argentina/Salta'), 'America/Argentina/Salta');
    assert.equal(zone('', '../usr/share/zoneinfo/Asia/Tokyo'), 'Asia/Tokyo');
    assert.equal(zone('', '/var/db/timezone/zoneinfo/Etc/UTC'), 'UTC');
    for (const other of ['CET-1CEST', 'Europe/', '/etc/somewhere'])
      assert.equal(zone(other), createMachineZone()(), other);
    assert.equal(zone(''), createMachineZone()());
    assert.ok(isZone(createZoneName()()));
  });
});
