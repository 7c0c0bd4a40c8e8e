/** Files that come inside a request: decoded, counted, and told apart. */
import { AppError } from '../../core/errors.ts';
import type { AttachmentParams } from '../../protocol/chat.ts';
import { refuse } from './method.ts';

export interface ReadAttachments {
  readonly images: readonly { readonly mime: string; readonly name?: string; readonly data: Uint8Array }[];
  /** One sentence for each file that was left out. */
  readonly dropped: readonly string[];
}

/** Only images travel this way; `maxBytes` bounds all of them together. */
export function readImages(attachments: readonly AttachmentParams[], maxBytes: number): ReadAttachments {
  const images: ReadAttachments['images'][number][] = [];
  const dropped: string[] = [];
  let bytes = 0;
  for (const [index, attachment] of attachments.entries()) {
    const label = attachment.fileName ?? `attachment ${index + 1}`;
    const data = decode(attachment.content, label);
    bytes += data.length;
    if (bytes > maxBytes) throw new AppError('too_large', `${label}: attachments are over ${maxBytes} bytes`);
    const mime = imageMime(data);
    if (mime) images.push({ mime, data, ...(attachment.fileName ? { name: attachment.fileName } : {}) });
    else dropped.push(`${label} was left out: it is not an image this gateway reads`);
  }
  return { images, dropped };
}

function decode(content: unknown, label: string): Buffer {
  if (typeof content !== 'string' || content === '') throw refuse(`${label}: content must be base64`);
  const base64 = content.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '');
  if (base64 === '' || base64.length % 4 === 1 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) throw refuse(`${label}: content is not valid base64`);
  return Buffer.from(base64, 'base64');
}

/** By its first bytes: what a sender claims is not believed. */
function imageMime(data: Buffer): string | undefined {
  const head = data.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF....WEBP/s.test(head)) return 'image/webp';
  return /^....ftyp(heic|heix|mif1|avif)/s.test(head) ? `image/${head.endsWith('avif') ? 'avif' : 'heic'}` : undefined;
}
