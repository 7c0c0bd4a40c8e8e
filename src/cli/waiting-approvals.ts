/** Pending approvals in order of arrival, shown one by one. */
import type { WireApproval } from '../protocol/answers/approvals.ts';

export interface Waiting {
  readonly approval: WireApproval;
  /** Ends when somebody answered, here or elsewhere, or the watch is over. */
  readonly settled: AbortSignal;
}

/** Each is handed out once; one that was settled before its turn is not. */
export function createWaiting(quit: AbortSignal) {
  const known = new Map<string, AbortController>();
  const line: Waiting[] = [];
  let news = Promise.withResolvers<void>();
  quit.addEventListener('abort', () => news.resolve(), { once: true });
  return {
    add(approval: WireApproval): void {
      if (known.has(approval.id)) return;
      const settled = new AbortController();
      known.set(approval.id, settled);
      line.push({ approval, settled: AbortSignal.any([settled.signal, quit]) });
      news.resolve();
    },
    /** False when it was never heard of. */
    settle(id: string): boolean {
      known.get(id)?.abort();
      return known.has(id);
    },
    /** Undefined: the watch is over. */
    async next(): Promise<Waiting | undefined> {
      for (;;) {
        if (quit.aborted) return undefined;
        const first = line.shift();
        if (first && !first.settled.aborted) return first;
        if (first) continue;
        await news.promise;
        news = Promise.withResolvers();
        if (quit.aborted) news.resolve();
      }
    },
  };
}
