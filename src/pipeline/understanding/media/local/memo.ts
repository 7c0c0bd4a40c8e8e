/** Remembers answers for a while; questions asked at the same time share one answer. */
import type { Clock } from '../../../../platform/clock.ts';
import { onFailure } from '../../../../platform/settled.ts';

/** `ask` runs when nothing fresh is known under `key`; a rejection is not remembered. */
export type Memo<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

export function createMemo<T>({ clock, ttlMs }: { clock: Pick<Clock, 'monotonic'>; ttlMs: number }): Memo<T> {
  const known = new Map<string, { readonly answer: Promise<T>; readonly until: number }>();
  return (key, ask) => {
    const now = clock.monotonic();
    for (const [old, { until }] of known) if (until <= now) known.delete(old);
    const fresh = known.get(key);
    if (fresh) return fresh.answer;
    const answer = ask();
    known.set(key, { answer, until: now + ttlMs });
    onFailure(answer, () => known.delete(key));
    return answer;
  };
}
