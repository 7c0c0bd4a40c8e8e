/** A file made out of an attachment, in the form of an attachment, so that every step takes it. */
import { AppError } from '../../../../../core/errors.ts';
import { readBytesIfExists, statIfExists } from '../../../../../platform/files.ts';
import type { AttachmentFile } from '../../../attachments.ts';

export interface Extract {
  readonly path: string;
  /** The attachment it was made of. */
  readonly from: AttachmentFile;
  readonly kind: 'image' | 'audio';
  readonly mime: string;
  readonly name: string;
}

/** Undefined when nothing was made. */
export async function extractedFile({ path, from, kind, mime, name }: Extract): Promise<AttachmentFile | undefined> {
  const size = (await statIfExists(path))?.size ?? 0;
  if (size === 0) return undefined;
  const bytes = async (maxBytes: number): Promise<Buffer> => {
    if (size > maxBytes) throw new AppError('too_large', `${name} has ${size} bytes, more than ${maxBytes}.`);
    const read = await readBytesIfExists(path);
    if (!read) throw new AppError('not_found', `${name} is gone already.`);
    return read;
  };
  return { index: from.index, kind, mime, name, size, trouble: undefined, path: async () => path, bytes };
}

/** Replaces a part that could not be made; its users get the reason. */
export function missingExtract({ from, kind, mime, name }: Omit<Extract, 'path'>, why: AppError): AttachmentFile {
  const refuse = (): Promise<never> => Promise.reject(why);
  return { index: from.index, kind, mime, name, size: undefined, trouble: why.message, path: refuse, bytes: refuse };
}
