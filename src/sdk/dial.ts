/** Connects to a server with a line protocol. The code is loaded on first use. */
import type { Duplex } from 'node:stream';
import type { DialRequest } from '../platform/net/dial.ts';

export type { DialRequest } from '../platform/net/dial.ts';

/** Resolves once bytes can flow, under TLS once the server has proven its name. Rejects with `AppError`. */
export const dial = async (request: DialRequest): Promise<Duplex> =>
  (await import('../platform/net/dial.ts')).dial(request);

/**
 * For libraries that connect themselves: the certificates of a file (PEM), and those of the system. Rejects with
 * `invalid` where it cannot be read.
 */
export const trustedWith = async (file: string): Promise<string[]> =>
  (await import('../platform/net/dial.ts')).trustedWith(file);
