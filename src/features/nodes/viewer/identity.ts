/** The key pair of this browser as a node: created once, with a private key that scripts cannot read. */
import type { NodeStorage } from './node-storage.ts';

export interface Identity {
  /** SHA-256 of the raw public key, hex. */
  readonly id: string;
  /** Raw public key, base64url. */
  readonly publicKey: string;
  sign(text: string): Promise<string>;
}

/** Rejects if the browser does not support Ed25519. */
export async function loadIdentity(keeping: NodeStorage): Promise<Identity> {
  const keys = (await keeping.read('keys')) ?? (await createKeys(keeping));
  const raw = await crypto.subtle.exportKey('raw', keys.publicKey);
  return {
    id: hex(await crypto.subtle.digest('SHA-256', raw)),
    publicKey: base64Url(raw),
    sign: async (text) =>
      base64Url(await crypto.subtle.sign('Ed25519', keys.privateKey, new TextEncoder().encode(text))),
  };
}

async function createKeys(keeping: NodeStorage): Promise<CryptoKeyPair> {
  const keys = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
  await keeping.write('keys', keys);
  return keys;
}

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
