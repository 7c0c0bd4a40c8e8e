/** Explains a refused `connect`: what happened, and what to do. Pure. */
import { record } from './record.ts';
import type { WireError } from './wire.ts';

export type ConnectFailure =
  | { readonly kind: 'credentials'; readonly reason: 'missing' | 'wrong' | 'limited'; readonly message: string }
  | { readonly kind: 'pairing'; readonly requestId?: string; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'retry'; readonly message: string; readonly retryAfterMs?: number };

const MISSING = new Set(['AUTH_REQUIRED', 'AUTH_TOKEN_MISSING', 'AUTH_PASSWORD_MISSING']);
const REFUSED = new Set([
  'PROTOCOL_MISMATCH',
  'CLIENT_VERSION_MISMATCH',
  'CONTROL_UI_ORIGIN_NOT_ALLOWED',
  'CONTROL_UI_BUILD_MISMATCH',
  'CONTROL_UI_DEVICE_IDENTITY_REQUIRED',
  'DEVICE_IDENTITY_REQUIRED',
]);

export function classifyConnectError(error: WireError): ConnectFailure {
  const details = record(error.details);
  const code = typeof details['code'] === 'string' ? details['code'] : '';
  const message = error.message;
  if (code === 'PAIRING_REQUIRED' || (error.code === 'NOT_PAIRED' && !REFUSED.has(code)))
    return {
      kind: 'pairing',
      message,
      ...(typeof details['requestId'] === 'string' ? { requestId: details['requestId'] } : {}),
    };
  if (REFUSED.has(code)) return { kind: 'refused', message };
  if (MISSING.has(code)) return { kind: 'credentials', reason: 'missing', message };
  if (code === 'AUTH_RATE_LIMITED') return { kind: 'credentials', reason: 'limited', message };
  if (code.startsWith('AUTH_') || code.startsWith('DEVICE_AUTH_'))
    return { kind: 'credentials', reason: 'wrong', message };
  return { kind: 'retry', message, ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }) };
}
