/** The failures of a download. */
import { AppError } from '../../../core/errors.ts';
import type { Reached } from '../../../core/understanding.ts';
import { failureCode } from './retry.ts';

/** Parser and decompression errors: the server answered, but not in a readable way. */
const UNREADABLE = /^(HPE_|Z_|ERR__ERROR|ERR_BROTLI)/;

/** Ours as it is, the client library's by its code; `details.reached` says how far it came. */
export function fetchFailure(
  error: unknown,
  { url, reached }: { readonly url: URL; readonly reached: readonly Reached[] },
): AppError {
  const ours = error instanceof AppError || !(error instanceof Error) ? error : error.cause;
  if (ours instanceof AppError)
    return new AppError(ours.code, ours.message, { cause: ours.cause, details: { ...ours.details, reached } });
  const code = failureCode(error);
  const options = { cause: error, details: { reached } };
  if (code !== undefined && UNREADABLE.test(code))
    return new AppError('bad_response', `${url.host} returned an invalid HTTP response (${code}).`, options);
  return new AppError(
    'network',
    `The connection to ${url.host} failed${code === undefined ? '' : ` (${code})`}.`,
    options,
  );
}
