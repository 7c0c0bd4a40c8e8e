/** This browser's Ed25519 key: the private key never leaves WebCrypto; the record is stored in IndexedDB. */

export interface DeviceIdentity {
  /** SHA-256 of the raw public key, hex. */
  readonly id: string;
  /** Raw public key, base64url. */
  readonly publicKey: string;
  sign(payload: string): Promise<string>;
}

export function base64Url(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Undefined where WebCrypto (insecure origin), Ed25519 or IndexedDB (private window) is missing: the gateway then
 * decides by token alone.
 */
export async function loadDeviceIdentity(): Promise<DeviceIdentity | undefined> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return undefined;
  try {
    return await identityOf(await loadOrCreateKeys());
  } catch (cause) {
    console.info('This browser cannot store a device key; only the token is used to sign in.', cause);
    return undefined;
  }
}

async function identityOf(keys: CryptoKeyPair): Promise<DeviceIdentity> {
  const raw = await crypto.subtle.exportKey('raw', keys.publicKey);
  return {
    id: hex(await crypto.subtle.digest('SHA-256', raw)),
    publicKey: base64Url(raw),
    sign: async (payload) =>
      base64Url(await crypto.subtle.sign('Ed25519', keys.privateKey, new TextEncoder().encode(payload))),
  };
}

async function loadOrCreateKeys(): Promise<CryptoKeyPair> {
  const database = await openDatabase();
  try {
    const stored = await asPromise<CryptoKeyPair | undefined>(
      database.transaction('keys').objectStore('keys').get('device'),
    );
    if (stored) return stored;
    const created = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
    await asPromise(database.transaction('keys', 'readwrite').objectStore('keys').put(created, 'device'));
    return created;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open('clawdbot', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  return asPromise(opening);
}

const asPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
  });
