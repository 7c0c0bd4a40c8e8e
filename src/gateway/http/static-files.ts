/** Finds the file for a request path below a root, never outside it, and caches compressed copies of small files. */
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readBytesIfExists, realPathIfExists, statIfExists } from '../../platform/files.ts';

export interface StaticFile {
  readonly bytes: Buffer;
  readonly mime: string;
  readonly encoding?: 'br' | 'gzip';
  readonly etag: string;
}

export interface StaticFiles {
  /**
   * `path` is percent-encoded, relative to the root, without a leading slash. Undefined: no such file, or not below the
   * root.
   */
  read(path: string, acceptEncoding: string): Promise<StaticFile | undefined>;
}

const MIME: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
};

const mimeOf = (path: string): string => MIME[extname(path).toLowerCase()] ?? 'application/octet-stream';

const compress = promisify(gzip);
const CACHE_LIMIT_BYTES = 4 * 1024 * 1024;
const COMPRESS_FROM_BYTES = 1024;

/** `maxBytes`: a larger file counts as none, before it is read. */
export function createStaticFiles(root: string, maxBytes = Infinity): StaticFiles {
  const compressed = new Map<string, Buffer>();
  let held = 0;

  async function locate(path: string): Promise<string | undefined> {
    const relative = safePath(path);
    if (relative === undefined) return undefined;
    const [base, found] = await Promise.all([realPathIfExists(root), realPathIfExists(join(root, relative))]);
    // A link may lead out of the root even when the path does not.
    return base !== undefined && found?.startsWith(base + sep) ? found : undefined;
  }

  async function gzipped(etag: string, bytes: Buffer): Promise<Buffer> {
    const known = compressed.get(etag);
    if (known) return known;
    const small = await compress(bytes);
    held += small.length;
    compressed.set(etag, small);
    for (const oldest of compressed.keys()) {
      if (held <= CACHE_LIMIT_BYTES) break;
      held -= compressed.get(oldest)!.length;
      compressed.delete(oldest);
    }
    return small;
  }

  return {
    async read(path, acceptEncoding) {
      const file = await locate(path);
      const facts = await statOf(file);
      if (file === undefined || facts === undefined || facts.size > maxBytes) return undefined;
      const mime = mimeOf(file);
      for (const [encoding, suffix] of [
        ['br', '.br'],
        ['gzip', '.gz'],
      ] as const) {
        const ready = acceptEncoding.includes(encoding) ? await readBytesIfExists(file + suffix) : undefined;
        if (ready) return { bytes: ready, mime, encoding, etag: `"${facts.tag}-${encoding}"` };
      }
      const bytes = await readBytesIfExists(file);
      if (!bytes) return undefined;
      const worthIt =
        bytes.length >= COMPRESS_FROM_BYTES && /^text\/|json|svg|wasm/.test(mime) && acceptEncoding.includes('gzip');
      const etag = `"${facts.tag}${worthIt ? '-gzip' : ''}"`;
      return worthIt ? { bytes: await gzipped(etag, bytes), mime, encoding: 'gzip', etag } : { bytes, mime, etag };
    },
  };
}

async function statOf(file: string | undefined): Promise<{ tag: string; size: number } | undefined> {
  const facts = file === undefined ? undefined : await statIfExists(file);
  return facts?.kind === 'file'
    ? {
        size: facts.size,
        tag: `${facts.inode.toString(36)}-${facts.size.toString(36)}-${Math.round(facts.modifiedAt).toString(36)}`,
      }
    : undefined;
}

/**
 * A decoded relative path of ordinary names, or undefined: no dot segments, no dot files, no backslashes, no control
 * characters.
 */
function safePath(path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
  if (/[\u0000-\u001f\\:]/.test(decoded)) return undefined;
  return decoded.split('/').every((segment) => segment !== '' && !segment.startsWith('.')) ? decoded : undefined;
}
