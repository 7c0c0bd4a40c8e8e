/** Checks the device in `connect`: its signature must match its key and this challenge. */
import type { ConnectErrorCode } from '../../protocol/errors.ts';
import type { ConnectParams } from '../../protocol/connect.ts';
import { checkProof, type ProofFault } from '../devices/identity.ts';
import type { Caller } from './caller.ts';
import { refusal, type Refusal } from './refusal.ts';

const FAULTS: Readonly<Record<ProofFault, readonly [ConnectErrorCode, string]>> = {
  'public-key': ['DEVICE_AUTH_PUBLIC_KEY_INVALID', 'device public key invalid'],
  'device-id': ['DEVICE_AUTH_DEVICE_ID_MISMATCH', 'device id does not match its public key'],
  stale: ['DEVICE_AUTH_SIGNATURE_EXPIRED', 'device signature expired: check the clock of this device'],
  nonce: ['DEVICE_AUTH_NONCE_MISMATCH', 'device nonce does not match this challenge'],
  signature: ['DEVICE_AUTH_SIGNATURE_INVALID', 'device signature invalid'],
};

/** The signed text covers what was asked for, word by word, so it is built from the raw parameters. */
export function checkDevice(
  params: ConnectParams,
  role: string,
  { caller, now }: { caller: Caller; now: number },
): Refusal | undefined {
  const { device, client, auth, scopes = [] } = params;
  if (!device) return undefined;
  const fault = checkProof(
    {
      deviceId: device.id,
      publicKey: device.publicKey,
      signature: device.signature,
      signedAt: device.signedAt,
      nonce: device.nonce,
      clientId: client.id,
      clientMode: client.mode,
      role,
      scopes,
      token: signedToken(auth),
      platform: client.platform,
      deviceFamily: client.deviceFamily,
    },
    { nonce: caller.challenge.nonce, now },
  );
  return fault && refusal(FAULTS[fault][1], FAULTS[fault][0]);
}

const signedToken = (auth: ConnectParams['auth']): string =>
  [auth?.token, auth?.deviceToken, auth?.bootstrapToken].map((token) => token?.trim()).find(Boolean) ?? '';
