/** Opens a ZIP file in memory: its entries, and the content of one entry up to a limit, whatever its header says. */
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { readAtMost } from '../../platform/bounded-body.ts';
import { Unreadable } from '../document.ts';

export interface OpenZip {
  readonly entries: readonly Entry[];
  /** There are more than are listed. */
  readonly hasMore: boolean;
  readonly entryCount: number;
  /**
   * The entry's bytes; `Unreadable('bomb')` when there are more than `maxBytes`, undefined when there is no such entry.
   */
  content(name: string, maxBytes?: number): Promise<Buffer | undefined>;
}

export const MAX_ENTRIES = 2000;
/** Of one part of an office file; text of thousands of pages is smaller. */
const MAX_PART = 64 * 1024 * 1024;
/** Of all parts together. */
const MAX_ALL = 128 * 1024 * 1024;

export async function openZip(bytes: Uint8Array): Promise<OpenZip> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: false,
  });
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length === MAX_ENTRIES) break;
  }
  let room = MAX_ALL;
  return {
    entries,
    entryCount: zip.entryCount,
    hasMore: zip.entryCount > entries.length,
    async content(name, maxBytes = MAX_PART) {
      const entry = entries.find(({ fileName }) => fileName === name);
      if (!entry) return undefined;
      if (entry.isEncrypted()) throw new Unreadable('encrypted', 'It is protected with a password.');
      const content = await inflate(zip, entry, Math.min(maxBytes, room));
      room -= content.length;
      return content;
    },
  };
}

async function inflate(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  const bomb = (): Unreadable =>
    new Unreadable('bomb', `It unpacks to more than ${Math.round(maxBytes / 1024 / 1024)} MiB; it is not read.`);
  if (entry.uncompressedSize > maxBytes) throw bomb();
  const { bytes, whole } = await readAtMost(await zip.openReadStreamPromise(entry), maxBytes);
  if (!whole) throw bomb();
  return bytes;
}
