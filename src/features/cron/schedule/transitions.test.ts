/**
 * Every change of the clocks in a year, in zones of each kind: what a schedule does is compared with a clock
 * that is read minute by minute.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSchedules, type Schedules } from './schedules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2026, 10, 1);
const TO = Date.UTC(2027, 10, 1);
/** Every day of two years: one of them is a leap year. */
const TO_OF_DAYS = Date.UTC(2028, 10, 1);

type Zone = readonly [zone: string, changes?: number];
/**
 * Zone, and how often its clocks change in this year; open where governments decide from year to year. One that changes
 * at night, by half an hour, at midnight, for a month, and before midnight.
 */
const USUAL: readonly Zone[] = [
  ['Europe/Berlin', 2],
  ['Australia/Lord_Howe', 2],
  ['America/Havana', 2],
  ['Africa/Casablanca'],
  // The gap lies before midnight here, so that a time in it belongs to the day before its run.
  ['America/Scoresbysund', 2],
];
/** In the full run: others of the same kinds. */
const OTHERS: readonly Zone[] = [
  ['America/New_York', 2],
  ['America/Santiago', 2],
  ['Pacific/Chatham', 2],
  ['Asia/Tehran'],
  ['Atlantic/Azores', 2],
  ['Pacific/Auckland', 2],
  ['America/Nuuk', 2],
];
const ZONES = process.env['TEST_MATRICES'] === 'full' ? [...USUAL, ...OTHERS] : USUAL;

/** Minutes since the epoch of a zone's wall clock, read as if it were UTC. Independent of what is tested. */
function clockOf(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (ms) => {
    const [day, month, year, hour, minute] = format.format(ms).split(/\D+/).map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute);
  };
}

function transitionsOf(wall: (ms: number) => number): number[] {
  const found: number[] = [];
  const offset = (ms: number): number => wall(ms) - ms;
  for (let from = FROM; from < TO; from += DAY) {
    if (offset(from) === offset(from + DAY)) continue;
    let [low, high] = [from, from + DAY];
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
      if (offset(middle) === offset(from)) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
}

/** What the clock shows in each minute of the days around an instant. */
function tableAround(
  instant: number,
  wall: (ms: number) => number,
): readonly { readonly at: number; readonly wall: number }[] {
  return Array.from({ length: (2.5 * DAY) / MINUTE }, (_, index) => instant - 30 * HOUR + index * MINUTE).map((at) => ({
    at,
    wall: wall(at),
  }));
}
type Table = ReturnType<typeof tableAround>;

/** The first instant at which the clock has reached each nominal time; several in a gap share one. */
function reached(table: Table, isNominal: (wall: number) => boolean): number[] {
  const slots = new Set<number>();
  let highest = table[0]!.wall;
  for (const { at, wall } of table.slice(1)) {
    for (let nominal = highest + MINUTE; nominal <= wall; nominal += MINUTE) if (isNominal(nominal)) slots.add(at);
    highest = Math.max(highest, wall);
  }
  return [...slots];
}

/** Every instant at which the clock shows such a time. */
const shown = (table: Table, isNominal: (wall: number) => boolean): number[] =>
  table
    .slice(1)
    .filter(({ wall }) => isNominal(wall))
    .map(({ at }) => at);

const text = (slots: readonly number[]): string[] => slots.map((ms) => new Date(ms).toISOString());

/** The same slots forwards, backwards one by one, and in one go in both directions. */
function assertSlots(
  schedules: Schedules,
  expr: string,
  { tz, table, expected }: { readonly tz: string; readonly table: Table; readonly expected: readonly number[] },
): void {
  const schedule = { kind: 'cron', expr, tz } as const;
  const [afterMs, untilMs] = [table[0]!.at, table.at(-1)!.at];
  const forwards: number[] = [];
  for (let at = schedules.next(schedule, afterMs, 0)!; at <= untilMs; at = schedules.next(schedule, at, 0)!) {
    assert.ok(at > (forwards.at(-1) ?? afterMs), `${expr} in ${tz}: time goes on`);
    forwards.push(at);
  }
  assert.deepEqual(text(forwards), text(expected), `${expr} in ${tz}`);
  const backwards: number[] = [];
  for (
    let at = schedules.newest(schedule, { afterMs, untilMs }, 0);
    at !== undefined;
    at = schedules.newest(schedule, { afterMs, untilMs: at - 1 }, 0)
  )
    backwards.unshift(at);
  assert.deepEqual(text(backwards), text(expected), `${expr} in ${tz}, backwards`);
  for (const keep of ['oldest', 'newest'] as const) {
    assert.deepEqual(
      schedules.between(schedule, { afterMs, untilMs, limit: 1000, keep }, 0),
      { slots: expected, more: false },
      `${expr} in ${tz}, ${keep}`,
    );
  }
}

const at =
  (hour: number, minute: number) =>
  (wall: number): boolean =>
    wall % DAY === hour * HOUR + minute * MINUTE;

for (const [zone, changes] of ZONES) {
  test(`each change of the clocks in ${zone}: every written time once, every hour that passes (T177)`, async () => {
    const schedules = await loadSchedules({ hostZone: 'UTC' });
    const wall = clockOf(zone);
    const transitions = transitionsOf(wall);
    if (changes !== undefined) assert.equal(transitions.length, changes);
    // A zone without changes is looked at on an ordinary day.
    for (const instant of transitions.length === 0 ? [Date.UTC(2027, 2, 21, 20, 30)] : transitions) {
      const table = tableAround(instant, wall);
      const [before, after] = [wall(instant - MINUTE) + MINUTE, wall(instant)];
      const middle = (Math.min(before, after) + Math.floor(Math.abs(after - before) / 2 / MINUTE) * MINUTE) % DAY;
      const [hour, minute] = [Math.floor(middle / HOUR), Math.floor((middle % HOUR) / MINUTE)];

      // Daily at a time in the gap or the overlap, at its two ends, and together with an ordinary time.
      for (const time of [middle, before % DAY, after % DAY]) {
        const [h, m] = [Math.floor(time / HOUR), Math.floor((time % HOUR) / MINUTE)];
        const daily = reached(table, at(h, m));
        assertSlots(schedules, `${m} ${h} * * *`, { tz: zone, table, expected: daily });
        assert.ok(daily.length >= 2, 'no day is lost');
      }
      const other = (hour + 9) % 24;
      assertSlots(schedules, `${minute} ${[hour, other].sort((a, b) => a - b).join(',')} * * *`, {
        tz: zone,
        table,
        expected: reached(table, (wallMs) => at(hour, minute)(wallMs) || at(other, minute)(wallMs)),
      });
      // Patterns that name hours follow the clock, steps and all.
      assertSlots(schedules, `*/15 ${hour} * * *`, {
        tz: zone,
        table,
        expected: reached(
          table,
          (wallMs) => Math.floor((wallMs % DAY) / HOUR) === hour && wallMs % (15 * MINUTE) === 0,
        ),
      });
      assertSlots(schedules, '0 */2 * * *', {
        tz: zone,
        table,
        expected: reached(table, (wallMs) => wallMs % (2 * HOUR) === 0),
      });
      // Patterns that leave the hour open run whenever the clock shows the minute.
      assertSlots(schedules, '0 * * * *', { tz: zone, table, expected: shown(table, (wallMs) => wallMs % HOUR === 0) });
      assertSlots(schedules, '*/15 * * * *', {
        tz: zone,
        table,
        expected: shown(table, (wallMs) => wallMs % (15 * MINUTE) === 0),
      });
      assertSlots(schedules, '17 * * * *', {
        tz: zone,
        table,
        expected: shown(table, (wallMs) => wallMs % HOUR === 17 * MINUTE),
      });
    }
  });

  test(`two years of every day in ${zone}: no day is lost, none comes twice`, async () => {
    const schedules = await loadSchedules({ hostZone: zone });
    const wall = clockOf(zone);
    const clockTimes = new Set([
      '0 0',
      '30 2',
      '30 23',
      ...transitionsOf(wall).map(
        (instant) => `${new Date(wall(instant - MINUTE)).getUTCMinutes()} ${new Date(wall(instant)).getUTCHours()}`,
      ),
    ]);
    for (const time of clockTimes) {
      const days = new Set<number>();
      let runs = 0;
      for (
        let slot = schedules.next({ kind: 'cron', expr: `${time} * * *` }, FROM - 1, 0)!;
        slot < TO_OF_DAYS;
        slot = schedules.next({ kind: 'cron', expr: `${time} * * *` }, slot, 0)!
      ) {
        runs += 1;
        // A gap may end at midnight: the time was still due on the day before.
        days.add(Math.floor((wall(slot) - MINUTE) / DAY));
      }
      assert.equal(runs, (TO_OF_DAYS - FROM) / DAY, `${time} in ${zone}`);
      assert.ok(days.size >= runs - 4, `${time} in ${zone}`);
    }
  });

  test(`a period does not know of clocks in ${zone}`, async () => {
    const schedules = await loadSchedules({ hostZone: zone });
    const schedule = { kind: 'every', everyMs: 7 * HOUR, anchorMs: FROM } as const;
    const { slots } = schedules.between(
      schedule,
      { afterMs: FROM, untilMs: FROM + 400 * DAY, limit: 5000, keep: 'oldest' },
      0,
    );
    assert.ok(slots.every((slot, index) => slot === FROM + (index + 1) * 7 * HOUR));
    assert.equal(slots.length, Math.floor((400 * 24) / 7));
  });
}

test('the hours of Berlin that everybody asks about (T177)', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const next = (expr: string, from: string, count: number): string[] => {
    const slots: number[] = [];
    for (let slot = Date.parse(from); slots.length < count; slots.push(slot))
      slot = schedules.next({ kind: 'cron', expr, tz: 'Europe/Berlin' }, slot, 0)!;
    return text(slots);
  };
  // 02:30 does not exist on 28 March 2027; the clock goes from 02:00 to 03:00 at 01:00Z.
  assert.deepEqual(next('30 2 * * *', '2027-03-27T12:00:00Z', 2), [
    '2027-03-28T01:00:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ]);
  assert.deepEqual(next('0 2,3 * * *', '2027-03-27T12:00:00Z', 2), [
    '2027-03-28T01:00:00.000Z',
    '2027-03-29T00:00:00.000Z',
  ]);
  // 02:30 comes twice on 25 October 2026.
  assert.deepEqual(next('30 2 * * *', '2026-10-24T12:00:00Z', 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  // Asked in between, and in the second of the two hours, nothing comes again.
  assert.deepEqual(next('30 2 * * *', '2026-10-25T00:30:00Z', 1), ['2026-10-26T01:30:00.000Z']);
  assert.deepEqual(next('30 2 * * *', '2026-10-25T01:10:00Z', 1), ['2026-10-26T01:30:00.000Z']);
  // An hourly job has 23 and 25 runs.
  assert.equal(
    schedules.between(
      { kind: 'cron', expr: '0 * * * *', tz: 'Europe/Berlin' },
      { afterMs: Date.parse('2027-03-27T23:00:00Z') - 1, untilMs: Date.parse('2027-03-28T22:00:00Z') - 1, limit: 100 },
      0,
    ).slots.length,
    23,
  );
  assert.equal(
    schedules.between(
      { kind: 'cron', expr: '0 * * * *', tz: 'Europe/Berlin' },
      { afterMs: Date.parse('2026-10-24T22:00:00Z') - 1, untilMs: Date.parse('2026-10-25T23:00:00Z') - 1, limit: 100 },
      0,
    ).slots.length,
    25,
  );
});
