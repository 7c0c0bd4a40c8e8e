/**
 * The key pair of a device and its proof: the public key identifies the device, the signature answers one challenge.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { sha256Hex } from '../../platform/ids.ts';
import { proofTextV2, proofTextV3, type DeviceProof } from '../../protocol/device-proof.ts';

/** How far a device's clock may be off. */
const SIGNED_AT_TOLERANCE_MS = 10 * 60_000;
const RAW_KEY_BYTES = 32;
/** The fixed DER head of an Ed25519 public key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export interface DeviceIdentity {
  /** SHA-256 of the raw public key, hex. */
  readonly deviceId: string;
  /** Raw public key, base64url. */
  readonly publicKey: string;
  /** PKCS #8; never leaves the machine. */
  readonly privateKeyPem: string;
}

export function createDeviceIdentity(): DeviceIdentity {
  return identityOf(generateKeyPairSync('ed25519').privateKey);
}

/** Reads a stored private key. Not an Ed25519 key: throws. */
export function deviceIdentityFromPem(privateKeyPem: string): DeviceIdentity {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return identityOf(key);
}

function identityOf(key: KeyObject): DeviceIdentity {
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_BYTES);
  return {
    deviceId: sha256Hex(raw),
    publicKey: raw.toString('base64url'),
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

export const signProof = (identity: DeviceIdentity, proof: DeviceProof): string =>
  sign(null, Buffer.from(proofTextV3(proof)), identity.privateKeyPem).toString('base64url');

export type ProofFault = 'public-key' | 'device-id' | 'stale' | 'nonce' | 'signature';

export interface PresentedProof extends DeviceProof {
  readonly publicKey: string;
  readonly signature: string;
}

/** What is wrong with the proof, or undefined. `nonce` and `now` are ours. */
export function checkProof(
  presented: PresentedProof,
  ours: { readonly nonce: string; readonly now: number },
): ProofFault | undefined {
  const raw = Buffer.from(presented.publicKey, 'base64url');
  if (raw.length !== RAW_KEY_BYTES) return 'public-key';
  if (sha256Hex(raw) !== presented.deviceId) return 'device-id';
  if (Math.abs(ours.now - presented.signedAt) > SIGNED_AT_TOLERANCE_MS) return 'stale';
  if (presented.nonce !== ours.nonce) return 'nonce';
  const key = publicKey(raw);
  if (!key) return 'public-key';
  const signature = Buffer.from(presented.signature, 'base64url');
  const signed = [proofTextV3(presented), proofTextV2(presented)].some((text) =>
    verify(null, Buffer.from(text), key, signature),
  );
  return signed ? undefined : 'signature';
}

function publicKey(raw: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
  } catch (error) {
    if (!(error instanceof Error && /asymmetric key/.test(error.message))) throw error;
    // Thirty-two bytes that are not a point on the curve.
    return undefined;
  }
}
