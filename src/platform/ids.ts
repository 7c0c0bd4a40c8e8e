/** Creates ids and digests: random where they must be unique, hashes where they must be stable. */
import { hash, randomBytes, randomUUID } from 'node:crypto';

/** 128 random bits as 32 lower-case hex characters; safe in file names and in session keys. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}

/** RFC 9562 version 4. */
export function uuid(): string {
  return randomUUID();
}

/**
 * RFC 9562 version 7, for what is kept in order of time: ids made later sort later, so that an index over them grows at
 * its end. Their first characters are the time, so they are no use in short.
 */
export function sortedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Node draws the bits of many of these at once. Behind its version, one of version 4 is random, as this one is.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** 8 lower-case hex characters: for people to read, not unique for ever. */
export function shortId(): string {
  return randomBytes(4).toString('hex');
}

/** 192 random bits as 48 hex characters: a credential. */
export function randomToken(): string {
  return randomBytes(24).toString('hex');
}

/** 64 lower-case hexadecimal digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
