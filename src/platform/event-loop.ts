/** Measures the event loop delay and the disk writes of each minute, so that blocking work is noticed early. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** How late the event loop was over the last seconds. */
export interface LoopReading {
  /** Milliseconds a timer was late, 99th percentile of the window. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Share of time the loop was busy, 0 to 1. */
  readonly utilization: number;
}

/** The last hour, or as much of it as the process has run. */
export interface LoopHour {
  /** Of its worst minute. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Bytes the process handed to disks meanwhile, as the system counts them. */
  readonly writtenBytes: number;
}

/** Measures the event loop until it is disposed of. */
export interface EventLoopWatch extends Disposable {
  read(): LoopReading;
  lastHour(): LoopHour;
}

/** Milliseconds between samples; a histogram entry is this plus the delay. */
const RESOLUTION_MS = 20;
const WINDOWS_AN_HOUR = 60;
/** Milliseconds one window lasts; a reading covers the current and the previous one. */
const WINDOW_MS = 60_000;

interface Window extends LoopReading {
  /** Since the process began, counted at the end of the window. */
  readonly writtenBytes: number;
}

/** The system counts blocks of 512 bytes. */
const writtenBytes = (): number => process.resourceUsage().fsWrite * 512;

/** Readings cover the window since the one before, so that one slow moment does not stay for ever. */
export function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let since = performance.eventLoopUtilization();
  let previous: LoopReading | undefined;
  let windows: readonly Window[] = [];

  const measure = (): LoopReading => ({
    p99Ms: delayOf(histogram.percentile(99)),
    maxMs: delayOf(histogram.max),
    utilization: round(performance.eventLoopUtilization(since).utilization),
  });
  const roll = setInterval(() => {
    previous = measure();
    windows = [...windows, { ...previous, writtenBytes: writtenBytes() }].slice(-WINDOWS_AN_HOUR);
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
    lastHour() {
      const all = [...windows, measure()];
      // Of a whole hour the first window tells where the count began; before that it began with the process.
      const before = windows.length < WINDOWS_AN_HOUR ? 0 : windows[0]!.writtenBytes;
      return {
        p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
        maxMs: Math.max(...all.map(({ maxMs }) => maxMs)),
        writtenBytes: writtenBytes() - before,
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
