/** Caches downloads on disk, with the validators for conditional requests. */
import { parseJson } from '../core/parse-json.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { present } from '../core/present.ts';
import type { FetchedFile } from '../platform/net/fetch/guarded-fetch.ts';
import { listDir, readBytesIfExists, removeIfExists, statIfExists, writeFileAtomic } from '../platform/files.ts';

/** The part of a download that is kept. */
export type CachedFile = Pick<FetchedFile, 'url' | 'mime' | 'charset' | 'fileName' | 'body'>;

export interface LinkCache {
  find(url: string): Promise<{ readonly file: CachedFile; readonly ask: Readonly<Record<string, string>> } | undefined>;
  /** Keeps a download whose server named a version of it; forgets the address otherwise. */
  keep(url: string, file: FetchedFile): Promise<void>;
}

const MAX_FILES = 200;
const MAX_BYTES = 100 * 1024 * 1024;
const SUFFIX = '.page';

/** First line of a cache file; the body follows. The address is compared, so a strange file answers for nothing. */
interface Head {
  readonly address: string;
  readonly url: string;
  readonly mime: string;
  readonly charset?: string;
  readonly fileName?: string;
  readonly ask: Readonly<Record<string, string>>;
  readonly bytes: number;
}

/** Files are private and named by the SHA-256 of the address; the oldest go when there are more than 200 or 100 MiB. */
export function createLinkCache(directory: string): LinkCache {
  const pathOf = (url: string): string => join(directory, `${createHash('sha256').update(url).digest('hex')}${SUFFIX}`);
  return {
    async find(url) {
      const bytes = await readBytesIfExists(pathOf(url));
      const end = bytes?.indexOf('\n') ?? -1;
      const head = bytes && end > 0 ? (parseJson(bytes.toString('utf8', 0, end)) as Head | undefined) : undefined;
      if (!bytes || head?.address !== url || bytes.length - end - 1 !== head.bytes) return undefined;
      const { mime, charset, fileName } = head;
      return {
        ask: head.ask,
        file: present({ url: head.url, mime, charset, fileName, body: bytes.subarray(end + 1) }),
      };
    },
    async keep(url, file) {
      const ask = revalidation(file);
      if (!ask) return removeIfExists(pathOf(url));
      const { mime, charset, fileName, body } = file;
      const head: Head = present({ address: url, url: file.url, mime, charset, fileName, ask, bytes: body.length });
      await writeFileAtomic(pathOf(url), Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]), {
        sync: false,
      });
      await prune(directory);
    },
  };
}

/**
 * RFC 9110, section 13.1. Undefined when the server names no version, or wants nothing kept (RFC 9111, section
 * 5.2.2.5).
 */
function revalidation({ headers }: FetchedFile): Readonly<Record<string, string>> | undefined {
  if (/\bno-store\b/i.test(headers['cache-control'] ?? '')) return undefined;
  const { etag, 'last-modified': modified } = headers;
  if (etag === undefined && modified === undefined) return undefined;
  return present({ 'if-none-match': etag, 'if-modified-since': modified });
}

async function prune(directory: string): Promise<void> {
  const names = (await listDir(directory))
    .filter(({ kind, name }) => kind === 'file' && name.endsWith(SUFFIX))
    .map(({ name }) => join(directory, name));
  const files = (await Promise.all(names.map(async (path) => ({ path, facts: await statIfExists(path) })))).flatMap(
    ({ path, facts }) => (facts ? [{ path, ...facts }] : []),
  );
  files.sort((a, b) => b.modifiedAt - a.modifiedAt);
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    bytes += file.size;
    if (index >= MAX_FILES || bytes > MAX_BYTES) await removeIfExists(file.path);
  }
}
