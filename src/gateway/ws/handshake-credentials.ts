/** Checks the secret in `connect`: the shared token or password, or the token of the device. */
import type { ConnectParams } from '../../protocol/connect.ts';
import type { ConnectErrorCode } from '../../protocol/errors.ts';
import { isBrowserClient, type Role } from '../../protocol/client-info.ts';
import type { DeviceToken } from '../../host/devices.ts';
import type { Caller, HandshakeDeps } from './caller.ts';
import { refusal, type Refusal } from './refusal.ts';

/** `deviceToken` is set when it alone let the client in. */
export interface Credentials {
  readonly ok: true;
  readonly deviceToken?: DeviceToken;
  /** A one-time secret let it in: as a node, and as nothing else. */
  readonly invited?: true;
}

export function checkCredentials(
  params: ConnectParams,
  { role, caller, deps }: { role: Role; caller: Caller; deps: HandshakeDeps },
): Credentials | Refusal {
  const { ip, local } = caller.address;
  const wait = local ? undefined : deps.failedLogins.lockedFor(ip);
  if (wait !== undefined)
    return refusal('unauthorized: too many failed authentication attempts, retry later', 'AUTH_RATE_LIMITED', {
      details: { recommendedNextStep: 'wait_then_retry' },
      retryAfterMs: Math.ceil(wait),
    });

  const { token, password } = params.auth ?? {};
  const shared = deps.auth.checkShared({ token: token?.trim(), password });
  if (shared.ok) {
    deps.failedLogins.succeeded(ip);
    return { ok: true };
  }
  const own = ownToken(params, role, deps);
  if (own) return { ok: true, deviceToken: own };
  if (isInvited(params, role, deps)) return { ok: true, invited: true };

  const { deviceToken, bootstrapToken } = params.auth ?? {};
  if ((shared.reason === 'mismatch' || deviceToken || bootstrapToken) && !local) deps.failedLogins.failed(ip);
  return denied(params, { role, reason: shared.reason, deps });
}

/** Clients send a device token in either field. */
function ownToken({ device, auth }: ConnectParams, role: Role, { devices }: HandshakeDeps): DeviceToken | undefined {
  if (!device) return undefined;
  const candidates = [auth?.deviceToken, auth?.token].flatMap((token) => token?.trim() || []);
  return candidates.map((token) => devices.checkToken({ deviceId: device.id, role, token })).find(Boolean);
}

/** The device has proved its key by now: whoever else saw the secret cannot use it after that. */
function isInvited({ device, auth }: ConnectParams, role: Role, { devices }: HandshakeDeps): boolean {
  const secret = auth?.bootstrapToken?.trim();
  return Boolean(role === 'node' && device && secret && devices.takeInvite({ deviceId: device.id, secret }));
}

function denied(
  params: ConnectParams,
  { role, reason, deps }: { role: Role; reason: 'missing' | 'mismatch'; deps: HandshakeDeps },
): Refusal {
  const { token, deviceToken, bootstrapToken } = params.auth ?? {};
  if (bootstrapToken && !token && !deviceToken)
    return refusal(
      'unauthorized: this invitation has expired or was used by another device; ask for a new one',
      'AUTH_BOOTSTRAP_TOKEN_INVALID',
      { details: { recommendedNextStep: 'review_auth_configuration' } },
    );
  if (deviceToken && (!token || token === deviceToken))
    return refusal(
      'unauthorized: device token mismatch (rotate or re-approve this device)',
      'AUTH_DEVICE_TOKEN_MISMATCH',
      { details: { recommendedNextStep: 'update_auth_credentials' } },
    );
  const { mode } = deps.auth;
  const mayRetry = Boolean(params.device && !deviceToken && deps.devices.find(params.device.id)?.tokens[role]);
  return refusal(`unauthorized: gateway ${mode} ${reason} (${hint(params, mode)})`, CODES[mode][reason], {
    details: {
      canRetryWithDeviceToken: mayRetry,
      recommendedNextStep: mayRetry
        ? 'retry_with_device_token'
        : reason === 'missing'
          ? 'update_auth_configuration'
          : 'update_auth_credentials',
    },
  });
}

const CODES = {
  token: { missing: 'AUTH_TOKEN_MISSING', mismatch: 'AUTH_TOKEN_MISMATCH' },
  password: { missing: 'AUTH_PASSWORD_MISSING', mismatch: 'AUTH_PASSWORD_MISMATCH' },
} as const satisfies Record<string, Record<string, ConnectErrorCode>>;

/** Tells each kind of client where its secret is entered. */
function hint({ client }: ConnectParams, mode: 'token' | 'password'): string {
  if (isBrowserClient(client))
    return `open the address printed by the gateway, or enter the ${mode} in the Control UI settings`;
  if (client.mode === 'cli') return `set gateway.remote.${mode} to the value of gateway.auth.${mode}`;
  return `send the value of gateway.auth.${mode}`;
}
