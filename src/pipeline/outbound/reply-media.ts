/** Decides which of the files an answer names may be sent. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { MediaRef } from '../../core/reply.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { sha256Hex } from '../../platform/ids.ts';
import { statInside, statReachable, readInside } from '../../platform/read-inside.ts';
import { errnoOf } from '../../platform/storage-error.ts';
import { TELLING_BYTES, typeOfFile } from './file-type.ts';
import { head } from '../../core/cut.ts';

export interface ReplyMediaDeps {
  readonly log: Log;
  readonly home: string;
  /** Absolute; never sent, wherever they lie. */
  denied(): readonly string[];
}

/**
 * Where an agent works; in a sandbox its own folder, under the name it has there. `received`: folders of received files
 * it may send, absolute.
 */
export interface FilePlace {
  readonly workspace: string;
  readonly received: readonly string[];
  readonly shownAs?: string | undefined;
  readonly sandbox?: object | undefined;
}

/** A file that is not sent: what it was called, and why; fit for people to read. */
export interface RefusedFile {
  readonly name: string;
  readonly why: string;
}
export interface ReplyFiles {
  readonly files: readonly MediaRef[];
  readonly refused: readonly RefusedFile[];
}

/** What may not be sent is left out, and said: a model's word is no permission. */
export function createReplyMedia({ log, home, denied }: ReplyMediaDeps) {
  async function file(path: string, { workspace, received, shownAs, sandbox }: FilePlace): Promise<MediaRef> {
    // Its other names count too: a hard link to what is secret is as secret.
    const { path: real, facts } = await statReachable(path, {
      base: workspace,
      roots: [workspace, ...received],
      denied: denied(),
      ...(sandbox ? { shownAs } : { home }),
    });
    if (facts?.kind !== 'file') throw new AppError('not_found', 'File not found.');
    const { head } = await statInside(real, [dirname(real)], TELLING_BYTES);
    return { from: 'file', path: real, mime: await typeOfFile(head, { name: basename(real) }) };
  }

  async function one(ref: string, place: FilePlace): Promise<MediaRef | RefusedFile> {
    try {
      if (isAddress(ref)) return await publicUrl(ref);
      return await file(/^file:/i.test(ref) ? fileURLToPath(ref) : ref, place);
    } catch (error) {
      const { code, message } =
        error instanceof AppError
          ? error
          : asAppError(new AppError('invalid', 'It is neither a URL nor a path.', { cause: error }));
      log.warn('reply.media.refused', { ref: shortened(ref), code, reason: message });
      return {
        name: nameOf(ref),
        why: isAddress(ref)
          ? 'only public https addresses are'
          : code === 'not_found'
            ? 'the file does not exist'
            : 'only files of the workspace can be',
      };
    }
  }

  /** In the order they were named, each once. */
  return async (refs: readonly string[], place: FilePlace): Promise<ReplyFiles> => {
    const found = await Promise.all(refs.map((ref) => one(ref, place)));
    const files = found.flatMap((ref) => ('from' in ref ? [ref] : []));
    return {
      files: [...new Map(files.map((ref) => [ref.from === 'file' ? ref.path : ref.url, ref])).values()],
      refused: [...new Map(found.flatMap((ref) => ('from' in ref ? [] : [[`${ref.name}: ${ref.why}`, ref]]))).values()],
    };
  };
}

const isAddress = (ref: string): boolean => /^https?:/i.test(ref);

/** The fetcher looks again, at the address behind the name. */
export async function publicUrl(ref: string): Promise<Extract<MediaRef, { from: 'url' }>> {
  const url = URL.canParse(ref) ? new URL(ref) : undefined;
  if (url?.protocol !== 'https:') throw new AppError('denied', 'Only https URLs are allowed.');
  if (url.username || url.password) throw new AppError('denied', 'It holds credentials.');
  const [{ whyNotPublic }, { readHost, whyLocalName }] = await Promise.all([
    import('../../platform/net/guard/address.ts'),
    import('../../platform/net/guard/host-name.ts'),
  ]);
  const host = readHost(url.hostname);
  const why =
    host.kind === 'bad' ? host.why : host.kind === 'address' ? whyNotPublic(host.address) : whyLocalName(host.name);
  if (why !== undefined) throw new AppError('denied', `The host ${why}.`);
  return { from: 'url', url: url.href };
}

/** The same bytes are the same file, wherever they lie. */
export const fileMark = (data: Uint8Array): string => `sha256:${sha256Hex(data)}`;

/** Larger files are never taken for one that was sent. */
const MAX_COMPARED = 50 * 1024 * 1024;

/** Files without those that were sent to the chat already, by address or by bytes. */
export async function withoutSentFiles(
  files: readonly MediaRef[],
  sent: readonly string[],
): Promise<readonly MediaRef[]> {
  if (sent.length === 0) return files;
  const marks = await Promise.all(files.map(async (file) => (file.from === 'url' ? file.url : markOf(file.path))));
  return files.filter((_file, index) => !sent.includes(marks[index]!));
}

/** What cannot be read is found out when it is sent. */
async function markOf(path: string): Promise<string> {
  try {
    return fileMark(await readInside(path, [dirname(path)], MAX_COMPARED));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return '';
  }
}

/** The last part of it alone: the folders above are nobody's business in a chat. */
const nameOf = (ref: string): string =>
  head(
    visibleLine(
      ref
        .split(/[?#]/)[0]!
        .split(/[\\/]/)
        .findLast((part) => part !== '') ?? 'A file',
    ),
    100,
  );

/** Addresses may hold tokens behind the question mark. */
const shortened = (ref: string): string => head(ref.split('?')[0] ?? '', 200);
