/** Opens a file to send, wherever it is stored. */
import { basename, dirname, sep } from 'node:path';
import type { ChannelAccount } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { FetchFile } from '../../core/tool.ts';
import { statInside } from '../../platform/read-inside.ts';

/** Milliseconds for a download. */
const TIMEOUT_MS = 60_000;

/**
 * Paths come from the core, which decided that they may be sent, and names the real one: what leads elsewhere by now
 * was changed since.
 * Addresses go through the guard. `ours`: the gateway's own folder of media, which may lie behind a link.
 */
export function createOpenMedia(fetchFile: FetchFile, ours: string): ChannelAccount<unknown>['open'] {
  return async (media, maxBytes) => {
    if (media.from === 'file') {
      const name = media.name ?? basename(media.path);
      return { data: await readFile(media.path, { name, maxBytes, ours }), mime: media.mime, name };
    }
    const { data, mime, url } = await fetchFile(media.url, {
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { data, mime, name: media.name ?? nameOf(url) };
  };
}

async function readFile(
  path: string,
  { name, maxBytes, ours }: { readonly name: string; readonly maxBytes: number; readonly ours: string },
): Promise<Buffer> {
  const kept = path.startsWith(ours + sep);
  const file = await statInside(path, [kept ? ours : dirname(path)], maxBytes);
  if (!kept && file.path !== path)
    throw new AppError('denied', `The file ${name} was moved or replaced after it was approved for sending.`);
  if (file.size > maxBytes)
    throw new AppError('too_large', `The file ${name} has ${file.size} bytes; the limit is ${maxBytes}.`);
  return file.head;
}

function nameOf(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : undefined;
  if (!last) return 'file';
  try {
    return decodeURIComponent(last);
  } catch (error) {
    if (error instanceof URIError) return last;
    throw new AppError('internal', 'A name could not be read.', { cause: error });
  }
}
