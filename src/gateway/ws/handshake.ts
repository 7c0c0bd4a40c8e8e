/** Handles `connect`: runs the checks before admission in order; the first failed one ends the handshake. */
import { present } from '../../core/present.ts';
import { isBrowserClient, ROLES, type Role } from '../../protocol/client-info.ts';
import { connectParams, type ConnectParams } from '../../protocol/connect.ts';
import { describeProblem } from '../../protocol/fields.ts';
import { agreeOnProtocol, PROTOCOL_VERSION } from '../../protocol/version.ts';
import { isScope, type DeviceToken } from '../../host/devices.ts';
import type { Caller, HandshakeDeps } from './caller.ts';
import type { Peer } from './connection.ts';
import { checkCredentials } from './handshake-credentials.ts';
import { checkDevice } from './handshake-device.ts';
import { checkPairing } from './handshake-pairing.ts';
import { refusal, type Refusal } from './refusal.ts';

export type Admission = { readonly ok: true; readonly peer: Peer; readonly deviceToken?: DeviceToken } | Refusal;

export async function admit(rawParams: unknown, caller: Caller, deps: HandshakeDeps): Promise<Admission> {
  const parsed = connectParams.safeParse(rawParams);
  if (!parsed.success) return refusal(`invalid connect params: ${describeProblem(parsed.error)}`, undefined);
  const params = parsed.data;

  const protocol = checkProtocol(params);
  if (typeof protocol !== 'number') return protocol;
  const role = ROLES.find((known) => known === (params.role ?? 'operator'));
  if (!role) return refusal(`invalid role "${String(params.role).slice(0, 40)}": use operator or node`, undefined);
  const refused =
    checkPhase(deps) ??
    checkOrigin(caller, deps) ??
    checkDevicePresence(params, role, deps) ??
    checkDevice(params, role, { caller, now: deps.clock.now() });
  if (refused) return refused;

  const credentials = checkCredentials(params, { role, caller, deps });
  if (!credentials.ok) return credentials;
  // Without scopes an operator asks for everything it could have: all with the shared secret, its own with a device
  // token.
  const scopes =
    role === 'node' ? [] : (params.scopes ?? credentials.deviceToken?.scopes ?? ['operator.admin']).filter(isScope);
  const pairing = await checkPairing(params, { role, scopes, credentials, caller, deps });
  if (!pairing.ok) return pairing;
  return {
    ok: true,
    peer: peerOf(params, { role, scopes, protocol, caller, deps }),
    ...present({ deviceToken: pairing.deviceToken }),
  };
}

function checkProtocol(params: ConnectParams): number | Refusal {
  const mayLag = params.client.mode === 'probe' || (params.role === 'node' && params.client.mode === 'node');
  const { minProtocol, maxProtocol } = params;
  return (
    agreeOnProtocol({ minProtocol, maxProtocol, mayLag }) ??
    refusal('protocol mismatch', 'PROTOCOL_MISMATCH', {
      details: { expectedProtocol: PROTOCOL_VERSION, clientMinProtocol: minProtocol, clientMaxProtocol: maxProtocol },
      close: 1002,
    })
  );
}

/** The detail and the close code are what clients wait and retry on. */
function checkPhase({ services }: HandshakeDeps): Refusal | undefined {
  const { phase } = services.status();
  if (phase === 'starting')
    return refusal('gateway starting', undefined, {
      wire: 'UNAVAILABLE',
      details: { reason: 'startup-sidecars' },
      close: 1013,
      retryAfterMs: 500,
    });
  if (phase === 'draining')
    return refusal('gateway is shutting down', undefined, {
      wire: 'UNAVAILABLE',
      details: { reason: 'draining' },
      close: 1012,
      retryAfterMs: 1000,
    });
  return undefined;
}

/** Browsers tell which page is asking; a page of another site may not, whatever it knows. */
function checkOrigin({ request }: Caller, { services }: HandshakeDeps): Refusal | undefined {
  const { origin, host } = request.headers;
  if (origin === undefined) return undefined;
  const allowed = services.gatewayConfig().controlUi.allowedOrigins;
  if (allowed.includes(origin) || (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()))
    return undefined;
  return refusal('origin not allowed: add it to gateway.controlUi.allowedOrigins', 'CONTROL_UI_ORIGIN_NOT_ALLOWED');
}

function checkDevicePresence(params: ConnectParams, role: Role, { services }: HandshakeDeps): Refusal | undefined {
  if (params.device) return undefined;
  const hasSecret = Boolean(params.auth?.token ?? params.auth?.password);
  if (role === 'operator' && isBrowserClient(params.client)) {
    if (hasSecret && services.gatewayConfig().controlUi.allowInsecureAuth) return undefined;
    return refusal('control ui requires HTTPS or localhost (secure context)', 'CONTROL_UI_DEVICE_IDENTITY_REQUIRED', {
      wire: 'NOT_PAIRED',
    });
  }
  if (role === 'operator' && hasSecret) return undefined;
  return refusal('device identity required: send a device identity, or the gateway token', 'DEVICE_IDENTITY_REQUIRED', {
    wire: 'NOT_PAIRED',
  });
}

function peerOf(
  params: ConnectParams,
  {
    role,
    scopes,
    protocol,
    caller,
    deps,
  }: { role: Role; scopes: readonly string[]; protocol: number; caller: Caller; deps: HandshakeDeps },
): Peer {
  const deviceId = params.device?.id;
  const { buildId: _buildId, ...client } = params.client;
  return {
    connId: caller.connId,
    role,
    scopes,
    protocol,
    client,
    principal:
      role === 'node'
        ? { kind: 'node', id: deviceId ?? caller.connId }
        : { kind: 'operator', id: deviceId ?? caller.connId, scopes },
    caps: params.caps ?? [],
    offers: {
      caps: params.caps ?? [],
      commands: params.commands ?? [],
      permissions: params.permissions ?? {},
      ...present({ pathEnv: params.pathEnv }),
    },
    ip: caller.address.ip,
    local: caller.address.local,
    connectedAt: deps.clock.now(),
    ...present({ deviceId: deviceId || undefined }),
  };
}
