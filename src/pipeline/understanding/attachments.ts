/** The files of one message: fetched at most once, however many steps look at them, and told apart by their bytes. */
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Attachment } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { readInside } from '../../platform/read-inside.ts';
import { findSource, type Source, type SourceDeps } from './attachment-source.ts';
import { inParallel } from './in-parallel.ts';
import { sizeText } from '../../core/size-text.ts';

/** One attachment as the steps see it. */
export interface AttachmentFile {
  /** Place in the message. */
  readonly index: number;
  readonly kind: 'image' | 'audio' | 'video' | 'document';
  /** Bare `type/subtype`: what the bytes show, else what was claimed. */
  readonly mime: string;
  /** A plain file name: no folders, no control characters. */
  readonly name: string;
  /** Bytes, when known before reading. */
  readonly size: number | undefined;
  /** Why it cannot be had at all (blocked, gone, too large, timed out); `path` and `bytes` reject with the same. */
  readonly trouble: string | undefined;
  /** Absolute path of a local copy. */
  path(): Promise<string>;
  /** `AppError('too_large')` when it is bigger. */
  bytes(maxBytes: number): Promise<Buffer>;
}

export interface AttachmentDeps extends SourceDeps {
  readonly log: Log;
}

export interface OpenAttachments extends AsyncDisposable {
  /** In the order of the message; each is present, with `trouble` if it is unavailable. */
  readonly files: readonly AttachmentFile[];
  /** The message's attachments with path, type, size and kind as found. */
  resolved(): readonly Attachment[];
}

/** Looks at every file of the message, downloading what is still elsewhere. Rejects only with `aborted`. */
export async function openAttachments(
  attachments: readonly Attachment[],
  deps: AttachmentDeps,
): Promise<OpenAttachments> {
  const sources = await inParallel(attachments, DOWNLOADS, (attachment, index) => findSource(attachment, index, deps));
  sources.forEach(
    ({ trouble, kind }, index) =>
      trouble &&
      deps.log.warn('attachments.trouble', {
        index,
        kind,
        code: trouble.code,
        why: asAppError(trouble.cause ?? trouble).message,
      }),
  );
  const closed = new AbortController();
  return {
    files: sources.map((source, index) => fileOf(source, index, closed.signal)),
    resolved: () => sources.map((source, index) => resolvedOf(attachments[index]!, source)),
    async [Symbol.asyncDispose]() {
      closed.abort();
    },
  };
}

/** Downloads of one message at the same time. */
const DOWNLOADS = 2;

function fileOf(source: Source, index: number, closed: AbortSignal): AttachmentFile {
  const { kind, mime, name, size } = source;
  const located = () => {
    if (closed.aborted)
      throw new AppError(
        'aborted',
        `The attachments of the message are already closed; ${name} was requested too late.`,
      );
    if (source.trouble) throw source.trouble;
    return source;
  };
  return {
    index,
    kind,
    mime,
    name,
    size,
    trouble: source.trouble?.message,
    path: async () => located().path,
    async bytes(maxBytes) {
      const { path, roots, size: known } = located();
      if (known > maxBytes) throw new AppError('too_large', `it is larger than ${sizeText(maxBytes)}`);
      return readInside(path, roots, maxBytes);
    },
  };
}

/** The path is one that was checked, or none: what cannot be had shall not be opened by somebody later. */
function resolvedOf({ path: _asSent, ...sent }: Attachment, { kind, mime, name, ...found }: Source): Attachment {
  return { ...sent, kind, mime, name, ...present({ size: found.size, path: found.trouble ? undefined : found.path }) };
}
