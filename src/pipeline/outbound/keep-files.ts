/** Stores files for the web chat: loaded completely, typed by content and kept for their session. */
import { basename } from 'node:path';
import type { ChannelAccount } from '../../core/channel.ts';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { MediaRef } from '../../core/reply.ts';
import type { KeptFile } from '../../core/shown.ts';
import { visibleLine } from '../../core/visible-text.ts';
import type { MediaStore } from '../../sessions/media-store.ts';
import { TELLING_BYTES, typeOfFile } from './file-type.ts';
import type { RefusedFile } from './reply-media.ts';
import { head } from '../../core/cut.ts';

/** What the `message` tool takes too. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_NAME = 200;

export interface KeepFilesDeps {
  readonly media: Pick<MediaStore, 'keep'>;
  readonly log: Log;
  /** Judges anew what it opens. */
  readonly open: ChannelAccount<unknown>['open'];
}

/** A file whose bytes are here already. */
export interface ReadFile {
  readonly data: Uint8Array;
  readonly name?: string | undefined;
}

export type KeepFiles = ReturnType<typeof createKeepFiles>;

export function createKeepFiles({ media, log, open }: KeepFilesDeps) {
  async function keep({ data, name, mime: claimed }: ReadFile & { mime?: string }, key: string): Promise<KeptFile> {
    const called = head(visibleLine(basename(name?.trim() || 'file')), MAX_NAME);
    const mime = await typeOfFile(data.subarray(0, TELLING_BYTES), { name: called, mime: claimed });
    const { path } = await media.keep({ data, mime, name: called }, key);
    return { id: basename(path), name: called, mime, size: data.length };
  }

  const one = async (ref: MediaRef, sessionKey: string): Promise<KeptFile> =>
    keep(await open(ref, MAX_BYTES), sessionKey);

  return {
    /** All of them, or none: rejects with the first that cannot be had. */
    all: (refs: readonly MediaRef[], files: readonly ReadFile[], sessionKey: string): Promise<KeptFile[]> =>
      Promise.all([...refs.map((ref) => one(ref, sessionKey)), ...files.map((file) => keep(file, sessionKey))]),

    /** Those that can be had, and why others cannot. Never rejects. */
    async possible(
      refs: readonly MediaRef[],
      sessionKey: string,
    ): Promise<{ readonly kept: readonly KeptFile[]; readonly refused: readonly RefusedFile[] }> {
      const found = await Promise.all(
        refs.map((ref) =>
          one(ref, sessionKey).catch((error: unknown): RefusedFile => {
            const { code, message } = asAppError(error);
            log.warn('reply.media.refused', { code, reason: message });
            return { name: nameOf(ref), why: WHY[code] ?? 'it could not be read' };
          }),
        ),
      );
      return {
        kept: found.flatMap((file) => ('id' in file ? [file] : [])),
        refused: found.flatMap((file) => ('why' in file ? [file] : [])),
      };
    },
  };
}

/** Fit for people to read; the log has the rest. */
const WHY: Readonly<Record<string, string>> = {
  denied: 'it may not be sent',
  too_large: `it is larger than ${MAX_BYTES / 1024 / 1024} MB`,
  not_found: 'the file does not exist',
  timeout: 'its address did not answer in time',
  network: 'its address could not be reached',
  bad_response: 'its address did not return a file',
  storage: 'it could not be stored',
};

const nameOf = (ref: MediaRef): string =>
  visibleLine(ref.name ?? (basename(ref.from === 'file' ? ref.path : new URL(ref.url).pathname) || 'A file')).slice(
    0,
    100,
  );
