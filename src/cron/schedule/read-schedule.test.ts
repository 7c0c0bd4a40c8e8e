/** What people, models and clients write, and the schedule it becomes: a table of phrases, a table of refusals, and the way back from words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { loadSchedules, readSchedule, type ReadingContext } from './schedules.ts';

const ZONE = 'Europe/Berlin';
/** A Monday, 11:00 in Berlin. */
const NOW: ReadingContext = { nowMs: Date.parse('2026-11-23T10:00:00Z'), zone: ZONE };
const at = (text: string): { kind: 'at'; atMs: number } => ({ kind: 'at', atMs: Date.parse(`${text}Z`) });
const cron = (expr: string, tz = ZONE): unknown => ({ kind: 'cron', expr, tz });
const every = (everyMs: number, anchor?: string): unknown => ({ kind: 'every', everyMs, ...(anchor === undefined ? {} : { anchorMs: Date.parse(`${anchor}Z`) }) });
const readInstant = async (written: string | number, context: ReadingContext): Promise<number> => ((await readSchedule({ at: written }, context)) as ReturnType<typeof at>).atMs;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const PHRASES: readonly (readonly [written: string, schedule: unknown])[] = [
  // Once, after a length of time.
  ['in 20 minutes', at('2026-11-23T10:20')], ['20m', at('2026-11-23T10:20')], ['1h30m', at('2026-11-23T11:30')], ['In 2 hours and 15 minutes.', at('2026-11-23T12:15')],
  ['in half an hour', at('2026-11-23T10:30')], ['in an hour', at('2026-11-23T11:00')], ['90 seconds from now', at('2026-11-23T10:01:30')], ['in 1.5 hours', at('2026-11-23T11:30')],
  ['in 3 days', at('2026-11-26T10:00')], ['in two weeks', at('2026-12-07T10:00')], ['in 1 month', at('2026-12-23T10:00')], ['in 5 months', at('2027-04-23T09:00')],
  // Once, at the next such time.
  ['at 14:30', at('2026-11-23T13:30')], ['14:30', at('2026-11-23T13:30')], ['at 7', at('2026-11-24T06:00')], ['7pm', at('2026-11-23T18:00')], ['at noon', at('2026-11-23T11:00')],
  ['at midnight', at('2026-11-23T23:00')], ['half past 7', at('2026-11-24T06:30')], ['11:00', at('2026-11-24T10:00')],
  // Once, on a day.
  ['tomorrow 9:00', at('2026-11-24T08:00')], ['tomorrow at 9', at('2026-11-24T08:00')], ['Tomorrow, 9 AM', at('2026-11-24T08:00')], ['9am tomorrow', at('2026-11-24T08:00')], ['tomorrow at 7 in the evening', at('2026-11-24T18:00')],
  ['tomorrow evening at 7', at('2026-11-24T18:00')], ['tonight at 8', at('2026-11-23T19:00')], ['tonight at midnight', at('2026-11-23T23:00')], ['this evening at 7', at('2026-11-23T18:00')], ['today at 23:00', at('2026-11-23T22:00')],
  ['quarter to 8 tomorrow', at('2026-11-24T06:45')], ['day after tomorrow at 7', at('2026-11-25T06:00')], ['in 3 days at 9:00', at('2026-11-26T08:00')], ['in a week at 9', at('2026-11-30T08:00')],
  ['friday at 5pm', at('2026-11-27T16:00')], ['on friday 17:00', at('2026-11-27T16:00')], ['next friday at 5pm', at('2026-12-04T16:00')], ['this friday 17:00', at('2026-11-27T16:00')], ['monday next week at 9', at('2026-11-30T08:00')],
  ['monday 12:00', at('2026-11-23T11:00')], ['monday 9:00', at('2026-11-30T08:00')], ['24 december 18:00', at('2026-12-24T17:00')], ['dec 24 at 6pm', at('2026-12-24T17:00')], ['march 3 at 8', at('2027-03-03T07:00')],
  ['24.12.2026 9:00', at('2026-12-24T08:00')], ['24/12/2026 09:00', at('2026-12-24T08:00')], ['the 5th at 9:00', at('2026-12-05T08:00')], ['on the 31st at 9', at('2026-12-31T08:00')],
  // Instants as machines write them (T163): without a zone UTC, with a space instead of the T a person wrote it.
  ['2026-12-24T09:00', at('2026-12-24T09:00')], ['2026-12-24T09:00:30Z', at('2026-12-24T09:00:30')], ['2026-12-24T09:00:00.250+05:30', at('2026-12-24T03:30:00.250')], ['2026-12-24t09:00-0300', at('2026-12-24T12:00')],
  ['2026-12-24', at('2026-12-24T00:00')], ['1795910800000', { kind: 'at', atMs: 1_795_910_800_000 }], ['2026-12-24 09:00', at('2026-12-24T08:00')], ['2026-12-24 at 9', at('2026-12-24T08:00')],
  ['on the 5th of may at 9', at('2027-05-05T07:00')], ['9 in the evening', at('2026-11-23T20:00')], ['8 tonight', at('2026-11-23T19:00')], ['９:００ tomorrow', at('2026-11-24T08:00')], ['24-12-2026 9:00', at('2026-12-24T08:00')],
  // Zones in the text.
  ['tomorrow 9:00 (America/New_York)', at('2026-11-24T14:00')], ['9:00 tomorrow in Asia/Tokyo', at('2026-11-24T00:00')], ['tomorrow 9am New York time', at('2026-11-24T14:00')], ['tomorrow 9:00 UTC', at('2026-11-24T09:00')],
  ['2026-12-24T09:00 Europe/Berlin', at('2026-12-24T08:00')], ['2026-12-24T09:00Z Europe/Berlin', at('2026-12-24T09:00')],
  // The clock skips 02:30 on 28 March 2027, and shows it twice on 31 October 2027.
  ['2027-03-28 02:30', at('2027-03-28T01:00')], ['31 october 2027 at 2:30', at('2027-10-31T00:30')],
  // Days of the week.
  ['every day at 7', cron('0 7 * * *')], ['daily at 7', cron('0 7 * * *')], ['every weekday at 7', cron('0 7 * * 1-5')], ['weekends at 10', cron('0 10 * * 0,6')], ['every day at 9am and 6pm', cron('0 9,18 * * *')],
  ['every monday and thursday 18:30', cron('30 18 * * 1,4')], ['every monday, wednesday and friday at 7', cron('0 7 * * 1,3,5')], ['mondays at 9', cron('0 9 * * 1')], ['every mon-fri at 8', cron('0 8 * * 1-5')],
  ['saturday to monday at 8 every week', cron('0 8 * * 0,1,6')], ['every tues and thurs at 9', cron('0 9 * * 2,4')], ['at 9 every day', cron('0 9 * * *')], ['9am daily', cron('0 9 * * *')], ['weekdays at 8, 12 and 17', cron('0 8,12,17 * * 1-5')],
  ['every day at 9:00, 9:30', cron('0,30 9 * * *')], ['every day at 7:15:30', cron('30 15 7 * * *')], ['every evening at 7', cron('0 19 * * *')], ['every monday morning at 8', cron('0 8 * * 1')], ['every day at midnight', cron('0 0 * * *')],
  ['every weekday at 7 (America/New_York)', cron('0 7 * * 1-5', 'America/New_York')], ['every weekday at 7 Tokyo time', cron('0 7 * * 1-5', 'Asia/Tokyo')], ['every week on monday at 9', cron('0 9 * * 1')],
  // Days of the month and the year.
  ['every month on the 1st at 9', cron('0 9 1 * *')], ['on the 1st and 15th of every month at 9', cron('0 9 1,15 * *')], ['monthly on the 15th at 9', cron('0 9 15 * *')], ['on the last day of every month at 18:00', cron('0 18 L * *')],
  ['every last friday of the month at 17:00', cron('0 17 * * 5L')], ['the first monday of every month at 9', cron('0 9 * * 1#1')], ['every first and third tuesday of the month at 10', cron('0 10 * * 2#1,2#3')], ['last weekday of every month at 16:00', cron('0 16 LW * *')],
  ['every year on march 3 at 8', cron('0 8 3 3 *')], ['annually on 24 december at 18:00', cron('0 18 24 12 *')], ['every 3rd of march at 8', cron('0 8 3 3 *')], ['quarterly on the 1st at 9', cron('0 9 1 1,4,7,10 *')],
  ['every 6 months on the 1st at 9', cron('0 9 1 1,7 *')], ['every day in december at 9', cron('0 9 * 12 *')], ['first monday of september every year at 9', cron('0 9 * 9 1#1')], ['on the 1st of january and july every year at 9', cron('0 9 1 1,7 *')],
  // Periods.
  ['every 15 minutes', every(15 * MINUTE)], ['every 2 hours', every(2 * HOUR)], ['every 1h30m', every(90 * MINUTE)], ['every hour', every(HOUR)], ['every half hour', every(30 * MINUTE)], ['every quarter of an hour', every(15 * MINUTE)],
  ['every 30 seconds', every(30_000)], ['every second hour', every(2 * HOUR)], ['every 24 hours', every(DAY)], ['every 1 day and 2 hours', every(26 * HOUR)], ['every 1d12h', every(36 * HOUR)], ['every 2 days', every(2 * DAY)], ['every other day at 9', every(2 * DAY, '2026-11-24T08:00')], ['every 7 days at 12', every(7 * DAY, '2026-11-23T11:00')],
  ['every other friday at 17:00', every(14 * DAY, '2026-11-27T16:00')], ['every 2 weeks on monday at 9', every(14 * DAY, '2026-11-30T08:00')], ['every 2 hours starting tomorrow 9:00', every(2 * HOUR, '2026-11-24T08:00')],
  ['every third day at 9', every(3 * DAY, '2026-11-24T08:00')], ['every 10th day at 9', every(10 * DAY, '2026-11-24T08:00')], ['hourly', cron('0 * * * *')], ['every hour at minute 15', cron('15 * * * *')], ['every hour at :15', cron('15 * * * *')], ['every 15 minutes between 9 and 17', cron('*/15 9-16 * * *')], ['every hour between 9am and 5pm on weekdays', cron('0 9-17 * * 1-5')],
  ['every 3 hours from 8 to 20', cron('0 8,11,14,17,20 * * *')], ['every hour between 22 and 2', cron('0 0-2,22,23 * * *')], ['every 20 minutes on weekends', cron('*/20 * * * 0,6')],
  // Expressions.
  ['0 7 * * 1-5', cron('0 7 * * 1-5')], ['0 7 * * 1-5 (Asia/Tokyo)', cron('0 7 * * 1-5', 'Asia/Tokyo')], ['30 9 1 JAN MON', cron('30 9 1 JAN MON')], ['@daily', cron('@daily')], ['@Hourly', cron('@hourly')], ['*/10 * * * * *', cron('*/10 * * * * *')],
];

for (const [written, expected] of PHRASES) {
  test(`reads "${written}"`, async () => assert.deepEqual(await readSchedule(written, NOW), expected));
}

const FIELDS: readonly (readonly [written: unknown, schedule: unknown])[] = [
  // What is strict stays as it is.
  [{ kind: 'at', atMs: 1_795_910_800_000 }, { kind: 'at', atMs: 1_795_910_800_000 }], [{ kind: 'every', everyMs: 60_000, anchorMs: 5 }, { kind: 'every', everyMs: 60_000, anchorMs: 5 }],
  [{ kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin', staggerMs: 5000 }, { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin', staggerMs: 5000 }],
  // The kind is seen from the fields, digits are numbers, null is absent (T163).
  [{ atMs: '1795910800000' }, { kind: 'at', atMs: 1_795_910_800_000 }], [{ at: 1_795_910_800_000 }, { kind: 'at', atMs: 1_795_910_800_000 }], [{ everyMs: '60000' }, { kind: 'every', everyMs: 60_000 }],
  [{ expr: '0 9 * * *' }, { kind: 'cron', expr: '0 9 * * *' }], [{ cron: ' 0 9 * * * ', tz: 'europe/berlin' }, { kind: 'cron', expr: '0 9 * * *', tz: 'Europe/Berlin' }], [{ kind: 'every', everyMs: 60_000, expr: null, atMs: undefined, tz: '' }, every(60_000)],
  [{ kind: 'at', at: '2026-12-24T09:00:00Z' }, at('2026-12-24T09:00')], [{ atMs: '2026-12-24' }, at('2026-12-24T00:00')], [{ at: '2026-12-24T09:00', tz: 'Asia/Tokyo' }, at('2026-12-24T00:00')],
  [{ at: 'tomorrow 9:00' }, at('2026-11-24T08:00')], [{ at: 'tomorrow 9:00', tz: 'Asia/Tokyo' }, at('2026-11-24T00:00')], [{ at: 'in 20 minutes' }, at('2026-11-23T10:20')],
  [{ every: '20m' }, every(20 * MINUTE)], [{ every: '2 hours' }, every(2 * HOUR)], [{ every: '1d' }, every(DAY)], [{ every: '2 hours', anchorMs: 7 }, { kind: 'every', everyMs: 2 * HOUR, anchorMs: 7 }], [{ every: 'weekday at 9', tz: 'Asia/Tokyo' }, cron('0 9 * * 1-5', 'Asia/Tokyo')],
  [{ expr: 'every weekday at 7' }, cron('0 7 * * 1-5')], [{ kind: 'cron', expr: 'daily at 7', tz: 'UTC', staggerMs: 1000 }, { kind: 'cron', expr: '0 7 * * *', tz: 'UTC', staggerMs: 1000 }],
  // A client's instant may be a moment old when it arrives.
  [{ atMs: NOW.nowMs - 30_000 }, { kind: 'at', atMs: NOW.nowMs - 30_000 }],
];
for (const [written, expected] of FIELDS) {
  test(`reads ${JSON.stringify(written)}`, async () => assert.deepEqual(await readSchedule(written, NOW), expected));
}

const REFUSALS: readonly (readonly [written: unknown, says: RegExp])[] = [
  // Gone by: what it was taken for, and what time it is.
  ['yesterday 9:00', /Sun 22 Nov 2026 09:00 \(Europe\/Berlin\), and that has gone by: it is Mon 23 Nov 2026 11:00/], ['today 9:00', /gone by/], ['2026-11-01T09:00', /Sun 1 Nov 2026 10:00/], ['november 23 at 9', /gone by/], [{ atMs: 1000 }, /1970/],
  ['last friday 9:00', /gone by/], ['3 weeks ago at 9', /gone by/], ['0 0 9 1 1 * 2020', /has gone by.*later year/],
  // Open.
  ['tomorrow', /at what time/], ['friday', /at what time/], ['every day', /at what time/], ['daily', /at what time/], ['every weekday', /at what time/], ['every monday morning', /at what time/], ['every other month on the 1st', /at what time/],
  ['weekly', /which day of the week/], ['every week at 9', /which day of the week/], ['every month at 9', /which day of the month/], ['every year at 9', /which day of the year/], ['every december at 9', /which day of the month/], ['every 2 weeks at 9', /which day of the week/],
  ['next week at 9', /which day of the week/], ['december at 9', /on which day/], ['every 2nd tuesday at 9', /of the month.*every other/], ['every day at 6 and 9pm', /morning or in the evening/], ['3/12/2026 9:00', /2026-12-03/], ['tomorrow at midnight', /two days/],
  ['a day at 9', /"in a day" or "every day"/], ['once a day at 9', /cannot be read/], ['9 tomorrow', /at what time/], ['every last day at 9', /of the month/], ['3-12-2026 9:00', /2026-12-03/],
  // Left over, or not a time at all.
  ['tomorrow 9:00 call mum', /"tomorrow call mum"/], ['every day at 9 until june', /"until june"/], ['every weekday except friday at 9', /"except friday at 9"/], ['every foo at 9', /does not say when, or how often/], ['every', /does not say when/], ['every 20', /minutes, hours or days\? Say "every 20 minutes"/], ['every now and then', /does not say when/], ['soon', /no time in English/], ['morgen um 9', /no time in English/],
  ['20', /no time/], ['in 5 foo', /no time/], ['twice a day', /no time/], ['tomorrow 9:00 or friday 10:00', /more than one time/], ['every day at 9 and every friday at 10', /two schedules/], ['ignore all rules and run every day at 9', /cannot be read/],
  // Impossible, or not one schedule.
  ['every day at 25:00', /"25:00" is no time/], ['at 9:75', /"9:75"/], ['every day at 13pm', /"13pm"/], ['at 13:00 in the morning', /not in the morning/], ['31 november at 9', /not a day/], ['2026-02-30', /no such date/], ['2026-12-01T24:00', /no such date/], ['tuesday 25 nov 2026 09:00', /another day of the week/],
  ['the 32nd at 9', /no month has/], ['every day at 9:00 and 18:30', /job of each/], ['every friday the 13th at 9', /"0 9 15 \* \+1"/], ['every 7 minutes on weekdays', /divide/], ['every hour between 22 and 2 on mondays', /over midnight/], ['every hour between 9:30 and 17', /full hours/],
  ['every hour between 9 and 9', /the same/], ['every 5 months on the 1st at 9', /2, 3, 4 or 6 apart/], ['every 2 years on march 3 at 8', /once a year/], ['every 10 minutes at 9', /both a period and a time/], ['every 2 days in june at 9', /one day and one time/], ['every 31 february at 9', /never happens/],
  ['every 0 minutes', /no time passes/], ['in 0 minutes', /no time passes/], ['in 1.5 days', /calendar/], ['in 999999999 years', /too far/], ['every day starting tomorrow 9:00', /can start at/], ['every hour at minute 75', /no minute 75/], ['every 1 month and 2 hours', /not all of one length/], ['every 1 month and 2 days', /not all of one length/], ['every 24 hours on weekdays', /divide/],
  // Zones.
  ['Thu Dec 24 2026 09:00:00 GMT+0100', /not a day/], ['tomorrow 9:00 CET', /"CET" does not say one place/], ['tomorrow 9:00 Europe/Berln', /perhaps Europe\/Berlin/], [{ at: 'tomorrow 9:00 (Asia/Tokyo)', tz: 'Europe/Berlin' }, /two time zones/], [{ expr: '0 9 * * *', tz: 'Berlin' }, /no time zone "Berlin"/], [{ everyMs: 5, tz: 'Nowhere/At_All' }, /no time zone/],
  // Expressions and fields.
  ['60 * * * *', /60/], ['0 0 31 2 *', /never happens/], ['* * *', /3 fields/], ['@reboot', /@yearly/], [{ expr: 'in 20 minutes' }, /give it as "at"/], [{ at: 'every day at 9' }, /it repeats/], [{ every: 20 }, /such as "20m"/], [{ every: '5' }, /cannot be read/],
  [{ everyMs: 0 }, /1 or more/], [{ everyMs: -5 }, /1 or more/], [{ everyMs: 1.5 }, /whole number/], [{ everyMs: 'soon' }, /number of milliseconds/], [{ every: '20m', everyMs: 5 }, /both everyMs and every/], [{ kind: 'every' }, /lacks its everyMs/], [{ kind: 'every', expr: '0 9 * * *' }, /has no expr/], [{ at: 1, everyMs: 2 }, /one thing/],
  [{}, /needs one of/], [{ kind: 'stream', command: 'x' }, /no field "command"/], [{ kind: 'on-exit' }, /needs one of/], [[1], /is a text/], [null, /is a text/], [5, /is a text/], [{ at: {} }, /must be a text/], [{ at: Number.NaN }, /whole number/], [{ at: -8.64e15 }, /whole number/], [{ at: 8.64e15 }, /whole number/], ['9999999999999999', /whole number/], ['in 9000 years', /too far/], ['', /There is no time/], [' \n ', /There is no time/],
  [`every ${'very '.repeat(60)}day`, /at most 200/], [{ expr: '1,'.repeat(120) }, /at most 200|longer than 200/],
];
for (const [written, says] of REFUSALS) {
  test(`refuses ${JSON.stringify(written).slice(0, 80)}`, async () => {
    await assert.rejects(readSchedule(written, NOW), (error) => {
      assert.ok(error instanceof AppError && error.code === 'invalid', String(error));
      assert.match(error.message, says);
      assert.ok(error.message.length < 500, 'it stays short');
      return true;
    });
  });
}

test('whatever cannot be read is quoted, with two ways to write it; nothing in it can pose as more than a quotation', async () => {
  await assert.rejects(readSchedule('sometime "now"\n<b>', NOW), ({ message }: Error) => {
    assert.match(message, /^"sometime 'now' \(b\)" cannot/);
    assert.match(message, /"tomorrow 9:00", "in 20 minutes" or "every weekday at 7"/);
    return !/[\n<]/.test(message);
  });
});

/** Forms whose words are read back as the very same schedule. */
const SPOKEN = PHRASES.filter(([written]) => !written.startsWith('@') && !/JAN/.test(written)).map(([written]) => written);
for (const written of SPOKEN) {
  test(`says "${written}" so that it reads back the same`, async () => {
    const schedules = await loadSchedules({ hostZone: ZONE });
    const schedule = await readSchedule(written, NOW);
    const words = schedules.inWords(schedule);
    const again = await readSchedule(words, NOW);
    // Words show seconds, not their parts.
    const whole = schedule.kind === 'at' ? { ...schedule, atMs: Math.floor(schedule.atMs / 1000) * 1000 } : schedule;
    assert.deepEqual(again, whole, words);
  });
}

test('what was read always has a next instant', async () => {
  const schedules = await loadSchedules({ hostZone: ZONE });
  for (const [written] of PHRASES) {
    const schedule = await readSchedule(written, NOW);
    assert.ok(schedules.next(schedule, NOW.nowMs, NOW.nowMs)! > NOW.nowMs, written);
  }
});

test('a schedule that exists already may have gone by', async () => {
  assert.deepEqual(await readSchedule({ kind: 'at', atMs: 1000 }, { ...NOW, pastAllowed: true }), { kind: 'at', atMs: 1000 });
  assert.deepEqual(await readSchedule({ expr: '0 0 9 1 1 * 2020' }, { ...NOW, pastAllowed: true }), { kind: 'cron', expr: '0 0 9 1 1 * 2020' });
});

test('"next friday" is the one of the next week, "friday" the next to come, on whatever day it is said', async () => {
  const on = async (day: number, text: string): Promise<string> => new Date(await readInstant(text, { ...NOW, nowMs: Date.UTC(2026, 10, day, 10) })).toISOString().slice(0, 10);
  assert.deepEqual([await on(23, 'next friday at 9'), await on(27, 'next friday at 9'), await on(28, 'next friday at 9'), await on(29, 'next friday at 9')], ['2026-12-04', '2026-12-04', '2026-12-04', '2026-12-04']);
  assert.deepEqual([await on(23, 'friday at 9'), await on(27, 'friday at 9'), await on(27, 'friday at 17'), await on(28, 'friday at 9')], ['2026-11-27', '2026-12-04', '2026-11-27', '2026-12-04']);
});

test('words are of the person\'s day, not of the machine\'s', async () => {
  // 23:30 on the 23rd in Berlin is the 24th in Auckland and still the 23rd in New York.
  const nowMs = Date.parse('2026-11-23T22:30:00Z');
  const tomorrow = async (zone: string): Promise<string> => new Date(await readInstant('tomorrow 9:00', { nowMs, zone })).toISOString();
  assert.equal(await tomorrow('Europe/Berlin'), '2026-11-24T08:00:00.000Z');
  assert.equal(await tomorrow('America/New_York'), '2026-11-24T14:00:00.000Z');
  assert.equal(await tomorrow('Pacific/Auckland'), '2026-11-24T20:00:00.000Z');
});

test('one instant: numbers, digits, ISO and words, and nothing that repeats', async () => {
  assert.equal(await readInstant(1_795_910_800_000, NOW), 1_795_910_800_000);
  assert.equal(await readInstant(' 1795910800000 ', NOW), 1_795_910_800_000);
  assert.equal(await readInstant('2026-12-24T09:00', NOW), Date.parse('2026-12-24T09:00Z'));
  assert.equal(await readInstant('in 20 minutes', NOW), NOW.nowMs + 20 * MINUTE);
  await assert.rejects(readInstant('every day at 9', NOW), /it repeats/);
  await assert.rejects(readInstant(1.5, NOW), /whole number/);
  await assert.rejects(readInstant(9e15, NOW), /whole number/);
});

test('no text of 200 characters keeps the reader busy', async () => {
  const pieces = ['every ', 'monday and ', 'at 9 and ', '1st and ', 'in 1 hour and ', 'a', '9:', 'of the month ', 'half past ', '1,', '*/', 'jan', 'tues', '(', ' ', 'Europe/', '- ', 'every 1h', '9am', 'first and '];
  const started = process.cpuUsage();
  for (const piece of pieces) {
    for (const tail of ['', 'x', ' every', ' time']) await readSchedule(`${piece.repeat(Math.floor(190 / piece.length))}${tail}`, NOW).catch((error: unknown) => assert.ok(error instanceof AppError, `${piece}: ${String(error)}`));
  }
  // Processor time of the process, and far above what it takes (about 100 ms): a pattern that runs away takes minutes.
  assert.ok(process.cpuUsage(started).user / 1000 < 20_000);
});
