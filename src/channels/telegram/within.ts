/** Waits for work, and no longer than is said; leaves no timer behind. */
import type { Clock } from '../../sdk/index.ts';

export async function within(
  work: Promise<unknown>,
  { ms, clock }: { readonly ms: number; readonly clock: Clock },
): Promise<void> {
  const late = Promise.withResolvers<void>();
  using _timer = clock.setTimeout(() => late.resolve(), ms);
  await Promise.race([work, late.promise]);
}
