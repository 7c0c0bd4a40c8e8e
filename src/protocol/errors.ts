/** Protocol errors: codes, machine-readable details, and the conversion from `AppError`. */
import type { AppError, ErrorCode } from '../core/errors.ts';
import { present } from '../core/present.ts';

/** The codes of errors on the wire. */
export type WireErrorCode = 'INVALID_REQUEST' | 'FORBIDDEN' | 'NOT_PAIRED' | 'UNAVAILABLE';

/** An error as a response frame carries it. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
  readonly retryable?: boolean;
  /** Whole milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * `details.code` of a refused `connect`; clients decide by these whether to retry, ask for a token or wait for
 * approval.
 */
export type ConnectErrorCode =
  | 'AUTH_TOKEN_MISSING'
  | 'AUTH_TOKEN_MISMATCH'
  | 'AUTH_PASSWORD_MISSING'
  | 'AUTH_PASSWORD_MISMATCH'
  | 'AUTH_DEVICE_TOKEN_MISMATCH'
  | 'AUTH_BOOTSTRAP_TOKEN_INVALID'
  | 'AUTH_RATE_LIMITED'
  | 'CONTROL_UI_ORIGIN_NOT_ALLOWED'
  | 'CONTROL_UI_DEVICE_IDENTITY_REQUIRED'
  | 'DEVICE_IDENTITY_REQUIRED'
  | 'DEVICE_AUTH_DEVICE_ID_MISMATCH'
  | 'DEVICE_AUTH_SIGNATURE_EXPIRED'
  | 'DEVICE_AUTH_NONCE_MISMATCH'
  | 'DEVICE_AUTH_SIGNATURE_INVALID'
  | 'DEVICE_AUTH_PUBLIC_KEY_INVALID'
  | 'PAIRING_REQUIRED'
  | 'PROTOCOL_MISMATCH';

/** Why a device must be approved (again). */
export type PairingReason = 'not-paired' | 'role-upgrade' | 'scope-upgrade';

const CALLER_IS_WRONG = new Set<ErrorCode>([
  'invalid',
  'not_found',
  'conflict',
  'too_large',
  'context_overflow',
  'unsupported',
]);
const CALLER_MAY_NOT = new Set<ErrorCode>(['auth', 'denied']);

/** `details.reason` keeps our own, finer code. */
export function toWireError(error: AppError): WireError {
  return {
    code: wireCode(error.code),
    message: error.message || 'The request failed.',
    details: { reason: error.code, ...error.details },
    retryable: error.retryable,
    ...present({
      retryAfterMs: error.retryAfterMs !== undefined ? Math.max(0, Math.ceil(error.retryAfterMs)) : undefined,
    }),
  };
}

function wireCode(code: ErrorCode): WireErrorCode {
  if (CALLER_IS_WRONG.has(code)) return 'INVALID_REQUEST';
  return CALLER_MAY_NOT.has(code) ? 'FORBIDDEN' : 'UNAVAILABLE';
}

/** The error for parameters that do not fit the method. */
export const invalidRequest = (message: string, details?: unknown): WireError =>
  present({ code: 'INVALID_REQUEST', message, retryable: false, details });

/** The exact shape clients read the missing scope from. */
export const missingScope = (scope: string): WireError => ({
  code: 'FORBIDDEN',
  message: `missing scope: ${scope}`,
  retryable: false,
  details: { code: 'MISSING_SCOPE', missingScope: scope, requiredScopes: [scope] },
});
