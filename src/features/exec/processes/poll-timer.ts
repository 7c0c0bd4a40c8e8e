/** When a process is polled: often while somebody waits or watches, otherwise rarely. */
import type { Clock, Timer } from '../../../platform/clock.ts';

export interface PollTimer {
  /** Begins looking. */
  start(): void;
  stop(): void;
  /** Told with each new tail. */
  watch(watcher: (tail: string) => void): () => void;
  /** Resolves with the next news, after `ms`, or when the signal fires. */
  news(options: { readonly ms: number; readonly signal: AbortSignal }): Promise<void>;
  /** Somebody waits for news. */
  awaited(): boolean;
  /** There is something new. */
  notify(): void;
}

export interface PollTimerDeps {
  readonly clock: Clock;
  /** True when there was more to see than before; then everybody is told. */
  poll(): Promise<boolean>;
  tail(): string;
  fault(error: unknown): void;
}

/** Milliseconds between two polls. */
export const POLL_MS = { waiting: 50, watched: 125, idle: 1000 };

export function createPollTimer({ clock, poll, tail, fault }: PollTimerDeps): PollTimer {
  const watchers = new Set<(tail: string) => void>();
  const waiting = new Set<() => void>();
  let next: Timer | undefined;
  let going = false;

  const wake = (): void => {
    for (const each of waiting) each();
  };
  const notify = (): void => {
    wake();
    for (const watcher of watchers) watcher(tail());
  };
  function pollIn(ms: number): void {
    next?.cancel();
    if (going) next = clock.setTimeout(() => void pollNow(), ms);
  }
  /** A fault in it must not end the gateway, nor the polling. */
  async function pollNow(): Promise<void> {
    let grew = false;
    try {
      grew = await poll();
      if (grew) notify();
    } catch (error) {
      fault(error);
    }
    pollIn(waiting.size > 0 ? POLL_MS.waiting : grew || watchers.size > 0 ? POLL_MS.watched : POLL_MS.idle);
  }

  return {
    start() {
      going = true;
      pollIn(POLL_MS.watched);
    },
    stop() {
      going = false;
      next?.cancel();
      wake();
    },
    watch(watcher) {
      watchers.add(watcher);
      pollIn(POLL_MS.watched);
      return () => void watchers.delete(watcher);
    },
    async news({ ms, signal }) {
      if (!going || signal.aborted || ms <= 0) return;
      const news = Promise.withResolvers<void>();
      using _ = clock.setTimeout(news.resolve, ms);
      const stop = (): void => news.resolve();
      signal.addEventListener('abort', stop, { once: true });
      waiting.add(news.resolve);
      pollIn(POLL_MS.waiting);
      await news.promise;
      waiting.delete(news.resolve);
      signal.removeEventListener('abort', stop);
    },
    awaited: () => waiting.size > 0,
    notify,
  };
}
