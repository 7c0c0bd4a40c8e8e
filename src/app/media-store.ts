/** Files that came with messages, kept by content before the message is accepted, so that a crash loses none. */
import { join } from 'node:path';
import type { Attachment } from '../core/message.ts';
import { statIfExists, writeFileAtomic } from '../platform/files.ts';
import { sha256Hex } from '../platform/ids.ts';

export interface MediaStore {
  /** Resolves once the bytes are on disk. */
  keep(file: { readonly mime: string; readonly name?: string; readonly data: Uint8Array }): Promise<Attachment>;
}

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/gif': '.gif', 'image/webp': '.webp' };

export function createMediaStore(stateDir: string): MediaStore {
  const folder = join(stateDir, 'media', 'inbound');
  return {
    async keep({ mime, name, data }) {
      const path = join(folder, `${sha256Hex(data).slice(0, 32)}${EXTENSIONS[mime] ?? ''}`);
      if ((await statIfExists(path))?.size !== data.length) await writeFileAtomic(path, data);
      return { kind: kindOf(mime), mime, path, size: data.length, ...(name ? { name } : {}) };
    },
  };
}

function kindOf(mime: string): Attachment['kind'] {
  const [type] = mime.split('/', 1);
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
}
