/** Waits for what may never come, and not for ever. */
import { setTimeout as pause } from 'node:timers/promises';

/** Rejects with `late()` when `work` took longer than `timeoutMs`; what it does afterwards is nobody's. */
export async function withinTime<T>(work: () => Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  const done = new AbortController();
  const end = pause(timeoutMs, undefined, { signal: done.signal }).then(() => {
    throw late();
  });
  // When the work throws before there is a promise, nobody races for this one.
  end.catch(() => undefined);
  try {
    return await Promise.race([work(), end]);
  } finally {
    done.abort();
  }
}
