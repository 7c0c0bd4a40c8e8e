/** Resolves names to addresses with the system resolver and a timeout. */
import { lookup } from 'node:dns/promises';
import { orAborted, within } from '../../timeout.ts';

/** One address of a name. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every A and AAAA record of a name; empty or rejecting when there is none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The system's resolver, its hosts file included. */
export const systemResolve: Resolve = async (hostname) => {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * The answer, or undefined for none, an error, or none in time. Rejects with `AppError('aborted')` when the signal
 * fires.
 */
export async function resolveWithin(
  resolve: Resolve,
  hostname: string,
  limits: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<readonly ResolvedAddress[] | undefined> {
  const failed = (): undefined => undefined;
  const lookup = Promise.resolve()
    .then(() => resolve(hostname))
    .catch(failed);
  const { signal, timeoutMs: ms } = limits;
  return within(orAborted(lookup, signal, `Looking up ${hostname} was stopped.`), { ms, otherwise: undefined });
}
