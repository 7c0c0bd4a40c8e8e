/** A clock that only tests advance. */
import { present } from '../core/present.ts';
import { sleepOn, type Clock, type Timer } from '../platform/clock.ts';

export interface FakeClock extends Clock {
  /** Runs every timer that falls due, in order, letting promises settle after each. */
  advance(ms: number): Promise<void>;
  /** How many timers wait. */
  pending(): number;
}

interface Entry {
  at: number;
  readonly order: number;
  readonly run: () => void;
  readonly every?: number;
}

export function createFakeClock(startMs = Date.UTC(2026, 0, 15, 12)): FakeClock {
  const entries = new Set<Entry>();
  let now = startMs;
  let order = 0;

  const add = (run: () => void, ms: number, every?: number): Timer => {
    const entry: Entry = { at: now + Math.max(0, ms), order: order++, run, ...present({ every }) };
    entries.add(entry);
    const cancel = (): void => void entries.delete(entry);
    const self: Timer = { cancel, unref: () => self, [Symbol.dispose]: cancel };
    return self;
  };

  const nextDue = (limit: number): Entry | undefined =>
    [...entries].filter((entry) => entry.at <= limit).sort((a, b) => a.at - b.at || a.order - b.order)[0];

  const clock: FakeClock = {
    now: () => now,
    monotonic: () => now - startMs,
    setTimeout: (run, ms) => add(run, ms),
    setInterval: (run, ms) => add(run, ms, Math.max(1, ms)),
    sleep: (ms, signal) => sleepOn(clock, ms, signal),
    pending: () => entries.size,
    async advance(ms) {
      const limit = now + ms;
      await settle();
      for (let entry = nextDue(limit); entry; entry = nextDue(limit)) {
        now = entry.at;
        if (entry.every === undefined) entries.delete(entry);
        else entry.at += entry.every;
        entry.run();
        await settle();
      }
      now = limit;
    },
  };
  return clock;
}

/** One turn of the event loop: every promise that could settle has. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
