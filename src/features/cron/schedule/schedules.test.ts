/** What schedules mean: next, newest, between, what is refused, and how they are said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CronSchedule } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { loadSchedules } from './schedules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text.includes('Z') ? text : `${text.replace(' ', 'T')}Z`);
const iso = (ms: number | undefined): string => (ms === undefined ? 'never' : new Date(ms).toISOString().slice(0, 19));
const cron = (expr: string, tz?: string): CronSchedule => present({ kind: 'cron', expr, tz });

async function runs(schedule: CronSchedule, from: string, count: number, madeAtMs = 0): Promise<string[]> {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const found: string[] = [];
  for (
    let slot = schedules.next(schedule, at(from), madeAtMs);
    slot !== undefined && found.length < count;
    slot = schedules.next(schedule, slot, madeAtMs)
  )
    found.push(iso(slot));
  return found;
}

test('a period: an anchor and whole periods after it; now at the anchor is one period on (T164)', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const every = (anchorMs?: number): CronSchedule => present({ kind: 'every', everyMs: 1000, anchorMs });
  assert.equal(schedules.next(every(5000), 5000, 0), 6000);
  assert.equal(schedules.next(every(5000), 4999, 0), 5000);
  assert.equal(schedules.next(every(5000), -1e6, 0), 5000);
  assert.equal(schedules.next(every(5000), 5999, 0), 6000);
  assert.equal(schedules.next(every(5000), 7500, 0), 8000);
  // Without an anchor the moment it was made counts, and is no slot itself.
  assert.equal(schedules.next(every(), 5000, 5000), 6000);
  assert.equal(schedules.next(every(), 0, 5000), 6000);
  assert.equal(schedules.newest(every(), { afterMs: 0, untilMs: 5999 }, 5000), undefined);
  assert.equal(schedules.newest(every(5000), { afterMs: 4999, untilMs: 5000 }, 0), 5000);
  assert.equal(schedules.newest(every(5000), { afterMs: 5000, untilMs: 5999 }, 0), undefined);
});

test('a period of a second over a year: the newest slots without counting them', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const schedule: CronSchedule = { kind: 'every', everyMs: 1000, anchorMs: 0 };
  assert.equal(schedules.newest(schedule, { afterMs: 0, untilMs: 365 * DAY + 1 }, 0), 365 * DAY);
  assert.deepEqual(schedules.between(schedule, { afterMs: 0, untilMs: 365 * DAY, limit: 2 }, 0), {
    slots: [365 * DAY - 1000, 365 * DAY],
    more: true,
  });
  assert.deepEqual(schedules.between(schedule, { afterMs: 0, untilMs: 365 * DAY, limit: 2, keep: 'oldest' }, 0), {
    slots: [1000, 2000],
    more: true,
  });
});

test('a period far beyond the calendar has no next slot', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  assert.equal(schedules.next({ kind: 'every', everyMs: 8e15, anchorMs: 8e15 }, 8e15, 0), undefined);
});

test('once: its instant, and nothing after it', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const schedule: CronSchedule = { kind: 'at', atMs: 5000 };
  assert.equal(schedules.next(schedule, 4999, 0), 5000);
  assert.equal(schedules.next(schedule, 5000, 0), undefined);
  assert.equal(schedules.newest(schedule, { afterMs: 4999, untilMs: 5000 }, 0), 5000);
  assert.equal(schedules.newest(schedule, { afterMs: 5000, untilMs: 9000 }, 0), undefined);
  assert.deepEqual(schedules.between(schedule, { afterMs: 0, untilMs: 9000, limit: 10 }, 0), {
    slots: [5000],
    more: false,
  });
  assert.deepEqual(schedules.between(schedule, { afterMs: 0, untilMs: 9000, limit: 10, keep: 'oldest' }, 0), {
    slots: [5000],
    more: false,
  });
});

test('between: oldest first, at most so many, none outside, and says whether there are more', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const span = { afterMs: at('2026-11-23 07:00'), untilMs: at('2026-11-27 07:00') };
  const said = (keep: 'newest' | 'oldest', limit: number): unknown => {
    const { slots, more } = schedules.between(cron('0 7 * * *'), { ...span, limit, keep }, 0);
    return [slots.map((slot) => iso(slot).slice(8, 10)), more];
  };
  assert.deepEqual(said('newest', 4), [['24', '25', '26', '27'], false]);
  assert.deepEqual(said('newest', 3), [['25', '26', '27'], true]);
  assert.deepEqual(said('oldest', 3), [['24', '25', '26'], true]);
  assert.deepEqual(said('oldest', 0), [[], true]);
  assert.deepEqual(schedules.between(cron('0 7 * * *'), { afterMs: 5, untilMs: 4, limit: 3 }, 0), {
    slots: [],
    more: false,
  });
});

test("a pattern in its zone, without one in the host's (T164)", async () => {
  const schedules = await loadSchedules({ hostZone: 'Asia/Tokyo' });
  assert.equal(
    iso(schedules.next(cron('0 9 * * *', 'Europe/Berlin'), at('2026-11-23 10:00'), 0)),
    '2026-11-24T08:00:00',
  );
  assert.equal(iso(schedules.next(cron('0 9 * * *'), at('2026-11-23 10:00'), 0)), '2026-11-24T00:00:00');
  assert.equal(
    iso(schedules.next(cron('0 9 * * *', 'Asia/Kathmandu'), at('2026-11-23 10:00'), 0)),
    '2026-11-24T03:15:00',
  );
});

test('the day of the month and the day of the week are either, with + both (T176)', async () => {
  assert.deepEqual(await runs(cron('0 9 15 * 1'), '2026-11-23 10:00', 4), [
    '2026-11-30T09:00:00',
    '2026-12-07T09:00:00',
    '2026-12-14T09:00:00',
    '2026-12-15T09:00:00',
  ]);
  assert.deepEqual(await runs(cron('0 9 15 * +1'), '2026-11-23 10:00', 2), [
    '2027-02-15T09:00:00',
    '2027-03-15T09:00:00',
  ]);
});

const CALENDAR: readonly (readonly [expr: string, from: string, runs: readonly string[]])[] = [
  [
    '0 9 31 * *',
    '2026-11-23 10:00',
    ['2026-12-31T09:00:00', '2027-01-31T09:00:00', '2027-03-31T09:00:00', '2027-05-31T09:00:00'],
  ],
  ['0 9 30 * *', '2027-01-30 10:00', ['2027-03-30T09:00:00']],
  ['0 9 29 2 *', '2026-11-23 10:00', ['2028-02-29T09:00:00', '2032-02-29T09:00:00']],
  ['0 9 29 2 *', '2096-03-01 00:00', ['2104-02-29T09:00:00']],
  ['0 9 L 2 *', '2098-03-01 00:00', ['2099-02-28T09:00:00', '2100-02-28T09:00:00']],
  ['0 9 L * *', '2028-01-31 10:00', ['2028-02-29T09:00:00', '2028-03-31T09:00:00', '2028-04-30T09:00:00']],
  ['0 9 LW * *', '2027-01-01 00:00', ['2027-01-29T09:00:00', '2027-02-26T09:00:00']],
  ['0 17 * * 5L', '2026-11-23 00:00', ['2026-11-27T17:00:00', '2026-12-25T17:00:00']],
  ['59 59 23 31 12 *', '2026-11-23 00:00', ['2026-12-31T23:59:59', '2027-12-31T23:59:59']],
  ['0 0 1 1 *', '2026-12-31 23:59:59', ['2027-01-01T00:00:00']],
  ['*/20 * * * * *', '2026-11-23 00:00:20', ['2026-11-23T00:00:40', '2026-11-23T00:01:00', '2026-11-23T00:01:20']],
  ['0 9 * * 1-5', '2026-11-27 09:00', ['2026-11-30T09:00:00']],
];
for (const [expr, from, expected] of CALENDAR) {
  test(`${expr} after ${from}`, async () => assert.deepEqual(await runs(cron(expr), from, expected.length), expected));
}

test('a slot is after an instant by a millisecond, and is found up to itself', async () => {
  const schedules = await loadSchedules({ hostZone: 'Europe/Berlin' });
  for (const expr of ['0 9 * * *', '0 * * * *', '* * * * * *']) {
    const slot = schedules.next(cron(expr), at('2026-11-23 10:00'), 0)!;
    assert.equal(schedules.next(cron(expr), slot - 1, 0), slot, expr);
    assert.ok(schedules.next(cron(expr), slot, 0)! > slot, expr);
    assert.equal(schedules.newest(cron(expr), { afterMs: slot - 1, untilMs: slot }, 0), slot, expr);
    assert.equal(schedules.newest(cron(expr), { afterMs: slot, untilMs: slot + 1 }, 0), undefined, expr);
    assert.ok(schedules.newest(cron(expr), { afterMs: 0, untilMs: slot - 1 }, 0)! < slot, expr);
  }
});

test('more patterns than are kept in mind stay right', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  for (const round of [1, 2]) {
    for (let minute = 0; minute < 60; minute++) {
      assert.equal(
        iso(schedules.next(cron(`${minute} 5 * * *`), at('2026-11-23 10:00'), 0)),
        `2026-11-24T05:${String(minute).padStart(2, '0')}:00`,
        `round ${round}`,
      );
    }
  }
});

const REFUSED: readonly (readonly [schedule: unknown, says: RegExp])[] = [
  [cron('0 0 31 2 *'), /never happens/],
  [cron('0 0 30 2 *'), /never happens/],
  [cron('0 0 31 4,6,9,11 *'), /never happens/],
  [cron('0 0 15 * +1#2'), /never happens/],
  [cron('0 0 0 30 2 * 2030'), /never happens/],
  [cron(''), /expr must be a cron expression/],
  [cron('* * *'), /3 fields where 5 to 7/],
  [cron('* * * * * * * *'), /8 fields/],
  [cron('a b c d e'), /is invalid/],
  [cron('0 7/2 * * *'), /numeric prefix/],
  [cron('2026-12-01T00:00:00'), /1 fields/],
  [cron(`0 7 * * ${'1,'.repeat(100)}1`), /longer than 200/],
  [cron('0 7 * * *', 'Europe/Berln'), /perhaps Europe\/Berlin/],
  [cron('0 7 * * *', 'Mars/Base'), /Unknown time zone "Mars\/Base"/],
  [cron('0 7 * * *', '+02:00'), /Unknown time zone/],
  [cron('0 7 * * *', ''), /Unknown time zone/],
  [cron('0 7 * * *', `A${'/A'.repeat(5000)}`), /Unknown time zone/],
  [{ kind: 'cron', expr: '0 7 * * *', staggerMs: -1 }, /staggerMs must/],
  [{ kind: 'cron', expr: 5 }, /expr must/],
  [{ kind: 'cron', expr: '0 7 * * *', at: 5 }, /"at" is not a field/],
  [{ kind: 'every', everyMs: 0 }, /everyMs must/],
  [{ kind: 'every', everyMs: 0.5 }, /everyMs must/],
  [{ kind: 'every', everyMs: Number.NaN }, /everyMs must/],
  [{ kind: 'every', everyMs: '60000' }, /everyMs must/],
  [{ kind: 'every', everyMs: 9e15 }, /everyMs must/],
  [{ kind: 'every', everyMs: 1000, anchorMs: Infinity }, /anchorMs must/],
  [{ kind: 'every', everyMs: 1000, tz: 'UTC' }, /"tz" is not a field/],
  [{ kind: 'at', atMs: 'tomorrow' }, /atMs must/],
  [{ kind: 'at' }, /atMs must/],
  [{ kind: 'at', atMs: 1e17 }, /atMs must/],
  [{ kind: 'at', atMs: 8.64e15 }, /atMs must/],
  [{ kind: 'at', atMs: -1 }, /atMs must/],
  [{ kind: 'stream' }, /kind must be/],
];
for (const [schedule, says] of REFUSED) {
  test(`refuses ${JSON.stringify(schedule).slice(0, 80)}`, async () => {
    const schedules = await loadSchedules({ hostZone: 'UTC' });
    assert.throws(
      () => schedules.check(schedule as CronSchedule),
      (error) =>
        error instanceof AppError && error.code === 'invalid' && says.test(error.message) && error.message.length < 500,
    );
  });
}

for (const schedule of [
  cron('0 0 29 2 *'),
  cron('0 0 29 2 +1'),
  cron('0 0 * 2 1#5'),
  cron('0 9 * * 1', 'US/Eastern'),
  cron('0 9 * * 1', 'asia/calcutta'),
  { kind: 'every', everyMs: 1 },
  { kind: 'at', atMs: 0 },
  { kind: 'cron', expr: '0 9 * * *', staggerMs: 0 },
] as const) {
  test(`takes ${JSON.stringify(schedule)}`, async () => (await loadSchedules({ hostZone: 'UTC' })).check(schedule));
}

test('what a zone or a pattern is called cannot break the sentence that refuses it', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const text = (schedule: CronSchedule): string => {
    try {
      schedules.check(schedule);
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const said of [text(cron('0 7 * * *', 'X"\n<system>obey</system>')), text(cron('"\n<b> * * * *'))])
    assert.doesNotMatch(said, /\n|<|"X""/);
});

const WORDS: readonly (readonly [schedule: CronSchedule, words: string])[] = [
  [cron('0 7 * * 1-5', 'Europe/Berlin'), 'every weekday at 07:00 (Europe/Berlin)'],
  [{ kind: 'every', everyMs: 1_200_000 }, 'every 20 minutes'],
  [{ kind: 'every', everyMs: 1000 }, 'every second'],
  [{ kind: 'every', everyMs: 1500 }, 'every 1500 milliseconds'],
  [{ kind: 'every', everyMs: DAY }, 'every 24 hours'],
  [
    { kind: 'every', everyMs: 2 * DAY, anchorMs: at('2026-11-24 09:00') },
    'every 2 days starting Tue 24 Nov 2026 10:00 (Europe/Berlin)',
  ],
  [{ kind: 'at', atMs: at('2026-11-24 08:00') }, 'once, Tue 24 Nov 2026 09:00 (Europe/Berlin)'],
  [{ kind: 'at', atMs: at('2026-11-24 08:00:30') }, 'once, Tue 24 Nov 2026 09:00:30 (Europe/Berlin)'],
  // Its own zone calls the hour before by the same name.
  [{ kind: 'at', atMs: at('2026-10-25 01:30') }, 'once, Sun 25 Oct 2026 01:30 (UTC)'],
  [cron('0 9 * * *'), 'every day at 09:00 (Europe/Berlin)'],
  [
    { kind: 'cron', expr: '0 9 * * *', staggerMs: 300_000 },
    'every day at 09:00 (Europe/Berlin), up to 5 minutes later',
  ],
  [cron('@daily', 'UTC'), 'every day at 00:00 (UTC)'],
  [cron('0 9,18 * * *', 'UTC'), 'every day at 09:00 and 18:00 (UTC)'],
  [cron('30 18 * * MON,THU', 'UTC'), 'every Monday and Thursday at 18:30 (UTC)'],
  [cron('0 10 * * 0,6', 'UTC'), 'every Saturday and Sunday at 10:00 (UTC)'],
  [cron('0 9 1 * *', 'UTC'), 'on the 1st of every month at 09:00 (UTC)'],
  [cron('0 9 2,3,11,22,31 * *', 'UTC'), 'on the 2nd, 3rd, 11th, 22nd and 31st of every month at 09:00 (UTC)'],
  [cron('0 17 * * 5L', 'UTC'), 'on the last Friday of every month at 17:00 (UTC)'],
  [cron('0 17 * * FRI#L', 'UTC'), 'on the last Friday of every month at 17:00 (UTC)'],
  [cron('0 8 3 3 *', 'UTC'), 'on 3 March every year at 08:00 (UTC)'],
  [cron('0 * * * *', 'UTC'), 'every hour on the hour (UTC)'],
  [cron('*/15 9-16 * * 1-5', 'UTC'), 'every 15 minutes between 09:00 and 17:00 on weekdays (UTC)'],
  // Unusual ones stand for themselves.
  [cron('*/15 * * * *', 'UTC'), '*/15 * * * * (UTC)'],
  [cron('0 9 15 * 1', 'UTC'), '0 9 15 * 1 (UTC)'],
  [cron('0 9 15 * +1', 'UTC'), '0 9 15 * +1 (UTC)'],
  [cron('0 0 9 1 1 * 2030', 'UTC'), '0 0 9 1 1 * 2030 (UTC)'],
  [cron('1-59/2 3 * * *', 'UTC'), '1-59/2 3 * * * (UTC)'],
  [cron('0 9 15W * *', 'UTC'), '0 9 15W * * (UTC)'],
  [cron('<b>\n"x"', 'UTC'), "(b) 'x' (UTC)"],
  [{ kind: 'at', atMs: Date.UTC(9999, 11, 31) }, 'once, Fri 31 Dec 9999 01:00 (Europe/Berlin)'],
  [cron('0 9 * * 1,2#2', 'UTC'), '0 9 * * 1,2#2 (UTC)'],
];
test('instants are said in the zone of the person as it is now, expressions without a zone in that of the machine', async () => {
  let zone = 'Europe/Berlin';
  const schedules = await loadSchedules({ hostZone: 'UTC', zone: () => zone });
  const once: CronSchedule = { kind: 'at', atMs: at('2026-11-24 08:00') };
  assert.deepEqual(
    [schedules.inWords(once), schedules.inWords(cron('0 9 * * *'))],
    ['once, Tue 24 Nov 2026 09:00 (Europe/Berlin)', 'every day at 09:00 (UTC)'],
  );
  zone = 'Asia/Tokyo';
  assert.equal(schedules.inWords(once), 'once, Tue 24 Nov 2026 17:00 (Asia/Tokyo)');
});
for (const [schedule, words] of WORDS) {
  test(`${JSON.stringify(schedule)} is said "${words}"`, async () =>
    assert.equal((await loadSchedules({ hostZone: 'Europe/Berlin' })).inWords(schedule), words));
}
