/** The file a message takes along: read whole, within what the turn may read, before anything is sent. */
import { basename, extname } from 'node:path';
import type { ToolContext } from '../../sdk/index.ts';
import { readWhole } from '../../sdk/files.ts';
import { MEDIA_EXTENSIONS, type MessageSendRequest } from '../../sdk/messaging.ts';

const MAX_BYTES = 50 * 1024 * 1024;

type Attached = Pick<MessageSendRequest, 'media' | 'files'>;

export async function attached({ media, filename }: { readonly media?: string | undefined; readonly filename?: string | undefined }, ctx: ToolContext): Promise<Attached> {
  const reference = media?.trim();
  if (!reference) return {};
  const name = filename?.trim() || undefined;
  if (/^https?:\/\//i.test(reference)) return { media: [{ from: 'url', url: reference, ...(name ? { name } : {}) }] };
  const data = await readWhole(reference.replace(/^file:\/\//i, ''), ctx, MAX_BYTES);
  return { files: [{ data, mime: mimeOf(reference), name: name ?? basename(reference) }] };
}

/** By the ending of its name; what is not known goes as a file of bytes. */
const mimeOf = (path: string): string => {
  const extension = extname(path).slice(1).toLowerCase();
  return Object.hasOwn(MEDIA_EXTENSIONS, extension) ? MEDIA_EXTENSIONS[extension]! : TEXTS[extension] ?? 'application/octet-stream';
};
const TEXTS: Readonly<Record<string, string>> = { txt: 'text/plain', md: 'text/markdown', csv: 'text/csv', json: 'application/json', html: 'text/html', svg: 'image/svg+xml', zip: 'application/zip' };
