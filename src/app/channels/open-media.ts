/** The bytes of a file that is to be sent, wherever it is. */
import { basename, dirname } from 'node:path';
import type { ChannelAccount } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { FetchFile } from '../../core/tool.ts';
import { realPathIfExists } from '../../platform/files.ts';
import { readInside } from '../../platform/read-inside.ts';

/** Milliseconds for a download. */
const PATIENCE_MS = 60_000;

/** Paths come from the core, which decided that they may be sent; addresses go through the guard. */
export function createOpenMedia(fetchFile: FetchFile): ChannelAccount<unknown>['open'] {
  return async (media, maxBytes) => {
    if (media.from === 'file') {
      const name = media.name ?? basename(media.path);
      const real = await realPathIfExists(media.path);
      if (real === undefined) throw new AppError('not_found', `The file ${name} does not exist.`);
      return { data: await readInside(real, [dirname(real)], maxBytes), mime: media.mime, name };
    }
    const { data, mime, url } = await fetchFile(media.url, { maxBytes, timeoutMs: PATIENCE_MS, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { data, mime, name: media.name ?? nameOf(url) };
  };
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
