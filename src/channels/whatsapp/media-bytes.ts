/** Downloads a received file: from WhatsApp's servers only, with a size limit, checked against its hash. */
import { createHash } from 'node:crypto';
import { AppError } from '../../sdk/index.ts';
import { numberOf, type WaMedia, type WaMediaType } from './content.ts';
import type { Library } from './library.ts';
import { statusOf } from './disconnects.ts';

const HOST = 'mmg.whatsapp.net';

interface Fetching {
  readonly media: WaMedia;
  readonly type: WaMediaType;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * `too_large`, `not_found` (it is gone from the servers), `bad_response` (it is not what its sender said it is).
 */
export async function mediaBytes(library: Library, { media, type, maxBytes, signal }: Fetching): Promise<Uint8Array> {
  const { mediaKey, directPath, fileLength } = media;
  if (!mediaKey || !directPath?.startsWith('/') || /[\s\\]/.test(directPath))
    throw new AppError('not_found', 'The message has no file that can be fetched.');
  const claimed = numberOf(fileLength) ?? 0;
  if (claimed > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = await library.downloadContentFromMessage({ mediaKey, directPath }, type, {
      host: HOST,
      options: { signal },
    });
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw asOurs(error, signal);
  }
  const bytes = Buffer.concat(chunks);
  const hash = media.fileSha256;
  if (hash && hash.length > 0 && !createHash('sha256').update(bytes).digest().equals(Buffer.from(hash)))
    throw new AppError('bad_response', 'The file is damaged: its hash is not the one in the message.');
  return bytes;
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', `The file has more than the ${maxBytes} bytes that are read.`);

function asOurs(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal.aborted) return new AppError('aborted', 'The download was cancelled.', { cause: error });
  const status = statusOf(error);
  const said = error instanceof Error ? error.message : String(error);
  return status === 404 || status === 410
    ? new AppError('not_found', 'WhatsApp does not have the file any more; ask for it again.', { cause: error })
    : new AppError('network', `The file could not be fetched from WhatsApp: ${said}`, { cause: error });
}
