/**
 * Checks the approval in `connect`: whether the device may have the requested role and scopes, or a person must approve
 * it first.
 */
import type { ConnectParams } from '../../protocol/connect.ts';
import type { Role } from '../../protocol/client-info.ts';
import { coversScopes, missingApproval, type DeviceToken, type PairingAttempt } from '../../host/devices.ts';
import type { Credentials } from './handshake-credentials.ts';
import type { Caller, HandshakeDeps } from './caller.ts';
import { pairingRefusal, type Refusal } from './refusal.ts';

export interface Paired {
  readonly ok: true;
  readonly deviceToken?: DeviceToken;
}

interface Context {
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly credentials: Credentials;
  readonly caller: Caller;
  readonly deps: HandshakeDeps;
}

export async function checkPairing(
  params: ConnectParams,
  { role, scopes, credentials, caller, deps }: Context,
): Promise<Paired | Refusal> {
  if (!params.device) return { ok: true };
  const { devices } = deps;
  const device = devices.find(params.device.id);
  const beyondToken = credentials.deviceToken !== undefined && !coversScopes(credentials.deviceToken.scopes, scopes);
  const reason = missingApproval(device, { role, scopes }) ?? (beyondToken ? 'scope-upgrade' : undefined);
  if (!reason) return { ok: true, deviceToken: await devices.issueToken(params.device.id, role) };

  const attempt = attemptOf(params, { role, scopes, ip: caller.address.ip });
  // Whoever knows the shared secret and sits at this machine could approve it anyway; an invitation is an approval.
  if (credentials.invited || (caller.address.local && !credentials.deviceToken)) {
    await devices.admit(attempt);
    return { ok: true, deviceToken: await devices.issueToken(params.device.id, role) };
  }
  const { requestId, deviceId } = await devices.request(attempt);
  return pairingRefusal(reason, {
    requestId,
    deviceId,
    requestedRole: role,
    requestedScopes: scopes,
    approvedRoles: device?.roles ?? [],
    approvedScopes: device?.scopes ?? [],
  });
}

function attemptOf(
  { device, client }: ConnectParams,
  { role, scopes, ip }: { role: Role; scopes: readonly string[]; ip: string },
): PairingAttempt {
  const facts = {
    displayName: client.displayName,
    platform: client.platform,
    deviceFamily: client.deviceFamily,
    remoteIp: ip || undefined,
  };
  return {
    deviceId: device!.id,
    publicKey: device!.publicKey,
    clientId: client.id,
    clientMode: client.mode,
    role,
    scopes: [...scopes],
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
  };
}
