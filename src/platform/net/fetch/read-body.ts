/** The bytes of a response, up to a limit that holds for what comes out of its compression. */
import type { Response } from 'undici';
import { AppError } from '../../../core/errors.ts';

/** Rejects with `AppError('too_large')` as soon as the limit is passed, or told that it will be. */
export async function readBody(
  response: Response,
  { maxBytes, host }: { readonly maxBytes: number; readonly host: string },
): Promise<Buffer> {
  const tooLarge = (): AppError => new AppError('too_large', `The file at ${host} is larger than ${maxBytes} bytes.`);
  if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
