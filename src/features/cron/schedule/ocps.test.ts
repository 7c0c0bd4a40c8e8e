/**
 * The published cases of the Open Cron Pattern Specification 1.0 to 1.4, and those of croner's own suites, over our
 * schedules.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { loadSchedules } from './schedules.ts';

/**
 * `open-source-cron/ocps`, data/conformance-tests.json: instants a pattern matches and others it does not. Three of its
 * rows stand apart below:
 * a pattern that can never happen (we refuse it, the specification lets it parse), `@reboot` (there is no such event
 * here) and years before 1970.
 */
const MATCHES: readonly (readonly [id: string, pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['1.0 five fields', '15 10 * * *', ['2025-03-10 10:15:00'], ['2025-03-10 10:14:00']],
  ['1.0 names in any case', '30 8 * jan Mon', ['2025-01-06 08:30:00'], ['2025-02-03 08:30:00']],
  [
    '1.0 step over a range',
    '5-59/15 9 * * *',
    ['2025-03-10 09:05:00', '2025-03-10 09:20:00', '2025-03-10 09:35:00', '2025-03-10 09:50:00'],
    ['2025-03-10 09:15:00'],
  ],
  [
    '1.0 restricted days are OR',
    '0 12 1 * MON',
    ['2025-10-01 12:00:00', '2025-10-06 12:00:00'],
    ['2025-10-07 12:00:00'],
  ],
  ['1.0 a star does not restrict', '0 12 * * MON', ['2025-10-06 12:00:00'], ['2025-10-07 12:00:00']],
  [
    '1.0 a full range does restrict',
    '0 12 1-31 * MON',
    ['2025-10-06 12:00:00', '2025-10-07 12:00:00'],
    ['2025-10-08 11:00:00'],
  ],
  ['1.1 @yearly', '@yearly', ['2026-01-01 00:00:00'], ['2026-01-02 00:00:00']],
  ['1.1 @monthly', '@monthly', ['2026-02-01 00:00:00'], ['2026-02-02 00:00:00']],
  ['1.1 @weekly', '@weekly', ['2025-10-05 00:00:00'], ['2025-10-06 00:00:00']],
  [
    '1.1 @daily',
    '@daily',
    ['2025-10-07 00:00:00', '2025-10-08 00:00:00', '2025-10-09 00:00:00', '2025-11-01 00:00:00'],
    ['2025-10-07 00:01:00', '2025-10-08 00:00:01', '2025-10-08 23:59:59', '2025-11-01 00:01:00'],
  ],
  ['1.1 @hourly', '@hourly', ['2025-10-07 10:00:00'], ['2025-10-07 10:01:00']],
  ['1.2 five fields begin at second 0', '15 10 * * *', ['2025-03-10 10:15:00'], ['2025-03-10 10:15:30']],
  ['1.2 seconds', '30 15 10 * * *', ['2025-03-10 10:15:30'], ['2025-03-10 10:15:29']],
  ['1.2 years', '0 15 10 * * * 2025', ['2025-03-10 10:15:00'], ['2026-03-10 10:15:00']],
  ['1.2 step over years', '0 0 0 1 1 * 1970-2199/2', ['2026-01-01 00:00:00'], ['2025-01-01 00:00:00']],
  ['1.3 last day', '0 0 L * *', ['2025-02-28 00:00:00'], ['2025-02-27 00:00:00']],
  ['1.3 last Friday', '0 0 * * FRI#L', ['2025-02-28 00:00:00'], ['2025-02-21 00:00:00']],
  ['1.3 third Tuesday', '0 0 * * TUE#3', ['2025-06-17 00:00:00'], ['2025-06-10 00:00:00']],
  ['1.3 nearest weekday', '0 12 15W * *', ['2025-06-16 12:00:00'], ['2025-06-15 12:00:00']],
  ['1.3 nearest weekday stays in its month', '0 12 1W * *', ['2025-02-03 12:00:00'], ['2025-02-01 12:00:00']],
  [
    '1.4 OR by default',
    '0 12 1 * MON',
    ['2025-09-01 12:00:00', '2025-09-08 12:00:00', '2025-10-01 12:00:00'],
    ['2025-10-07 12:00:00'],
  ],
  ['1.4 plus is AND', '0 12 1 * +MON', ['2025-09-01 12:00:00'], ['2025-09-08 12:00:00', '2025-10-01 12:00:00']],
];

const REJECTED: readonly string[] = [
  '60 0 * * *',
  '0 0 10-5 * *',
  '0 0 /30 * *',
  '@Daily',
  '@daily 0 0 * * *',
  '0 12 1-15W * *',
  '0 12 +1 * MON',
  '? 12 * * *',
  // Parses there, may be refused when it would have to run: nothing here starts with the machine.
  '@reboot',
  // Parses there and never runs; a schedule that never happens is refused here.
  '* * 31 2 *',
  // From croner's suites.
  '60 * * * *',
  '0 24 * * *',
  '0 0 32 * *',
  '0 0 1 13 *',
  '0 0 * * 8',
  '0 17-9 * * *',
  '0 */0 * * *',
  '0 0 31 2 *',
  '@unknown',
  '0 12 10-15W * *',
  '0 +12 * * *',
  '0 12 1 * +',
  '0 0 0 1 1 * 0',
  '0 0 0 1 1 * 10000',
  // There one lone mark is a star anywhere; the specification allows it for days only, and we keep to that.
  '? ? ? ? ? ?',
];

/**
 * From croner's suites where they name a property of runs: pattern, from, the next runs (UTC). Cases that need its
 * options `domAndDow` and `legacyMode` are left out: `+` says the same.
 */
const RUNS: readonly (readonly [id: string, pattern: string, from: string, runs: readonly string[]])[] = [
  ['1.0 spaces around', '  0 0 * * *  ', '2025-01-01 12:00', ['2025-01-02 00:00']],
  ['1.0 several spaces', '0  0   *    *     *', '2025-01-01 12:00', ['2025-01-02 00:00']],
  ['1.0 tabs', '0\t0\t*\t*\t*', '2025-01-01 12:00', ['2025-01-02 00:00']],
  ['1.0 minutes', '0,30,59 * * * *', '2025-01-01 10:10', ['2025-01-01 10:30', '2025-01-01 10:59', '2025-01-01 11:00']],
  ['1.0 hours', '0 0,12,23 * * *', '2025-01-01 01:00', ['2025-01-01 12:00', '2025-01-01 23:00', '2025-01-02 00:00']],
  [
    '1.0 days',
    '0 0 1,15,31 * *',
    '2025-01-02 00:00',
    ['2025-01-15 00:00', '2025-01-31 00:00', '2025-02-01 00:00', '2025-02-15 00:00', '2025-03-01 00:00'],
  ],
  ['1.0 months', '0 0 1 1,6,12 *', '2025-01-02 00:00', ['2025-06-01 00:00', '2025-12-01 00:00', '2026-01-01 00:00']],
  ['1.0 Sunday is 0', '0 0 * * 0', '2025-01-01 00:00', ['2025-01-05 00:00', '2025-01-12 00:00']],
  ['1.0 Sunday is 7', '0 0 * * 7', '2025-01-01 00:00', ['2025-01-05 00:00', '2025-01-12 00:00']],
  ['1.0 JAN', '0 0 1 JAN *', '2025-01-02 00:00', ['2026-01-01 00:00']],
  ['1.0 dec', '0 0 1 dec *', '2025-01-02 00:00', ['2025-12-01 00:00']],
  ['1.0 SAT', '0 0 * * SAT', '2025-01-01 00:00', ['2025-01-04 00:00']],
  [
    '1.0 list',
    '0,15,30,45 * * * *',
    '2025-01-01 10:59',
    ['2025-01-01 11:00', '2025-01-01 11:15', '2025-01-01 11:30', '2025-01-01 11:45'],
  ],
  ['1.0 range', '0 9-17 * * *', '2025-01-01 16:30', ['2025-01-01 17:00', '2025-01-02 09:00']],
  [
    '1.0 step',
    '0 0-20/5 * * *',
    '2024-12-31 23:00',
    [
      '2025-01-01 00:00',
      '2025-01-01 05:00',
      '2025-01-01 10:00',
      '2025-01-01 15:00',
      '2025-01-01 20:00',
      '2025-01-02 00:00',
    ],
  ],
  [
    '1.0 list of ranges',
    '0 1-3,10-12 * * *',
    '2025-01-01 02:30',
    ['2025-01-01 03:00', '2025-01-01 10:00', '2025-01-01 11:00', '2025-01-01 12:00', '2025-01-02 01:00'],
  ],
  [
    '1.0 range and step',
    '0 10-20/2 * * *',
    '2025-01-01 17:00',
    ['2025-01-01 18:00', '2025-01-01 20:00', '2025-01-02 10:00'],
  ],
  ['1.0 OR', '0 12 1 * MON', '2025-01-30 00:00', ['2025-02-01 12:00', '2025-02-03 12:00', '2025-02-10 12:00']],
  ['1.1 @annually', '@annually', '2025-06-01 00:00', ['2026-01-01 00:00', '2027-01-01 00:00', '2028-01-01 00:00']],
  ['1.1 @midnight', '@midnight', '2025-06-01 00:00', ['2025-06-02 00:00', '2025-06-03 00:00']],
  ['1.1 spaces around', '  @yearly  ', '2025-06-01 00:00', ['2026-01-01 00:00']],
  ['1.2 seconds in a range', '0-30 * * * * *', '2025-01-01 00:00:29', ['2025-01-01 00:00:30', '2025-01-01 00:01:00']],
  [
    '1.2 seconds and years',
    '0,15,30,45 * * * * * *',
    '2025-01-01 00:00:50',
    ['2025-01-01 00:01:00', '2025-01-01 00:01:15', '2025-01-01 00:01:30', '2025-01-01 00:01:45'],
  ],
  ['1.2 steps of seconds', '*/15 * * * * *', '2025-01-01 00:00:31', ['2025-01-01 00:00:45', '2025-01-01 00:01:00']],
  ['1.2 a year', '30 0 0 1 1 * 2027', '2025-01-01 00:00', ['2027-01-01 00:00:30']],
  [
    '1.2 years in a range',
    '0 0 0 1 1 * 2026-2028',
    '2025-06-01 00:00',
    ['2026-01-01 00:00', '2027-01-01 00:00', '2028-01-01 00:00'],
  ],
  ['1.2 listed years', '0 0 0 1 1 * 2026,2028', '2025-06-01 00:00', ['2026-01-01 00:00', '2028-01-01 00:00']],
  ['1.2 steps of years', '0 0 0 1 1 * 2025-2035/2', '2025-06-01 00:00', ['2027-01-01 00:00', '2029-01-01 00:00']],
  ['1.2 the last year', '0 0 0 1 1 * 9999', '2025-06-01 00:00', ['9999-01-01 00:00']],
  ['1.2 a distant year', '0 0 0 1 1 * 5000', '2025-06-01 00:00', ['5000-01-01 00:00']],
  [
    '1.3 last day of each month',
    '0 0 L * *',
    '2027-01-01 00:00',
    ['2027-01-31 00:00', '2027-02-28 00:00', '2027-03-31 00:00', '2027-04-30 00:00'],
  ],
  ['1.3 last day of February', '0 0 L 2 *', '2026-03-01 00:00', ['2027-02-28 00:00', '2028-02-29 00:00']],
  [
    '1.3 last Friday by number',
    '0 0 * * 5#L',
    '2026-11-01 00:00',
    ['2026-11-27 00:00', '2026-12-25 00:00', '2027-01-29 00:00'],
  ],
  ['1.3 second Tuesday', '0 0 * * TUE#2', '2026-11-01 00:00', ['2026-11-10 00:00', '2026-12-08 00:00']],
  ['1.3 first Sunday', '0 0 * * 0#1', '2026-11-02 00:00', ['2026-12-06 00:00', '2027-01-03 00:00']],
  [
    '1.3 names and numbers',
    '0 0 * * 1#1',
    '2026-11-01 00:00',
    ['2026-11-02 00:00', '2026-12-07 00:00', '2027-01-04 00:00'],
  ],
  ['1.3 fifth Monday', '0 0 * * MON#5', '2026-11-01 00:00', ['2026-11-30 00:00', '2027-03-29 00:00']],
  ['1.3 nearest weekday before Saturday', '0 12 19W 3 *', '2022-01-01 00:00', ['2022-03-18 12:00']],
  [
    '1.3 nearest weekday at the month end',
    '0 12 31W * *',
    '2026-05-01 00:00',
    ['2026-05-29 12:00', '2026-07-31 12:00'],
  ],
  ['1.3 both last', '0 0 L 2 FRI#L', '2027-01-01 00:00', ['2027-02-26 00:00', '2027-02-28 00:00']],
  ['1.4 AND with numbers', '0 12 15 * +5', '2026-11-01 00:00', ['2027-01-15 12:00', '2027-10-15 12:00']],
  [
    '1.4 AND with a range',
    '0 12 1 * +MON-FRI',
    '2026-11-02 00:00',
    [
      '2026-12-01 12:00',
      '2027-01-01 12:00',
      '2027-02-01 12:00',
      '2027-03-01 12:00',
      '2027-04-01 12:00',
      '2027-06-01 12:00',
    ],
  ],
  [
    '1.4 AND with #',
    '0 12 1 * +MON#1',
    '2026-11-02 00:00',
    ['2027-02-01 12:00', '2027-03-01 12:00', '2027-11-01 12:00'],
  ],
  ['1.4 AND with a year', '0 0 12 15 * +FRI 2027', '2026-11-01 00:00', ['2027-01-15 12:00', '2027-10-15 12:00']],
  ['1.4 ? for the day', '0 0 ? * *', '2026-11-01 12:00', ['2026-11-02 00:00']],
  ['1.4 ? for the weekday', '0 0 * * ?', '2026-11-01 12:00', ['2026-11-02 00:00']],
];

const utc = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
const iso = (ms: number | undefined): string => (ms === undefined ? 'never' : new Date(ms).toISOString());

for (const [id, expr, yes, no] of MATCHES) {
  test(`OCPS ${id}: ${expr}`, async () => {
    const schedules = await loadSchedules({ hostZone: 'UTC' });
    schedules.check({ kind: 'cron', expr });
    const nextFrom = (text: string): string => iso(schedules.next({ kind: 'cron', expr }, utc(text) - 1, 0));
    for (const text of yes) assert.equal(nextFrom(text), iso(utc(text)), `matches ${text}`);
    for (const text of no) assert.notEqual(nextFrom(text), iso(utc(text)), `does not match ${text}`);
    for (const text of yes)
      assert.equal(
        schedules.newest({ kind: 'cron', expr }, { afterMs: utc(text) - 1, untilMs: utc(text) }, 0),
        utc(text),
        `looking back, ${text}`,
      );
  });
}

for (const [id, expr, from, runs] of RUNS) {
  test(`OCPS ${id}: ${JSON.stringify(expr)} after ${from}`, async () => {
    const schedules = await loadSchedules({ hostZone: 'UTC' });
    const found: string[] = [];
    for (
      let at = schedules.next({ kind: 'cron', expr }, utc(from), 0);
      at !== undefined && found.length < runs.length;
      at = schedules.next({ kind: 'cron', expr }, at, 0)
    )
      found.push(iso(at));
    assert.deepEqual(
      found,
      runs.map((run) => iso(utc(run))),
    );
  });
}

for (const expr of REJECTED) {
  test(`OCPS refuses ${expr}`, async () => {
    const schedules = await loadSchedules({ hostZone: 'UTC' });
    assert.throws(
      () => schedules.check({ kind: 'cron', expr }),
      (error) => error instanceof AppError && error.code === 'invalid' && error.message.includes(expr),
    );
  });
}

test('OCPS 1.2: years that have gone by have no next run, and years before 1970 are outside our range', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  assert.equal(schedules.next({ kind: 'cron', expr: '0 0 0 1 1 * 2020' }, utc('2026-11-23 10:00'), 0), undefined);
  assert.equal(
    schedules.newest({ kind: 'cron', expr: '0 0 0 1 1 * 2020' }, { afterMs: 0, untilMs: utc('2026-11-23 10:00') }, 0),
    utc('2020-01-01 00:00'),
  );
  assert.throws(() => schedules.check({ kind: 'cron', expr: '0 0 0 1 1 * 1' }), /never happens/);
  assert.throws(() => schedules.check({ kind: 'cron', expr: '0 0 0 1 1 * 1969' }), /never happens/);
});

test(
  'OCPS 1.4: a time in the gap runs at its end, where the specification would skip it and the issue wants it ' +
    'once (T177)',
  async () => {
    const schedules = await loadSchedules({ hostZone: 'UTC' });
    const newYork = { kind: 'cron', expr: '0 30 2 12 3 *', tz: 'America/New_York' } as const;
    // Croner up to 10 gave 03:30 here (07:30Z); since 11 it is the first instant after the gap, as it is for us.
    assert.equal(iso(schedules.next(newYork, utc('2023-03-12 00:00'), 0)), '2023-03-12T07:00:00.000Z');
  },
);

test('OCPS 1.4: a time that comes twice runs the first time only', async () => {
  const schedules = await loadSchedules({ hostZone: 'UTC' });
  const newYork = { kind: 'cron', expr: '0 30 1 5 11 *', tz: 'America/New_York' } as const;
  const first = schedules.next(newYork, Date.parse('2023-11-05T00:00:00-04:00'), 0)!;
  assert.equal(iso(first), '2023-11-05T05:30:00.000Z');
  assert.equal(iso(schedules.next(newYork, first, 0)), '2024-11-05T06:30:00.000Z');
});
