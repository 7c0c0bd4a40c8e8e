/** Files that came with messages, kept by content before the message is accepted, so that a crash loses none. */
import { join } from 'node:path';
import { extensionOf, kindOfMime } from '../core/media-type.ts';
import type { Attachment } from '../core/message.ts';
import { listDir, removeIfExists, statIfExists, writeFileAtomic } from '../platform/files.ts';
import { sha256Hex } from '../platform/ids.ts';

/** An attachment whose bytes are on disk. */
export interface StoredAttachment extends Attachment { readonly path: string }

export interface MediaStore {
  /** Where the files lie. */
  readonly folder: string;
  /** Resolves once the bytes are on disk. */
  keep(file: { readonly mime: string; readonly name?: string; readonly data: Uint8Array }): Promise<StoredAttachment>;
  /** Removes files nobody sent for `ageMs`; answers how many. Transcripts carry their pictures themselves. */
  prune(ageMs: number): Promise<number>;
}

/** Programs tell files apart by their ending; what a type does not say, the given name may. */
function ending(mime: string, name = ''): string {
  const extension = extensionOf(mime);
  return extension ? `.${extension}` : (/\.[a-z0-9]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? '');
}

/** A file sent again is written again when it is older than this, so that its age tells when it was last sent. */
const FRESH_MS = 24 * 3_600_000;

export function createMediaStore(stateDir: string, now: () => number = Date.now): MediaStore {
  const folder = join(stateDir, 'media', 'inbound');
  return {
    folder,
    async keep({ mime, name, data }) {
      const path = join(folder, `${sha256Hex(data).slice(0, 32)}${ending(mime, name)}`);
      const known = await statIfExists(path);
      if (known?.size !== data.length || now() - known.modifiedAt > FRESH_MS) await writeFileAtomic(path, data);
      return { kind: kindOfMime(mime), mime, path, size: data.length, ...(name ? { name } : {}) };
    },
    async prune(ageMs) {
      let removed = 0;
      for (const { name } of await listDir(folder)) {
        const path = join(folder, name);
        if (now() - ((await statIfExists(path))?.modifiedAt ?? Infinity) <= ageMs) continue;
        await removeIfExists(path);
        removed++;
      }
      return removed;
    },
  };
}
