/** Decides which connection failures are retried, and after which delay. */
import { backoff } from '../../../core/backoff.ts';
import { AppError } from '../../../core/errors.ts';

/** How often a download is tried again. */
export const MAX_RETRIES = 3;
const SHORTEST_MS = 500;
const LONGEST_MS = 3000;

/** The server never saw the request, or dropped it before answering. */
const PASSING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code the system or the client library gave the failure, however deep it lies. */
export function failureCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  if (error instanceof AppError)
    return typeof error.details?.['code'] === 'string' ? error.details['code'] : failureCode(error.cause, depth + 1);
  if ('code' in error && typeof error.code === 'string') return error.code;
  // The client library's parser gives most of its errors no code.
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : failureCode(error.cause, depth + 1);
}

/** Whether the same request may work a moment later. */
export function isPassing(error: unknown): boolean {
  return PASSING.has(failureCode(error));
}

/**
 * Milliseconds before try number `attempt` (1 is the first retry): from half a second to three, at random below a
 * doubling limit.
 */
export function retryDelay(attempt: number, random: () => number): number {
  const limit = backoff({ first: SHORTEST_MS, max: LONGEST_MS }, attempt);
  return Math.round(SHORTEST_MS + random() * (limit - SHORTEST_MS));
}
