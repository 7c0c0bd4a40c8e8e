/** The one error class of the product; its codes are a closed union mapped to each transport at the edge. */

/**
 * Every code with the statuses it takes on each transport and what it means; the reference page is generated from here.
 */
export const ERROR_CODES = {
  auth: { http: 401, retryable: false, means: 'The caller is not authenticated.' },
  denied: { http: 403, retryable: false, means: 'The caller is authenticated but not allowed to do this.' },
  invalid: {
    http: 400,
    retryable: false,
    means: 'The input is malformed or out of range; the message names the field.',
  },
  not_found: { http: 404, retryable: false, means: 'The requested item does not exist.' },
  conflict: { http: 409, retryable: false, means: 'The item changed since it was read, or it already exists.' },
  too_large: { http: 413, retryable: false, means: 'The input exceeds a documented limit.' },
  rate_limited: { http: 429, retryable: true, means: 'Too many requests; retry after `retryAfterMs`.' },
  overloaded: { http: 529, retryable: true, means: 'The remote service is overloaded.' },
  context_overflow: { http: 400, retryable: false, means: "The conversation does not fit the model's context window." },
  timeout: { http: 504, retryable: true, means: 'The operation timed out.' },
  network: { http: 502, retryable: true, means: 'The connection failed or ended early.' },
  bad_response: { http: 502, retryable: true, means: 'The remote service returned an invalid response.' },
  unavailable: { http: 503, retryable: true, means: 'The gateway, or a part of it, is not accepting work right now.' },
  storage: { http: 507, retryable: false, means: 'The disk is full, read-only or damaged; nothing was accepted.' },
  unsupported: { http: 501, retryable: false, means: 'The operation is not supported here.' },
  aborted: { http: 499, retryable: false, means: 'The operation was cancelled.' },
  internal: { http: 500, retryable: false, means: 'A bug in the gateway.' },
} as const satisfies Record<string, { http: number; retryable: boolean; means: string }>;

/** What kind of error it is; `ERROR_CODES` says what each means and whether trying again may help. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Thrown when something we rely on did not do its part. Expected outcomes are returned, not thrown. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Milliseconds after which a retry may work, if the server said so. */
  readonly retryAfterMs: number | undefined;
  /** Machine-readable facts for the caller, never secrets. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details;
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/**
 * Whether the same may go well later without anybody mending it: a busy service, a full disk, an end that came along
 * with a restart.
 */
export function mayPass(error: unknown): boolean {
  const { code, retryable } = asAppError(error);
  return retryable || code === 'storage' || code === 'aborted';
}

/** Turns anything caught at a boundary into an `AppError`, once, keeping the cause. */
export function asAppError(error: unknown, fallback: ErrorCode = 'internal'): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new AppError('aborted', error.message, { cause: error });
  return new AppError(fallback, error instanceof Error ? error.message : String(error), { cause: error });
}
