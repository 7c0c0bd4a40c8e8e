/** Stores received files by content before their message is accepted, so that a crash loses none. */
import { dirname, join } from 'node:path';
import { extensionOf, kindOfMime } from '../core/media-type.ts';
import { AppError } from '../core/errors.ts';
import type { Attachment } from '../core/message.ts';
import { present } from '../core/present.ts';
import { KEPT_FILE_ID } from '../core/shown.ts';
import { listDir, removeIfExists, statIfExists, writeFileAtomic } from '../platform/files.ts';
import { sha256Hex } from '../platform/ids.ts';
import { readInside, readPart } from '../platform/read-inside.ts';

/** An attachment whose bytes are on disk. */
export interface StoredAttachment extends Attachment {
  readonly path: string;
}

export interface MediaStore {
  /** Where the files of all conversations lie. */
  readonly folder: string;
  /** Below it, what came in one conversation. */
  folderOf(sessionKey: string): string;
  /** Resolves once the bytes are on disk. Without a conversation it is nobody's in particular: the owner's alone. */
  keep(
    file: { readonly mime: string; readonly name?: string; readonly recorded?: true; readonly data: Uint8Array },
    sessionKey?: string,
  ): Promise<StoredAttachment>;
  /** A file that was kept before its conversation was known, as that one's own. Others stay as they are. */
  adopt(attachment: Attachment, sessionKey: string): Promise<Attachment>;
  /**
   * A part of a file of one conversation, by the name it was kept under, and its whole size. Rejects with `not_found`
   * for what it does not have, or has no more.
   */
  part(
    file: { readonly sessionKey: string; readonly id: string },
    part: { readonly offset: number; readonly bytes: number },
  ): Promise<{ readonly data: Buffer; readonly size: number }>;
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
  const folderOf = (sessionKey: string): string => join(folder, `of-${sha256Hex(sessionKey).slice(0, 24)}`);
  const self: MediaStore = {
    folder,
    folderOf,
    async keep({ mime, name, recorded, data }, sessionKey) {
      const path = join(
        sessionKey === undefined ? folder : folderOf(sessionKey),
        `${sha256Hex(data).slice(0, 32)}${ending(mime, name)}`,
      );
      const known = await statIfExists(path);
      if (known?.size !== data.length || now() - known.modifiedAt > FRESH_MS) await writeFileAtomic(path, data);
      return present({ kind: kindOfMime(mime), mime, path, size: data.length, name: name || undefined, recorded });
    },
    async adopt(attachment, sessionKey) {
      const { path, mime, name } = attachment;
      if (path === undefined || dirname(path) !== folder) return attachment;
      return {
        ...attachment,
        path: (
          await self.keep(
            { mime, data: await readInside(path, [folder], MAX_BYTES), ...present({ name: name || undefined }) },
            sessionKey,
          )
        ).path,
      };
    },
    async part({ sessionKey, id }, part) {
      if (!KEPT_FILE_ID.test(id)) throw new AppError('invalid', 'This is not a file id.');
      const own = folderOf(sessionKey);
      try {
        return await readPart(join(own, id), { base: own, roots: [own], oneNameIn: [own] }, part);
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found')
          throw new AppError('not_found', 'The file no longer exists, or belongs to another session.', {
            cause: error,
          });
        throw error;
      }
    },
    async prune(ageMs) {
      const folders = (await listDir(folder))
        .filter(({ kind, name }) => kind === 'directory' && name.startsWith('of-'))
        .map(({ name }) => join(folder, name));
      const counts = await Promise.all([folder, ...folders].map((one) => pruneFolder(one, now() - ageMs)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
  return self;
}

/** A channel's file is never larger. */
const MAX_BYTES = 512 * 1024 * 1024;

/** What nobody sent since then goes; answers how many. */
async function pruneFolder(folder: string, before: number): Promise<number> {
  let removed = 0;
  for (const { name, kind } of await listDir(folder)) {
    const path = join(folder, name);
    if (kind !== 'file' || ((await statIfExists(path))?.modifiedAt ?? Infinity) >= before) continue;
    await removeIfExists(path);
    removed++;
  }
  return removed;
}
