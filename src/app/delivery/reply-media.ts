/** Files an answer names: which of them may be sent. */
import { fileURLToPath } from 'node:url';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { MEDIA_EXTENSIONS } from '../../core/media-type.ts';
import type { MediaRef } from '../../core/reply.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { statIfExists } from '../../platform/files.ts';
import { resolvePath } from '../../platform/inside.ts';

export interface ReplyMediaDeps {
  readonly log: Log;
  readonly home: string;
  /** Absolute; never sent, wherever they lie. */
  denied(): readonly string[];
}

/** Where an agent works; in a sandbox its own folder, under the name it has there. `received`: folders of received files it may send, absolute. */
export interface FilePlace { readonly workspace: string; readonly received: readonly string[]; readonly shownAs?: string | undefined; readonly sandbox?: object | undefined }

/** A file that is not sent: what it was called, and why; fit for people to read. */
export interface RefusedFile { readonly name: string; readonly why: string }
export interface ReplyFiles { readonly files: readonly MediaRef[]; readonly refused: readonly RefusedFile[] }

/** What may not be sent is left out, and said: a model's word is no permission. */
export function createReplyMedia({ log, home, denied }: ReplyMediaDeps) {
  async function file(path: string, { workspace, received, shownAs, sandbox }: FilePlace): Promise<MediaRef> {
    const real = await resolvePath(path, { base: workspace, roots: [workspace, ...received], denied: denied(), ...(sandbox ? { shownAs } : { home }) });
    if ((await statIfExists(real))?.kind !== 'file') throw new AppError('not_found', 'There is no such file.');
    return { from: 'file', path: real, mime: mimeOf(real) };
  }

  async function one(ref: string, place: FilePlace): Promise<MediaRef | RefusedFile> {
    try {
      if (isAddress(ref)) return await publicUrl(ref);
      return await file(/^file:/i.test(ref) ? fileURLToPath(ref) : ref, place);
    } catch (error) {
      const { code, message } = error instanceof AppError ? error : asAppError(new AppError('invalid', 'It is neither an address nor a path.', { cause: error }));
      log.warn('reply.media.refused', { ref: shortened(ref), code, reason: message });
      return { name: nameOf(ref), why: isAddress(ref) ? 'only public https addresses are' : code === 'not_found' ? 'there is no such file' : 'only files of the workspace can be' };
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
async function publicUrl(ref: string): Promise<MediaRef> {
  const url = URL.canParse(ref) ? new URL(ref) : undefined;
  if (url?.protocol !== 'https:') throw new AppError('denied', 'Only https addresses are sent.');
  if (url.username || url.password) throw new AppError('denied', 'It holds credentials.');
  const [{ whyNotPublic }, { readHost, whyLocalName }] = await Promise.all([import('../../platform/net/guard/address.ts'), import('../../platform/net/guard/host-name.ts')]);
  const host = readHost(url.hostname);
  const why = host.kind === 'bad' ? host.why : host.kind === 'address' ? whyNotPublic(host.address) : whyLocalName(host.name);
  if (why !== undefined) throw new AppError('denied', `The host ${why}.`);
  return { from: 'url', url: url.href };
}

const mimeOf = (path: string): string => MEDIA_EXTENSIONS[/\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';

/** The last part of it alone: the folders above are nobody's business in a chat. */
const nameOf = (ref: string): string => visibleLine(ref.split(/[?#]/)[0]!.split(/[\\/]/).findLast((part) => part !== '') ?? 'A file').slice(0, 100);

/** Addresses may hold tokens behind the question mark. */
const shortened = (ref: string): string => (ref.split('?')[0] ?? '').slice(0, 200);
