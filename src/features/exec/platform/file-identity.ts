/** Which file a path names, beyond its name: device and inode, and a digest of what is in it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errnoOf, isMissing, storageError } from '../../../platform/storage-error.ts';

/** What tells one file from another whatever its name is. */
export interface FileIdentity {
  readonly kind: 'file' | 'directory' | 'other';
  /** `device:inode`, exact where numbers would round. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  /**
   * When content or attributes last changed, in nanoseconds as the system keeps it; nobody but it can set this back.
   */
  readonly changedAt: string;
}

const CHUNK_BYTES = 256 * 1024;

/** Symbolic links are followed; undefined when there is nothing. */
export async function identityOf(path: string): Promise<FileIdentity | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
    return { kind, id: `${found.dev}:${found.ino}`, size: Number(found.size), changedAt: String(found.ctimeNs) };
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'ELOOP' || errnoOf(error) === 'ENAMETOOLONG') return undefined;
    throw storageError('look at', path, error);
  }
}

/** SHA-256 in hex, read piece by piece so that the event loop turns in between; undefined when it may not be read. */
export async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (error) {
    if (isMissing(error) || ['EACCES', 'EPERM', 'EISDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw storageError('read', path, error);
  }
}
