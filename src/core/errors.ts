/** The one error class of the product; its codes are a closed union mapped to each transport at the edge. */

/**
 * Every code with the statuses it takes on each transport and what it means; the reference page is generated from here.
 */
export const ERROR_CODES = {
  auth: { http: 401, retryable: false, means: 'The caller did not prove who it is.' },
  denied: { http: 403, retryable: false, means: 'The caller is known but may not do this.' },
  invalid: {
    http: 400,
    retryable: false,
    means: 'The input is malformed or out of range; the message names the field.',
  },
  not_found: { http: 404, retryable: false, means: 'The thing named does not exist.' },
  conflict: { http: 409, retryable: false, means: 'It changed since it was read, or it exists already.' },
  too_large: { http: 413, retryable: false, means: 'The input is over a documented limit.' },
  rate_limited: { http: 429, retryable: true, means: 'Too many requests; try again after `retryAfterMs`.' },
  overloaded: { http: 529, retryable: true, means: 'The other side is overloaded.' },
  context_overflow: { http: 400, retryable: false, means: "The conversation does not fit the model's context window." },
  timeout: { http: 504, retryable: true, means: 'No answer in time.' },
  network: { http: 502, retryable: true, means: 'The connection failed or ended early.' },
  bad_response: { http: 502, retryable: true, means: 'The other side answered something that makes no sense.' },
  unavailable: { http: 503, retryable: true, means: 'The gateway or a part of it cannot take work now.' },
  storage: { http: 507, retryable: false, means: 'The disk is full, read-only or damaged; nothing was accepted.' },
  unsupported: { http: 501, retryable: false, means: 'This cannot be done here.' },
  aborted: { http: 499, retryable: false, means: 'Somebody stopped it.' },
  internal: { http: 500, retryable: false, means: 'A fault of ours.' },
} as const satisfies Record<string, { http: number; retryable: boolean; means: string }>;

/** What kind of error it is; `ERROR_CODES` says what each means and whether trying again may help. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Thrown when something we rely on did not do its part. Expected outcomes are returned, not thrown. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Milliseconds after which a retry may work, when the other side said so. */
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
