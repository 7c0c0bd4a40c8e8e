/** Decodes and counts the files in a request. Their types are detected from the bytes. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { AttachmentParams } from '../../protocol/chat.ts';
import { refuse } from './method.ts';

export interface SentFile {
  readonly mime: string;
  readonly name?: string;
  readonly data: Uint8Array;
  /** Spoken into this message. */
  readonly recorded?: true;
}

/** `maxBytes` bounds all of them together. */
export function readFiles(attachments: readonly AttachmentParams[], maxBytes: number): readonly SentFile[] {
  let bytes = 0;
  return attachments.map((attachment, index) => {
    const label = attachment.fileName ?? `attachment ${index + 1}`;
    const data = decode(attachment.content, label);
    bytes += data.length;
    if (bytes > maxBytes) throw new AppError('too_large', `${label}: attachments are over ${maxBytes} bytes`);
    return present({
      mime: imageMime(data) ?? claimed(attachment.mimeType),
      data,
      name: attachment.fileName || undefined,
      recorded: attachment.recorded === true ? true : undefined,
    });
  });
}

function decode(content: unknown, label: string): Buffer {
  if (typeof content !== 'string') throw refuse(`${label}: content must be base64`);
  const base64 = content.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '');
  if (base64.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64))
    throw refuse(`${label}: content is not valid base64`);
  return Buffer.from(base64, 'base64');
}

/** A picture goes straight to a model that sees, so here already what a sender claims is not believed. */
function imageMime(data: Buffer): string | undefined {
  const head = data.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF....WEBP/s.test(head)) return 'image/webp';
  return /^....ftyp(heic|heix|mif1|avif)/s.test(head) ? `image/${head.endsWith('avif') ? 'avif' : 'heic'}` : undefined;
}

/** The bare type a sender gave; a picture that is none is just bytes. */
function claimed(mime = ''): string {
  const bare = mime.split(';', 1)[0]!.trim().toLowerCase();
  return /^[a-z]+\/[\w.+-]+$/.test(bare) && !bare.startsWith('image/') ? bare : 'application/octet-stream';
}
