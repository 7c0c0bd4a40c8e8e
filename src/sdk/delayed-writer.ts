/** Writes a state shortly after it changed: changes in between share a write, and only one write runs at a time. */
import { createSerialQueue } from '../platform/keyed-queue.ts';
import { systemClock, type Clock, type Timer } from '../platform/clock.ts';

/** A writer for one state. Disposing it writes what is still unwritten. */
export interface DelayedWriter extends AsyncDisposable {
  /** It changed: it is written within `delayMs`, unless it is sooner. */
  changed(): void;
  /** Resolves once all that changed so far is written, or that failed. Never rejects. */
  flush(): Promise<void>;
}

/** How and when to write. `delayMs` in milliseconds. */
export interface DelayedWriterOptions {
  /** Called when it is to be written; reads what is to be written itself. */
  write(): Promise<void>;
  readonly delayMs: number;
  /** What could not be written is written along with the next change. */
  failed(error: unknown): void;
  readonly clock?: Clock;
}

/** Its end is a last `flush`. A crash loses at most what changed in `delayMs`. */
export function createDelayedWriter({
  write,
  delayMs,
  failed,
  clock = systemClock,
}: DelayedWriterOptions): DelayedWriter {
  const writes = createSerialQueue();
  const state: { timer?: Timer | undefined; dirty: boolean } = { dirty: false };

  async function writeNow(): Promise<void> {
    if (!state.dirty) return;
    state.dirty = false;
    try {
      await write();
    } catch (error) {
      state.dirty = true;
      failed(error);
    }
  }

  function flush(): Promise<void> {
    state.timer?.cancel();
    state.timer = undefined;
    return writes.run(writeNow);
  }

  return {
    changed() {
      state.dirty = true;
      state.timer ??= clock.setTimeout(() => void flush(), delayMs).unref();
    },
    flush,
    [Symbol.asyncDispose]: flush,
  };
}
