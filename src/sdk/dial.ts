/** A connection to a server that speaks lines; what it takes is loaded by the first one. */
import type { Duplex } from 'node:stream';
import type { DialRequest } from '../platform/net/dial.ts';

export type { DialRequest } from '../platform/net/dial.ts';

/** Resolves once bytes can flow, under TLS once the server has proven its name. Rejects with `AppError`. */
export const dial = async (request: DialRequest): Promise<Duplex> =>
  (await import('../platform/net/dial.ts')).dial(request);
