// When an agent is awake, and when it wakes next: in several zones, over midnight, and through every kind of clock
// change.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isActive, nextOpening, wallMinuteIn } from './active-hours.ts';

const at = (iso: string): number => Date.parse(iso);
const minute = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

describe('active hours', () => {
  for (const [start, end, inside, outside] of [
    ['08:00', '22:00', ['08:00', '12:00', '21:59'], ['07:59', '22:00', '00:00']],
    ['00:00', '24:00', ['00:00', '23:59', '12:00'], []],
    ['09:00', '24:00', ['09:00', '23:59'], ['08:59', '00:00']],
    ['22:00', '06:00', ['22:00', '23:59', '00:00', '05:59'], ['06:00', '21:59', '12:00']],
    ['22:00', '00:00', ['22:00', '23:59'], ['00:00', '21:59']],
    ['10:00', '10:00', ['10:00', '09:59', '00:00'], []],
    ['24:00', '06:00', ['00:00', '05:59'], ['06:00', '23:59']],
  ] as const)
    it(`${start}–${end}`, () => {
      for (const time of inside) assert.equal(isActive({ start, end }, minute(time)), true, time);
      for (const time of outside) assert.equal(isActive({ start, end }, minute(time)), false, time);
    });

  /** zone, hours, now, when it wakes next (undefined: it is awake). */
  const corpus: readonly (readonly [string, string, string, string | undefined, string])[] = [
    ['Europe/Berlin', '08:00-22:00', '2026-11-24T05:00:00Z', '2026-11-24T07:00:00Z', 'winter: UTC+1'],
    ['Europe/Berlin', '08:00-22:00', '2026-07-24T05:00:00Z', '2026-07-24T06:00:00Z', 'summer: UTC+2'],
    ['Europe/Berlin', '08:00-22:00', '2026-11-24T07:00:00Z', undefined, 'the first minute'],
    ['Europe/Berlin', '08:00-22:00', '2026-11-24T20:59:59.999Z', undefined, 'the last millisecond'],
    ['Europe/Berlin', '08:00-22:00', '2026-11-24T21:00:00Z', '2026-11-25T07:00:00Z', 'just closed'],
    ['Europe/Berlin', '08:00-22:00', '2026-11-24T06:59:59.500Z', '2026-11-24T07:00:00Z', 'half a second before'],
    ['Europe/Berlin', '08:00-22:00', '2027-03-27T21:30:00Z', '2027-03-28T06:00:00Z', 'the night that loses an hour'],
    ['Europe/Berlin', '08:00-22:00', '2027-10-30T20:30:00Z', '2027-10-31T07:00:00Z', 'the night that gains an hour'],
    [
      'Europe/Berlin',
      '02:30-05:00',
      '2027-03-28T00:00:00Z',
      '2027-03-28T01:00:00Z',
      'opens inside the lost hour: at the first minute behind it',
    ],
    ['Europe/Berlin', '02:10-02:50', '2027-03-27T20:00:00Z', '2027-03-29T00:10:00Z', 'all of it is lost: the next day'],
    [
      'Europe/Berlin',
      '02:30-05:00',
      '2027-10-30T22:00:00Z',
      '2027-10-31T00:30:00Z',
      'opens in the doubled hour: the first time',
    ],
    ['Europe/Berlin', '02:30-02:45', '2027-10-31T00:50:00Z', '2027-10-31T01:30:00Z', 'and the second time'],
    ['America/New_York', '07:00-23:00', '2026-11-24T05:00:00Z', '2026-11-24T12:00:00Z', 'west of Greenwich'],
    ['America/New_York', '22:00-06:00', '2026-11-24T17:00:00Z', '2026-11-25T03:00:00Z', 'over midnight'],
    ['America/New_York', '22:00-06:00', '2026-11-25T04:30:00Z', undefined, 'over midnight, before it'],
    ['America/New_York', '22:00-06:00', '2026-11-25T10:59:00Z', undefined, 'over midnight, behind it'],
    ['America/Havana', '00:00-06:00', '2027-03-14T04:30:00Z', '2027-03-14T05:00:00Z', 'a midnight that does not exist'],
    ['Australia/Lord_Howe', '08:00-22:00', '2026-11-24T20:00:00Z', '2026-11-24T21:00:00Z', 'UTC+11'],
    ['Australia/Lord_Howe', '02:00-05:00', '2027-10-02T14:00:00Z', '2027-10-02T15:30:00Z', 'half an hour is lost'],
    ['Pacific/Chatham', '08:00-22:00', '2026-11-24T18:00:00Z', '2026-11-24T18:15:00Z', 'UTC+13:45'],
    ['Asia/Kolkata', '09:30-18:00', '2026-11-24T00:00:00Z', '2026-11-24T04:00:00Z', 'UTC+5:30'],
    ['Pacific/Kiritimati', '08:00-22:00', '2026-11-24T12:00:00Z', '2026-11-24T18:00:00Z', 'UTC+14'],
    ['UTC', '00:00-24:00', '2026-11-24T12:00:00Z', undefined, 'always'],
    ['UTC', '12:00-12:01', '2026-11-24T12:01:00Z', '2026-11-25T12:00:00Z', 'one minute a day'],
  ];
  for (const [zone, hours, now, opening, what] of corpus)
    it(`${zone} ${hours} ${what}`, () => {
      const [start, end] = hours.split('-') as [string, string];
      const found = nextOpening({ start, end }, at(now), wallMinuteIn(zone));
      assert.equal(
        found === undefined ? undefined : new Date(found).toISOString(),
        opening === undefined ? undefined : new Date(at(opening)).toISOString(),
      );
    });

  it('is never asked into quiet hours, wherever it is asked', () => {
    const hours = { start: '07:30', end: '09:15' };
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Pacific/Auckland', 'Africa/Casablanca', 'Asia/Tehran']) {
      const wall = wallMinuteIn(zone);
      for (let now = at('2027-03-01T00:00:00Z'); now < at('2027-05-15T00:00:00Z'); now += 7 * 3_600_000 + 1234) {
        const opening = nextOpening(hours, now, wall);
        if (opening === undefined) assert.equal(isActive(hours, wall(now)), true);
        else
          assert.ok(
            opening > now && isActive(hours, wall(opening)) && !isActive(hours, wall(opening - 1)),
            `${zone} ${new Date(now).toISOString()}`,
          );
      }
    }
  });

  it('a zone nobody knows is an error', () => {
    assert.throws(() => wallMinuteIn('Mars/Olympus'), RangeError);
  });
});
