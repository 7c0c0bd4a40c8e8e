/**
 * Builds URLs and bodies of requests with a file, piece by piece, so that a large file does not block the event loop.
 */
import { AppError } from '../core/errors.ts';
import type { MediaRequest } from '../core/media-provider.ts';

/** Three bytes become four letters, so a piece ends between groups. */
const PIECE = 3 * 128 * 1024;

/** The path behind the base; slashes at its end go, its query stays. */
export function endpoint(base: string, path: string): URL {
  const url = URL.parse(base.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw new AppError('invalid', 'The base URL of a provider must start with http:// or https://.');
  if (url.username || url.password)
    throw new AppError(
      'invalid',
      'The base URL of a provider must not contain a user name or password; set headers.Authorization instead.',
    );
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
  url.hash = '';
  return url;
}

/** JSON with the file in base64 where `build` puts its argument. Breaks off when stopped; nobody sends the rest. */
export async function jsonBody(
  { data, signal }: Pick<MediaRequest, 'data' | 'signal'>,
  build: (base64: string) => unknown,
): Promise<Blob> {
  const mark = crypto.randomUUID();
  const [before = '', after = ''] = JSON.stringify(build(mark)).split(mark);
  const pieces: Blob[] = [];
  for (let at = 0; at < data.byteLength && !signal.aborted; at += PIECE) {
    pieces.push(
      new Blob([
        Buffer.from(data.buffer, data.byteOffset + at, Math.min(PIECE, data.byteLength - at)).toString('base64'),
      ]),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  return new Blob([before, ...pieces, after], { type: 'application/json' });
}

/** The file as it is. */
export function fileBody({ data }: Pick<MediaRequest, 'data'>, type: string): Blob {
  return new Blob([data as Uint8Array<ArrayBuffer>], { type });
}

/** A form with one file in it (RFC 7578); fields without a value are left out. */
export function formBody(
  { data, mime, fileName }: Pick<MediaRequest, 'data' | 'mime' | 'fileName'>,
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
): Blob {
  const boundary = crypto.randomUUID();
  const part = (about: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n`;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${part(`name="${plain(name)}"`)}\r\n${value}\r\n`,
  );
  const file =
    `${part(`name="file"; filename="${namedByType({ fileName, mime })}"`)}Content-Type: ` +
    `${mime || 'application/octet-stream'}\r\n\r\n`;
  return new Blob([file, data as Uint8Array<ArrayBuffer>, '\r\n', ...texts, `--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

/** What may stand between quotes in a header. */
const plain = (text: string): string => text.replace(/[\x00-\x1f\x7f"]/g, '').toWellFormed();

/** The ending vendors know each type by; they go by the name, and refuse a voice note called `.oga`. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mpga': 'mp3',
  'audio/mp4': 'm4a',
  'audio/m4a': 'm4a',
  'audio/x-m4a': 'm4a',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/webm': 'webm',
  'video/webm': 'webm',
};

/** Types that go by an ending the vendors of transcripts list. */
export const SPEECH_TYPES: readonly string[] = Object.keys(ENDINGS);

/** A name safe to send, with the ending of its type; `audio` where there is none. */
function namedByType({ fileName, mime }: Pick<MediaRequest, 'fileName' | 'mime'>): string {
  const name = plain(fileName.split(/[\\/]/).at(-1)!.slice(-100)).trim();
  const ending = ENDINGS[mime];
  if (!ending) return name || 'audio';
  return `${name.replace(/\.[^.]*$/, '') || 'audio'}.${ending}`;
}
