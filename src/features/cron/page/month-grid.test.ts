import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CronInstant } from './wire.ts';
import { loadCalendar } from './calendar-load.ts';
import { coloursOf, dayWords, timesWords } from './calendar-views.ts';
import { byDay, condensed, firstWeekday, gridOf, monthAfter, monthOf, spanWords, withKnown } from './month-grid.ts';
import { startOfDay } from './calendar-days.ts';
import { dayKey } from '../../../../ui/src/pages/zone-days.ts';
import { at, MINUTE, HERE, instant } from './fake-job.ts';

test('six weeks of days without a gap or an overlap, whatever the clocks do (T177)', () => {
  for (const [zone, month] of [
    ['Europe/Berlin', '2027-03'],
    ['Europe/Berlin', '2027-10'],
    ['America/Havana', '2027-03'],
    ['Australia/Lord_Howe', '2027-10'],
    ['America/Santiago', '2027-09'],
    ['Asia/Kathmandu', '2027-02'],
    ['Pacific/Apia', '2027-01'],
  ] as const) {
    const days = gridOf(month, { firstDay: 1, now: at(2026, 11, 23), zone });
    assert.equal(days.length, 42);
    assert.equal(new Set(days.map(({ key }) => key)).size, 42, zone);
    for (const [index, { key, startMs, endMs }] of days.entries()) {
      assert.equal(dayKey(startMs, zone), key, `${zone} ${key}`);
      assert.notEqual(dayKey(startMs - 1, zone), key, `${zone} ${key} begins there`);
      assert.equal(dayKey(endMs - 1, zone), key, `${zone} ${key} ends within itself`);
      if (index > 0) assert.equal(startMs, days[index - 1]!.endMs);
    }
    assert.equal(new Date(`${days[0]!.key}T00:00:00Z`).getUTCDay(), 1);
    assert.ok(days.some(({ key }) => key === `${month}-01`));
  }
});

test('this month begins with this week; weeks begin where people say so', () => {
  const now = at(2026, 11, 27, 12);
  assert.equal(gridOf('2026-11', { firstDay: 1, now, zone: HERE })[0]!.key, '2026-11-23');
  assert.equal(gridOf('2026-11', { firstDay: 7, now, zone: HERE })[0]!.key, '2026-11-22');
  assert.equal(
    gridOf('2027-02', { firstDay: 1, now, zone: HERE })[0]!.key,
    '2027-02-01',
    'a month that begins with its week',
  );
  assert.deepEqual([firstWeekday('en-US'), firstWeekday('de-DE'), firstWeekday('ar-EG')], [7, 1, 6]);
  assert.equal(gridOf('2027-02', { firstDay: 6, now, zone: HERE })[0]!.key, '2027-01-30');
  assert.deepEqual(
    [
      monthOf(now, HERE),
      monthOf(now, HERE, 1),
      monthOf(now, HERE, 14),
      monthOf(at(2027, 1, 31), HERE, 1),
      monthAfter('2027-01', -1),
    ],
    ['2026-11', '2026-12', '2028-01', '2027-02', '2026-12'],
  );
  assert.equal(startOfDay('2027-02-01', HERE), at(2027, 2, 1));
  assert.match(spanWords('2026-11', now, HERE), /2026.*2027/);
  assert.match(spanWords('2027-03', now, HERE), /March 2027|2027/);
});

test('many runs of a job on one day are one line, behind what happens once', () => {
  const day = at(2026, 12, 1);
  const busy = Array.from({ length: 48 }, (_, index) => instant('inbox', day + index * 30 * MINUTE));
  const runs = [...busy, instant('report', day + 7 * 60 * MINUTE), instant('report', day + 24 * 60 * MINUTE)];
  const days = byDay(runs, HERE);
  assert.deepEqual([...days.keys()], ['2026-12-01', '2026-12-02']);
  const [first, second] = condensed(days.get('2026-12-01')!);
  assert.deepEqual([first?.jobId, first?.count], ['report', 1]);
  assert.deepEqual(
    [second?.jobId, second?.count, second?.firstAtMs, second?.lastAtMs],
    ['inbox', 48, day, day + 47 * 30 * MINUTE],
  );
  assert.deepEqual(
    [timesWords(1, false), timesWords(2, false), timesWords(48, false), timesWords(300, true)],
    ['', '×2', '×48', '×300+'],
  );
  assert.equal(new Set(coloursOf(runs).values()).size, 2, 'two jobs are told apart');
  const words = (count: number, cut = false): string =>
    dayWords({ key: '2026-12-01', startMs: day, endMs: day + 1 }, count, cut);
  assert.match(words(0), /: no runs$/);
  assert.match(words(1), /: 1 run$/);
  assert.match(words(300, true), /: 300 or more runs$/);
});

test('a calendar is asked for once, and day by day when that is too much', async () => {
  const now = at(2026, 11, 23, 12);
  const days = gridOf('2026-11', { firstDay: 1, now, zone: HERE });
  const asked: { fromMs: number; toMs: number; limit: number }[] = [];
  const every = (period: number) => async (span: { fromMs: number; toMs: number; limit: number }) => {
    asked.push(span);
    const runs: CronInstant[] = [];
    for (
      let next = Math.ceil(span.fromMs / period) * period;
      next <= span.toMs && runs.length <= span.limit;
      next += period
    )
      runs.push(instant('a', next));
    return { runs: runs.slice(0, span.limit), more: runs.length > span.limit };
  };
  const few = await loadCalendar({ ask: every(24 * 60 * MINUTE), wanted: () => true }, days, now);
  assert.equal(asked.length, 1);
  assert.ok(asked[0]!.fromMs >= now, 'what is over is not asked for');
  assert.ok(few.runs.length >= 40 && few.cut.size === 0);

  asked.length = 0;
  const many = await loadCalendar({ ask: every(MINUTE), wanted: () => true }, days, now);
  assert.ok(asked.length > 30 && asked.every(({ limit }) => limit <= 2000));
  assert.equal(new Set(many.runs.map(({ atMs }) => atMs)).size, many.runs.length, 'no run twice');
  assert.deepEqual(
    many.runs.map(({ atMs }) => atMs),
    many.runs.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
  );
  const counts = byDay(many.runs, HERE);
  assert.equal(counts.get(days[2]!.key)!.length, 1440, 'a near day is whole');
  assert.ok(!many.cut.has(days[2]!.key) && many.cut.has(days[30]!.key));

  asked.length = 0;
  await loadCalendar({ ask: every(MINUTE), wanted: () => asked.length < 3 }, days, now);
  assert.ok(asked.length < 8, 'it ends when somebody looks elsewhere');
  assert.deepEqual(
    await loadCalendar(
      { ask: every(MINUTE), wanted: () => true },
      gridOf('2026-01', { firstDay: 1, now: at(2026, 1, 1), zone: HERE }),
      now,
    ),
    { runs: [], cut: new Set() },
  );
});

test('what the list knows of a cut day is added, once and nowhere else', () => {
  const day = at(2026, 12, 1);
  const runs = [instant('busy', day)];
  const known = [
    instant('busy', day),
    instant('report', day + 7 * 60 * MINUTE),
    instant('report', day + 31 * 60 * MINUTE),
  ];
  assert.deepEqual(
    withKnown(runs, known, { cut: new Set(['2026-12-01']), zone: HERE }).map(({ jobId }) => jobId),
    ['busy', 'report'],
  );
  assert.equal(withKnown(runs, known, { cut: new Set(), zone: HERE }), runs);
});

test('a run is on the day of the zone that was asked for', () => {
  const evening = Date.UTC(2026, 10, 23, 23, 30);
  assert.deepEqual([...byDay([instant('a', evening)], 'Asia/Tokyo').keys()], ['2026-11-24']);
});
