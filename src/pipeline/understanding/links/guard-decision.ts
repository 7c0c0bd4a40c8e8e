/** The guard's word on a link, or that there was no time left to ask. */
import { asAppError } from '../../../core/errors.ts';
import type { NetGuard } from '../../../platform/net/guard/guard.ts';

/** `address`: the first the name resolves to. `late`: nothing is wrong with the link. */
export type GuardDecision =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly why: string; readonly late?: boolean };

export async function guardDecision(
  guard: Pick<NetGuard, 'check'>,
  url: string,
  signal: AbortSignal,
): Promise<GuardDecision> {
  try {
    const checked = await guard.check(url, signal);
    return checked.ok ? { ok: true, address: checked.addresses[0]!.address } : checked;
  } catch (error) {
    if (asAppError(error).code !== 'aborted') throw error;
    return { ok: false, why: 'budget: the time limit for links was reached', late: true };
  }
}
