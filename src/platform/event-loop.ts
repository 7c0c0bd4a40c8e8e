/** Watches how late the event loop runs; health shows it, so that blocking work is seen before people feel it. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** How late the event loop was over the last seconds. */
export interface LoopReading {
  /** Milliseconds a timer was late, 99th percentile of the window. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Share of time the loop was busy, 0 to 1. */
  readonly utilization: number;
}

/** Measures the event loop until it is disposed of. */
export interface EventLoopWatch extends Disposable {
  read(): LoopReading;
}

/** Milliseconds between samples; a histogram entry is this plus the delay. */
const RESOLUTION_MS = 20;
/** Milliseconds one window lasts; a reading covers the current and the previous one. */
const WINDOW_MS = 60_000;

/** Readings cover the window since the one before, so that one slow moment does not stay for ever. */
export function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let since = performance.eventLoopUtilization();
  let previous: LoopReading | undefined;

  const measure = (): LoopReading => ({
    p99Ms: delayOf(histogram.percentile(99)),
    maxMs: delayOf(histogram.max),
    utilization: round(performance.eventLoopUtilization(since).utilization),
  });
  const roll = setInterval(() => {
    previous = measure();
    histogram.reset();
    since = performance.eventLoopUtilization();
  }, WINDOW_MS).unref();

  return {
    read() {
      const current = measure();
      if (!previous) return current;
      return {
        ...current,
        p99Ms: Math.max(current.p99Ms, previous.p99Ms),
        maxMs: Math.max(current.maxMs, previous.maxMs),
      };
    },
    [Symbol.dispose]() {
      clearInterval(roll);
      histogram.disable();
    },
  };
}

/** An empty histogram reports its ceiling or NaN; both mean "nothing seen". */
function delayOf(nanoseconds: number): number {
  const ms = nanoseconds / 1e6 - RESOLUTION_MS;
  return Number.isFinite(ms) && ms > 0 && ms < 3.6e6 ? round(ms) : 0;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
