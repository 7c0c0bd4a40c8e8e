import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAndTime, inTime } from './coming-times.ts';
import { dayKey, daysBetween } from './zone-days.ts';

const MINUTE = 60_000;
const at = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  new Date(year, month - 1, day, hour, minute).getTime();
const NOON = at(2026, 11, 23, 12);
/** The day of `at`. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

test('how long until an instant', () => {
  const cases: [number, string][] = [
    [-60_000, 'due'],
    [-1000, 'now'],
    [400, 'now'],
    [40_000, 'in 40 s'],
    [59_800, 'in 1 min'],
    [59.8 * MINUTE, 'in 1 h'],
    [5 * MINUTE, 'in 5 min'],
    [200 * MINUTE, 'in 3 h 20 min'],
    [120 * MINUTE, 'in 2 h'],
    [119.6 * MINUTE, 'in 2 h'],
    [9.6 * 60 * MINUTE, 'in 10 h'],
    [36 * 60 * MINUTE, 'in 2 days'],
    [90 * 24 * 60 * MINUTE, 'in 3 months'],
  ];
  for (const [left, words] of cases) assert.equal(inTime(NOON + left, NOON, HERE), words, String(left));
});

test('a day is named as people name it, and a far year is said', () => {
  const words = (instant: number): string => dayAndTime(instant, NOON, HERE).replace(/,? ?[\d:]+( [AP]M)?$/, '');
  assert.equal(words(at(2026, 11, 23, 14)), 'today');
  assert.equal(words(at(2026, 11, 24, 0, 5)), 'tomorrow', 'by the calendar, not by 24 hours');
  assert.equal(words(at(2026, 11, 22, 23)), 'yesterday');
  assert.match(dayAndTime(at(2026, 11, 27, 9), NOON, HERE), /^Fri /);
  assert.doesNotMatch(dayAndTime(at(2026, 12, 24, 9), NOON, HERE), /2026/);
  assert.match(dayAndTime(at(2028, 2, 29, 9), NOON, HERE), /2028/);
});

test('days are counted on the calendar of the zone, also when one has 23 or 25 hours', () => {
  const berlin = 'Europe/Berlin';
  assert.equal(daysBetween(Date.UTC(2027, 2, 27, 22), Date.UTC(2027, 2, 28, 21), berlin), 1);
  assert.equal(daysBetween(Date.UTC(2026, 9, 23, 22), Date.UTC(2026, 9, 25, 23), berlin), 2);
  assert.deepEqual(
    [
      dayKey(Date.UTC(2026, 11, 31, 23, 30), berlin),
      dayKey(Date.UTC(2026, 11, 31, 23, 30), 'UTC'),
      dayKey(Date.UTC(2027, 0, 1, 3), 'America/New_York'),
    ],
    ['2027-01-01', '2026-12-31', '2026-12-31'],
  );
});

test('one instant is another day and another hour in another zone, and is told in the one that was asked for', () => {
  const [now, evening] = [Date.UTC(2026, 10, 23, 12), Date.UTC(2026, 10, 23, 23, 30)];
  const reported = (zone: string): string => dayAndTime(evening, now, zone).replaceAll('\u202f', ' ');
  assert.match(reported('UTC'), /^today (?:23:30|11:30 PM)$/);
  assert.match(reported('Asia/Tokyo'), /^tomorrow 0?8:30(?: AM)?$/);
  assert.match(reported('America/Los_Angeles'), /^today (?:15:30|0?3:30 PM)$/);
});
