/** Builds the `connect` request that answers a challenge. */
import { proofTextV3 } from '../../../src/protocol/device-proof.ts';
import { CAP_PRESENCE_CHANGES, CAP_TEXT_DELTAS } from '../../../src/protocol/client-info.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/version.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceIdentity } from './device-identity.ts';

/** Set by the build from package.json. */
declare const __VERSION__: string | undefined;

/** The published id of a browser control page, by which gateways choose hints and origin checks. */
const CLIENT = {
  id: 'openclaw-control-ui',
  mode: 'ui',
  platform: 'web',
  version: typeof __VERSION__ === 'string' ? __VERSION__ : 'unbuilt',
  displayName: 'Control UI',
} as const;
const ROLE = 'operator';
const SCOPES = ['operator.admin', 'operator.read', 'operator.write', 'operator.approvals', 'operator.pairing'];

export async function buildConnect({
  challenge,
  credentials,
  identity,
}: {
  readonly challenge: { readonly nonce: string; readonly ts: number };
  readonly credentials: Credentials;
  readonly identity: DeviceIdentity | undefined;
}): Promise<{ readonly params: object; readonly usedDeviceToken: boolean }> {
  const shared = credentials.sharedToken();
  const deviceToken = shared || !identity ? undefined : credentials.deviceToken();
  const token = shared ?? deviceToken;
  const device = identity && {
    id: identity.id,
    publicKey: identity.publicKey,
    signedAt: challenge.ts,
    nonce: challenge.nonce,
    signature: await identity.sign(
      proofTextV3({
        deviceId: identity.id,
        clientId: CLIENT.id,
        clientMode: CLIENT.mode,
        role: ROLE,
        scopes: SCOPES,
        signedAt: challenge.ts,
        token: token ?? '',
        nonce: challenge.nonce,
        platform: CLIENT.platform,
      }),
    ),
  };
  return {
    usedDeviceToken: deviceToken !== undefined,
    params: {
      minProtocol: PROTOCOL_VERSION,
      maxProtocol: PROTOCOL_VERSION,
      client: CLIENT,
      caps: ['tool-events', CAP_PRESENCE_CHANGES, CAP_TEXT_DELTAS],
      role: ROLE,
      scopes: SCOPES,
      ...(token ? { auth: { token, ...(deviceToken ? { deviceToken } : {}) } } : {}),
      ...(device ? { device } : {}),
      locale: globalThis.navigator?.language ?? 'en',
      userAgent: globalThis.navigator?.userAgent ?? 'unknown',
    },
  };
}
