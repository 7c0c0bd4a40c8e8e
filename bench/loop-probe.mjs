/**
 * Loaded into a measured gateway with `--import`: on SIGUSR2 it writes how late the event loop ran since the last time
 * (`p99`, `max`, ms) and how many timers are armed (`timers`) to the file that BENCH_LOOP_FILE names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const file = process.env.BENCH_LOOP_FILE;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

process.on('SIGUSR2', () => {
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const seen = { p99: late(histogram.percentile(99)), max: late(histogram.max), timers };
  writeFileSync(`${file}.new`, JSON.stringify(seen));
  renameSync(`${file}.new`, file);
  histogram.reset();
});
