/**
 * Loaded into a measured gateway with `--import`: on SIGUSR2 it writes the event loop delay since the last signal
 * (`p99`, `max`, ms) and the number of active timers (`timers`) to the file in BENCH_LOOP_FILE.
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
