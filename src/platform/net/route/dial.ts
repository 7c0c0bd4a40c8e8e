/** Connects to a target the guard checked: to one of its addresses, or through the configured proxy. */
import { AppError, asAppError } from '../../../core/errors.ts';
import { openSocket, type Connection, type Target } from './connection.ts';
import { failureCode } from '../fetch/retry.ts';
import { tunnelThrough } from './tunnel.ts';

/** Addresses tried of one host. */
const MAX_TRIES = 4;

/** Rejects with `AppError('network')`, or with the signal's reason. */
export async function dial(
  target: Target,
  options: { readonly upstream: URL | undefined; readonly signal: AbortSignal },
): Promise<Connection> {
  const { upstream, signal } = options;
  if (upstream) return tunnelThrough(upstream, target, signal);
  let failure: AppError | undefined;
  for (const { address } of target.addresses.slice(0, MAX_TRIES)) {
    try {
      return { socket: await openSocket({ host: address, port: target.port }, signal), address };
    } catch (error) {
      // What was thrown is one address that does not answer; the next one may.
      signal.throwIfAborted();
      failure = asAppError(error);
    }
  }
  throw new AppError('network', `${target.host} cannot be reached: ${failure?.message}`, {
    cause: failure,
    details: { code: failureCode(failure) },
  });
}
