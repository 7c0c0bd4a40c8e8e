/**
 * What people, models and clients write, and the schedule it becomes: a table of phrases, a table of refusals, and the
 * way back from words.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { loadSchedules, readSchedule, type ReadingContext } from './schedules.ts';
import type { at } from './harness.ts';
import { ZONE, NOW, MINUTE, PHRASES, FIELDS, REFUSALS } from './harness.ts';

const readInstant = async (written: string | number, context: ReadingContext): Promise<number> =>
  ((await readSchedule({ at: written }, context)) as ReturnType<typeof at>).atMs;

for (const [written, expected] of PHRASES) {
  test(`reads "${written}"`, async () => assert.deepEqual(await readSchedule(written, NOW), expected));
}

for (const [written, expected] of FIELDS) {
  test(`reads ${JSON.stringify(written)}`, async () => assert.deepEqual(await readSchedule(written, NOW), expected));
}

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
    assert.match(message, /^"sometime 'now' \(b\)" is not a valid time/);
    assert.match(message, /"tomorrow 9:00", "in 20 minutes" or "every weekday at 7"/);
    return !/[\n<]/.test(message);
  });
});

/** Forms whose words are read back as the very same schedule. */
const SPOKEN = PHRASES.filter(([written]) => !written.startsWith('@') && !/JAN/.test(written)).map(
  ([written]) => written,
);

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
  assert.deepEqual(await readSchedule({ kind: 'at', atMs: 1000 }, { ...NOW, pastAllowed: true }), {
    kind: 'at',
    atMs: 1000,
  });
  assert.deepEqual(await readSchedule({ expr: '0 0 9 1 1 * 2020' }, { ...NOW, pastAllowed: true }), {
    kind: 'cron',
    expr: '0 0 9 1 1 * 2020',
  });
});

test('"next friday" is the one of the next week, "friday" the next to come, on whatever day it is said', async () => {
  const on = async (day: number, text: string): Promise<string> =>
    new Date(await readInstant(text, { ...NOW, nowMs: Date.UTC(2026, 10, day, 10) })).toISOString().slice(0, 10);
  assert.deepEqual(
    [
      await on(23, 'next friday at 9'),
      await on(27, 'next friday at 9'),
      await on(28, 'next friday at 9'),
      await on(29, 'next friday at 9'),
    ],
    ['2026-12-04', '2026-12-04', '2026-12-04', '2026-12-04'],
  );
  assert.deepEqual(
    [
      await on(23, 'friday at 9'),
      await on(27, 'friday at 9'),
      await on(27, 'friday at 17'),
      await on(28, 'friday at 9'),
    ],
    ['2026-11-27', '2026-12-04', '2026-11-27', '2026-12-04'],
  );
});

test("words are of the person's day, not of the machine's", async () => {
  // 23:30 on the 23rd in Berlin is the 24th in Auckland and still the 23rd in New York.
  const nowMs = Date.parse('2026-11-23T22:30:00Z');
  const tomorrow = async (zone: string): Promise<string> =>
    new Date(await readInstant('tomorrow 9:00', { nowMs, zone })).toISOString();
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
  const pieces = [
    'every ',
    'monday and ',
    'at 9 and ',
    '1st and ',
    'in 1 hour and ',
    'a',
    '9:',
    'of the month ',
    'half past ',
    '1,',
    '*/',
    'jan',
    'tues',
    '(',
    ' ',
    'Europe/',
    '- ',
    'every 1h',
    '9am',
    'first and ',
  ];
  const started = process.cpuUsage();
  for (const piece of pieces) {
    for (const tail of ['', 'x', ' every', ' time'])
      await readSchedule(`${piece.repeat(Math.floor(190 / piece.length))}${tail}`, NOW).catch((error: unknown) =>
        assert.ok(error instanceof AppError, `${piece}: ${String(error)}`),
      );
  }
  // Processor time of the process, and far above what it takes (about 100 ms): a pattern that runs away takes minutes.
  assert.ok(process.cpuUsage(started).user / 1000 < 20_000);
});
