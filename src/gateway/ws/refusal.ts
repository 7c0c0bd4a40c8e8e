/** A refused connection: its message, error code and close code. */
import { present } from '../../core/present.ts';
import type { ConnectErrorCode, PairingReason, WireError, WireErrorCode } from '../../protocol/errors.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface Refusal {
  readonly ok: false;
  readonly error: WireError;
  readonly close: { readonly code: number; readonly reason: string };
}

/** Policy violation (RFC 6455 7.4.1): the usual close of a refused handshake. */
const POLICY = 1008;

export function refusal(
  message: string,
  code: ConnectErrorCode | undefined,
  more: { wire?: WireErrorCode; details?: Record<string, unknown>; close?: number; retryAfterMs?: number } = {},
): Refusal {
  const { wire = 'INVALID_REQUEST', details, close = POLICY, retryAfterMs } = more;
  const facts = { ...present({ code }), ...details };
  return {
    ok: false,
    error: present({
      code: wire,
      message,
      retryable: retryAfterMs !== undefined,
      details: Object.keys(facts).length > 0 ? facts : undefined,
      retryAfterMs,
    }),
    close: { code: close, reason: message },
  };
}

const REQUIREMENT: Readonly<Record<PairingReason, string>> = {
  'not-paired': 'device is not approved yet',
  'role-upgrade': 'device is asking for a higher role than currently approved',
  'scope-upgrade': 'device is asking for more scopes than currently approved',
};

export interface PairingFacts {
  readonly requestId: string;
  readonly deviceId: string;
  readonly requestedRole: string;
  readonly requestedScopes: readonly string[];
  readonly approvedRoles: readonly string[];
  readonly approvedScopes: readonly string[];
}

/** The request id lets the person at the device tell the operator which request is theirs. */
export function pairingRefusal(reason: PairingReason, facts: PairingFacts): Refusal {
  const message = `pairing required: ${REQUIREMENT[reason]}`;
  const remediationHint = `Run "${PUBLIC_COMMAND} devices approve ${facts.requestId}" on the gateway machine, then connect again.`;
  const refused = refusal(message, 'PAIRING_REQUIRED', {
    wire: 'NOT_PAIRED',
    details: { reason, ...facts, remediationHint },
  });
  return { ...refused, close: { code: POLICY, reason: `${message} (requestId: ${facts.requestId})` } };
}
