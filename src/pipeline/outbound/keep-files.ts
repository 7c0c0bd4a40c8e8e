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
  /** Checks again what it opens. */
  readonly open: ChannelAccount<unknown>['open'];
}

/** A file whose bytes are here already. */
export interface ReadFile {
  readonly data: Uint8Array;
  readonly name?: string | undefined;
}

export type KeepFiles = ReturnType<typeof createKeepFiles>;

export function createKeepFiles({ media, log, open }: KeepFilesDeps) {
  async function store(
    { data, name, mime: claimed }: ReadFile & { mime?: string },
    key: string,
  ): Promise<KeptFile & { readonly path: string }> {
    const called = head(visibleLine(basename(name?.trim() || 'file')), MAX_NAME);
    const mime = await typeOfFile(data.subarray(0, TELLING_BYTES), { name: called, mime: claimed });
    const { path } = await media.keep({ data, mime, name: called }, key);
    return { id: basename(path), name: called, mime, size: data.length, path };
  }

  async function keep(file: ReadFile & { mime?: string }, key: string): Promise<KeptFile> {
    const { path: _ours, ...kept } = await store(file, key);
    return kept;
  }

  /** `got`: what came of each that could be had, in order. */
  async function each<T>(
    refs: readonly MediaRef[],
    take: (ref: MediaRef) => Promise<T>,
  ): Promise<{ readonly got: readonly T[]; readonly refused: readonly RefusedFile[] }> {
    const found = await Promise.all(
      refs.map((ref) =>
        take(ref).then(
          (file) => ({ file }),
          (error: unknown): { readonly refused: RefusedFile } => {
            const { code, message } = asAppError(error);
            log.warn('reply.media.refused', { code, reason: message });
            return { refused: { name: nameOf(ref), why: WHY[code] ?? 'it could not be read' } };
          },
        ),
      ),
    );
    return {
      got: found.flatMap((one) => ('file' in one ? [one.file] : [])),
      refused: found.flatMap((one) => ('refused' in one ? [one.refused] : [])),
    };
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
      const { got, refused } = await each(refs, (ref) => one(ref, sessionKey));
      return { kept: got, refused };
    },

    /**
     * Copies of the files of this machine in their order: what was allowed is what is sent, whatever becomes of the
     * originals meanwhile. Addresses stay what they are. Never rejects.
     */
    async copies(
      refs: readonly MediaRef[],
      sessionKey: string,
    ): Promise<{ readonly files: readonly MediaRef[]; readonly refused: readonly RefusedFile[] }> {
      const { got, refused } = await each(refs, async (ref): Promise<MediaRef> => {
        if (ref.from === 'url') return ref;
        const { path, mime, name } = await store(await open(ref, MAX_BYTES), sessionKey);
        return { from: 'file', path, mime, name };
      });
      return { files: got, refused };
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
