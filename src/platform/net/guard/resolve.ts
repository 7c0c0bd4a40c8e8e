/** Names to addresses, as the system does it, with a limit on how long that may take. */
import { lookup } from 'node:dns/promises';
import { AppError } from '../../../core/errors.ts';

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
  const { signal } = limits;
  const failed = (): undefined => undefined;
  const stop = Promise.withResolvers<undefined>();
  const abort = (): void =>
    stop.reject(new AppError('aborted', `Looking up ${hostname} was stopped.`, { cause: signal?.reason }));
  const timer = setTimeout(() => stop.resolve(undefined), limits.timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await Promise.race([
      stop.promise,
      Promise.resolve()
        .then(() => resolve(hostname))
        .catch(failed),
    ]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
