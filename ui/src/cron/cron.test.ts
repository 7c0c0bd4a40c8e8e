/** Coming times in words, the month as a grid, how jobs and runs stand, and what the form sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CronInstant, Job, JobRun } from '../gateway/cron-wire.ts';
import { loadCalendar } from './calendar-load.ts';
import { coloursOf, dayWords, timesWords } from './calendar-views.ts';
import { dayAndTime, dayKey, daysBetween, inTime } from './coming-times.ts';
import { draftOf, EMPTY_DRAFT, newJob, patchOf, placeOf, problemsOf, sayPlainly } from './job-draft.ts';
import { agentOf, deliveryMark, lookWords, missedWords, outcomeOf, placeWords, schedulerMark, standing, targetWords, triggerWords } from './job-words.ts';
import { byDay, condensed, firstWeekday, gridOf, monthOf, monthStart, spanWords, withKnown } from './month-grid.ts';
import { countWords, runBars } from './run-chart.ts';

const at = (year: number, month: number, day: number, hour = 0, minute = 0): number => new Date(year, month - 1, day, hour, minute).getTime();
const NOON = at(2026, 11, 23, 12);
const MINUTE = 60_000;

/** Node reads TZ whenever it is written. */
function inZone(zone: string, check: () => void): void {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    check();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}

test('how long until an instant', () => {
  const cases: [number, string][] = [[-60_000, 'due'], [-1000, 'now'], [400, 'now'], [40_000, 'in 40 s'], [59_800, 'in 1 min'], [59.8 * MINUTE, 'in 1 h'], [5 * MINUTE, 'in 5 min'], [200 * MINUTE, 'in 3 h 20 min'], [120 * MINUTE, 'in 2 h'], [119.6 * MINUTE, 'in 2 h'], [9.6 * 60 * MINUTE, 'in 10 h'], [36 * 60 * MINUTE, 'in 2 days'], [90 * 24 * 60 * MINUTE, 'in 3 months']];
  for (const [left, words] of cases) assert.equal(inTime(NOON + left, NOON), words, String(left));
});

test('a day is named as people name it, and a far year is said', () => {
  const words = (instant: number): string => dayAndTime(instant, NOON).replace(/,? ?[\d:]+( [AP]M)?$/, '');
  assert.equal(words(at(2026, 11, 23, 14)), 'today');
  assert.equal(words(at(2026, 11, 24, 0, 5)), 'tomorrow', 'by the calendar, not by 24 hours');
  assert.equal(words(at(2026, 11, 22, 23)), 'yesterday');
  assert.match(dayAndTime(at(2026, 11, 27, 9), NOON), /^Fri /);
  assert.doesNotMatch(dayAndTime(at(2026, 12, 24, 9), NOON), /2026/);
  assert.match(dayAndTime(at(2028, 2, 29, 9), NOON), /2028/);
});

test('days are counted on the calendar, also when one has 23 or 25 hours', () => {
  inZone('Europe/Berlin', () => {
    assert.equal(daysBetween(at(2027, 3, 27, 23), at(2027, 3, 28, 23)), 1);
    assert.equal(daysBetween(at(2026, 10, 24, 0), at(2026, 10, 26, 0)), 2);
    assert.equal(dayKey(Date.UTC(2026, 11, 31, 23, 30)), '2027-01-01');
  });
});

test('six weeks of days without a gap or an overlap, whatever the clocks do (T177)', () => {
  for (const [zone, month] of [['Europe/Berlin', '2027-03'], ['Europe/Berlin', '2027-10'], ['America/Havana', '2027-03'], ['Australia/Lord_Howe', '2027-10'], ['America/Santiago', '2027-09'], ['Asia/Kathmandu', '2027-02'], ['Pacific/Apia', '2027-01']] as const)
    inZone(zone, () => {
      const days = gridOf(month, { firstDay: 1, now: at(2026, 11, 23) });
      assert.equal(days.length, 42);
      assert.equal(new Set(days.map(({ key }) => key)).size, 42, zone);
      for (const [index, { key, startMs, endMs }] of days.entries()) {
        assert.equal(dayKey(startMs), key, `${zone} ${key}`);
        assert.equal(dayKey(endMs - 1), key, `${zone} ${key} ends within itself`);
        if (index > 0) assert.equal(startMs, days[index - 1]!.endMs);
      }
      assert.equal(new Date(days[0]!.startMs).getDay(), 1);
      assert.ok(days.some(({ key }) => key === `${month}-01`));
    });
});

test('this month begins with this week; weeks begin where people say so', () => {
  const now = at(2026, 11, 27, 12);
  assert.equal(gridOf('2026-11', { firstDay: 1, now })[0]!.key, '2026-11-23');
  assert.equal(gridOf('2026-11', { firstDay: 7, now })[0]!.key, '2026-11-22');
  assert.equal(gridOf('2027-02', { firstDay: 1, now })[0]!.key, '2027-02-01', 'a month that begins with its week');
  assert.deepEqual([firstWeekday('en-US'), firstWeekday('de-DE'), firstWeekday('ar-EG')], [7, 1, 6]);
  assert.equal(gridOf('2027-02', { firstDay: 6, now })[0]!.key, '2027-01-30');
  assert.deepEqual([monthOf(now), monthOf(now, 1), monthOf(now, 14), monthOf(at(2027, 1, 31), 1)], ['2026-11', '2026-12', '2028-01', '2027-02']);
  assert.equal(dayKey(monthStart('2027-02')), '2027-02-01');
  assert.match(spanWords('2026-11', now), /2026.*2027/);
  assert.match(spanWords('2027-03', now), /March 2027|2027/);
});

const instant = (jobId: string, atMs: number): CronInstant => ({ jobId, name: jobId.toUpperCase(), atMs });

test('many runs of a job on one day are one line, behind what happens once', () => {
  const day = at(2026, 12, 1);
  const busy = Array.from({ length: 48 }, (_, index) => instant('inbox', day + index * 30 * MINUTE));
  const runs = [...busy, instant('report', day + 7 * 60 * MINUTE), instant('report', day + 24 * 60 * MINUTE)];
  const days = byDay(runs);
  assert.deepEqual([...days.keys()], ['2026-12-01', '2026-12-02']);
  const [first, second] = condensed(days.get('2026-12-01')!);
  assert.deepEqual([first?.jobId, first?.count], ['report', 1]);
  assert.deepEqual([second?.jobId, second?.count, second?.firstAtMs, second?.lastAtMs], ['inbox', 48, day, day + 47 * 30 * MINUTE]);
  assert.deepEqual([timesWords(1, false), timesWords(2, false), timesWords(48, false), timesWords(300, true)], ['', '×2', '×48', '×300+']);
  assert.equal(new Set(coloursOf(runs).values()).size, 2, 'two jobs are told apart');
  const words = (count: number, cut = false): string => dayWords({ key: '2026-12-01', startMs: day, endMs: day + 1 }, count, cut);
  assert.match(words(0), /: no runs$/);
  assert.match(words(1), /: 1 run$/);
  assert.match(words(300, true), /: 300 or more runs$/);
});

test('a calendar is asked for once, and day by day when that is too much', async () => {
  const now = at(2026, 11, 23, 12);
  const days = gridOf('2026-11', { firstDay: 1, now });
  const asked: { fromMs: number; toMs: number; limit: number }[] = [];
  const every = (period: number) => async (span: { fromMs: number; toMs: number; limit: number }) => {
    asked.push(span);
    const runs: CronInstant[] = [];
    for (let next = Math.ceil(span.fromMs / period) * period; next <= span.toMs && runs.length <= span.limit; next += period) runs.push(instant('a', next));
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
  assert.deepEqual(many.runs.map(({ atMs }) => atMs), many.runs.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  const counts = byDay(many.runs);
  assert.equal(counts.get(days[2]!.key)!.length, 1440, 'a near day is whole');
  assert.ok(!many.cut.has(days[2]!.key) && many.cut.has(days[30]!.key));

  asked.length = 0;
  await loadCalendar({ ask: every(MINUTE), wanted: () => asked.length < 3 }, days, now);
  assert.ok(asked.length < 8, 'it ends when somebody looks elsewhere');
  assert.deepEqual(await loadCalendar({ ask: every(MINUTE), wanted: () => true }, gridOf('2026-01', { firstDay: 1, now: at(2026, 1, 1) }), now), { runs: [], cut: new Set() });
});

test('what the list knows of a cut day is added, once and nowhere else', () => {
  const day = at(2026, 12, 1);
  const runs = [instant('busy', day)];
  const known = [instant('busy', day), instant('report', day + 7 * 60 * MINUTE), instant('report', day + 31 * 60 * MINUTE)];
  assert.deepEqual(withKnown(runs, known, new Set(['2026-12-01'])).map(({ jobId }) => jobId), ['busy', 'report']);
  assert.equal(withKnown(runs, known, new Set()), runs);
});

const job: Job = {
  id: 'a', name: 'Report', enabled: true, createdAtMs: 1, updatedAtMs: 1, schedule: { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' }, sessionTarget: 'isolated', wakeMode: 'next-heartbeat',
  payload: { kind: 'agentTurn', message: 'Tell me', deliver: true, channel: 'telegram', to: '42', model: 'x/y', timeoutSeconds: 90 }, missed: { policy: 'once', maxAgeMs: 6 * 60 * MINUTE }, state: { lastStatus: 'ok' }, when: 'every weekday at 07:00 (Europe/Berlin)', nextRunsAtMs: [1, 2, 3], configRevision: '1',
};

test('a job stands in one way at a time', () => {
  const words = (over: Partial<Job>): string[] => { const { tone, words: said } = standing({ ...job, ...over }); return [tone, said]; };
  assert.deepEqual(words({}), ['good', 'went well']);
  assert.deepEqual(words({ state: {} }), ['quiet', 'never ran']);
  assert.deepEqual(words({ state: { lastStatus: 'error', consecutiveErrors: 3 } }), ['bad', 'failed 3 times']);
  assert.deepEqual(words({ state: { lastStatus: 'error', consecutiveErrors: 1 } }), ['bad', 'failed']);
  assert.deepEqual(words({ state: { lastStatus: 'skipped' } }), ['warn', 'skipped']);
  assert.deepEqual(words({ enabled: false }), ['quiet', 'off']);
  assert.deepEqual(words({ enabled: false, state: { disabledReason: 'no such model' } }), ['bad', 'switched off'], 'nobody did so by hand');
  assert.deepEqual(words({ enabled: false, schedule: { kind: 'at', atMs: 1 } }), ['quiet', 'done']);
  assert.deepEqual(words({ problem: 'the agent is gone' }), ['bad', 'cannot run']);
  assert.deepEqual(words({ problem: 'the agent is gone', state: { runningAtMs: 1 } }), ['running', 'running']);
});

test('where a job runs, where its answer goes, whose it is', () => {
  assert.equal(placeWords(job), 'in a conversation of its own');
  assert.equal(placeWords({ sessionTarget: 'main', wakeMode: 'next-heartbeat' }), 'in the main conversation, with the next heartbeat');
  const labels = { telegram: 'Telegram' };
  const target = (payload: object): string => targetWords({ payload: { kind: 'agentTurn', message: '', ...payload } }, labels);
  assert.equal(targetWords(job, labels), 'Telegram · 42');
  assert.equal(target({ deliver: true }), 'where you wrote last');
  assert.equal(target({ channel: 'matrix', to: '!r' }), 'matrix · !r', 'a recipient alone asks for delivery');
  assert.equal(target({ deliver: false, to: '42' }), '');
  assert.equal(target({}), '');
  assert.equal(targetWords({ payload: { kind: 'systemEvent', text: 'x' } }, labels), '');
  assert.equal(missedWords(job), 'of missed runs the newest is made up for, up to 6 h old');
  assert.equal(missedWords({}), '');
  assert.deepEqual([agentOf({}), agentOf({ agentId: 'garden' }), agentOf({ owner: { sessionKey: 'agent:work:main' } })], ['main', 'garden', 'work']);
});

test('runs, deliveries, the scheduler and the last look, in words', () => {
  assert.deepEqual(outcomeOf({ status: 'error' }), { tone: 'bad', words: 'failed' });
  assert.equal(triggerWords({ trigger: 'retry', attempt: 2 }), 'try 3');
  assert.equal(triggerWords({ trigger: 'catch-up', attempt: 0 }), 'made up for');
  assert.equal(deliveryMark({}).words, '');
  assert.deepEqual(deliveryMark({ deliveryStatus: 'not-delivered' }), { tone: 'bad', words: 'not delivered' });
  assert.deepEqual(schedulerMark({ enabled: false, running: 0 }), { tone: 'bad', words: 'off' });
  assert.deepEqual(schedulerMark({ enabled: true, running: 2 }), { tone: 'good', words: '2 running' });
  assert.equal(schedulerMark({ enabled: true, running: 0, problem: 'line 3' }).tone, 'bad');
  assert.equal(lookWords({ status: 'skipped', reason: 'quiet-hours' }).words, 'did not look: quiet hours');
  assert.equal(lookWords({ status: 'ok', reason: 'interval' }).words, 'nothing needed you');
  assert.equal(lookWords({ status: 'failed', reason: 'no such model' }).words, 'could not look: no such model');
});

const run = (status: JobRun['status'], durationMs: number): JobRun => ({ ts: 1, jobId: 'a', action: 'finished', status, runAtMs: NOON, durationMs, runId: 'r', slotMs: 1, attempt: 0, trigger: 'schedule' });

test('bars: the longest is full, the shortest is seen, the oldest left, no more than fit', () => {
  const bars = runBars([run('ok', 3_600_000), run('error', 0), run('ok', 60_000)]);
  assert.deepEqual(bars.map(({ tone }) => tone), ['good', 'bad', 'good']);
  assert.equal(bars[0]!.height, 44);
  assert.equal(bars[1]!.height, 4);
  assert.ok(bars[2]!.height > 4, 'a minute beside an hour is not flat');
  assert.ok(bars[0]!.x < bars[1]!.x);
  assert.equal(runBars(Array.from({ length: 100 }, () => run('ok', 0))).length, 40);
  assert.equal(countWords([run('ok', 1), run('error', 1), run('ok', 1)]), '2 ok, 1 failed');
});

test('a new job is sent as it was shown, and no more than was said', () => {
  const schedule = { kind: 'every', everyMs: 5 } as const;
  assert.deepEqual(newJob({ ...EMPTY_DRAFT, when: ' every day ', message: ' Look ' }, undefined), { schedule: 'every day', sessionTarget: 'isolated', payload: { kind: 'agentTurn', message: 'Look', deliver: false } });
  assert.deepEqual(newJob({ ...EMPTY_DRAFT, when: 'x', message: 'Tea', place: 'main', deleteAfterRun: true, deliver: 'telegram', to: '1' }, schedule), { schedule, sessionTarget: 'main', wakeMode: 'now', payload: { kind: 'systemEvent', text: 'Tea' }, deleteAfterRun: true });
  assert.deepEqual(
    newJob({ ...EMPTY_DRAFT, when: 'x', message: 'm', name: 'N', place: 'session', sessionKey: 'agent:main:web:1', deliver: 'telegram', to: ' 42 ', accountId: 'b', model: 'x/y', thinking: 'low', timeoutSeconds: '30', missed: 'all', maxAgeHours: '1.5', agentId: 'garden' }, schedule),
    { schedule, name: 'N', agentId: 'garden', sessionTarget: 'session:agent:main:web:1', payload: { kind: 'agentTurn', message: 'm', model: 'x/y', thinking: 'low', timeoutSeconds: 30, deliver: true, channel: 'telegram', to: '42', accountId: 'b' }, missed: { policy: 'all', maxAgeMs: 5_400_000 } },
  );
});

test('of a known job only what differs is sent; what was emptied is null', () => {
  const before = draftOf(job);
  assert.equal(patchOf(before, before, { kind: 'every', everyMs: 1 }), undefined, 'a schedule nobody touched is not sent again');
  assert.deepEqual(patchOf(before, { ...before, when: 'every 2 hours' }, { kind: 'every', everyMs: 7_200_000 }), { schedule: { kind: 'every', everyMs: 7_200_000 } });
  assert.deepEqual(patchOf(before, { ...before, model: '', to: '43' }, undefined), { payload: { kind: 'agentTurn', model: null, to: '43' } });
  assert.deepEqual(patchOf(before, { ...before, deliver: 'none' }, undefined), { payload: { kind: 'agentTurn', deliver: false, channel: null, to: null } });
  assert.deepEqual(patchOf(before, { ...before, place: 'main' }, undefined), { sessionTarget: 'main', wakeMode: 'next-heartbeat', payload: { kind: 'systemEvent', text: 'Tell me' } });
  assert.deepEqual(patchOf(before, { ...before, missed: '', name: 'Other' }, undefined), { name: 'Other', missed: null });
});

test('what can be said without asking, and where the gateway’s answer belongs', () => {
  assert.deepEqual(Object.keys(problemsOf(EMPTY_DRAFT)), ['when', 'message']);
  const draft = { ...EMPTY_DRAFT, when: 'x', message: 'y' };
  assert.deepEqual(problemsOf(draft), {});
  assert.deepEqual(Object.keys(problemsOf({ ...draft, deliver: 'telegram', timeoutSeconds: '-1', missed: 'all', maxAgeHours: 'soon' })), ['deliver', 'timeoutSeconds', 'missed']);
  assert.deepEqual(Object.keys(problemsOf({ ...draft, place: 'session' })), ['place']);
  const cases: [string, string | undefined, string | undefined][] = [
    ['schedule: “x” is no time', undefined, 'when'], ['schedule.tz: there is no zone Mars', undefined, 'when'], ['payload.model: unknown', undefined, 'model'], ['payload.to: is required', undefined, 'deliver'], ['patch.name: too long', undefined, 'name'],
    ['"payload.timeoutSeconds" must be at least 1', undefined, 'timeoutSeconds'], ['There is nothing to do', undefined, undefined], ['anything', 'agentId', 'agentId'], ['main cron jobs require payload.kind="systemEvent"', undefined, undefined],
  ];
  for (const [message, field, place] of cases) assert.equal(placeOf({ message, field }), place, message);
  assert.equal(sayPlainly('payload.model: there is none'), 'there is none');
  assert.equal(sayPlainly('Cron delivery requires a recipient'), 'Cron delivery requires a recipient');
});
