// Percentiles of the last hour, accurate to the bucket width of 25 %.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHourHistogram } from './hour-histogram.ts';

const START = 1_800_000_000_000;
const near = (found: number, wanted: number): void =>
  assert.ok(found >= wanted && found <= wanted * 1.26, `${found} is not ${wanted}`);

it('tells the middle, the slow end and the slowest of what it recorded', () => {
  const histogram = createHourHistogram();
  for (let ms = 1; ms <= 1000; ms++) histogram.record(ms / 10, START + ms);
  const { count, p50Ms, p99Ms, maxMs } = histogram.read(START + 2000);
  assert.deepEqual([count, maxMs], [1000, 100]);
  near(p50Ms, 50);
  assert.ok(p99Ms >= 99 && p99Ms <= 100);
});

it('is empty before anything happened, and an hour later', () => {
  const histogram = createHourHistogram();
  const empty = { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 };
  assert.deepEqual(histogram.read(START), empty);
  histogram.record(5, START);
  assert.equal(histogram.read(START + 59 * 60_000).count, 1);
  assert.deepEqual(histogram.read(START + 61 * 60_000), empty);
});

it('takes nothing, very little and very much', () => {
  const histogram = createHourHistogram();
  for (const ms of [0, 0.001, 3_600_000]) histogram.record(ms, START);
  const { p99Ms, ...rest } = histogram.read(START);
  assert.deepEqual(rest, { count: 3, p50Ms: 0.01, maxMs: 3_600_000 });
  assert.ok(p99Ms > 60_000);
});
