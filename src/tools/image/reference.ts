/** What the word a model gave for a picture means: a file, an address, the picture itself, or nothing we know. Pure. */
import { fileURLToPath } from 'node:url';

export type PictureReference =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  /** Base64; nothing of it is decoded yet. */
  | { readonly kind: 'data'; readonly payload: string }
  /** It has a scheme nobody here reads, e.g. `image:0`. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'wrong'; readonly error: string };

/** Two letters at least: `C:\photo.png` is a path. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

export function readReference(written: string): PictureReference {
  const reference = written.trim().replace(/^@/, '').trim();
  if (!reference) return { kind: 'wrong', error: 'image required' };
  switch (SCHEME.exec(reference)?.[1]?.toLowerCase()) {
    case undefined:
      return { kind: 'path', path: reference };
    case 'http':
    case 'https':
      return { kind: 'url', url: reference };
    case 'file':
      return fileReference(reference);
    case 'data':
      return dataReference(reference);
    default:
      return { kind: 'unsupported' };
  }
}

function fileReference(url: string): PictureReference {
  try {
    return { kind: 'path', path: fileURLToPath(url) };
  } catch (error) {
    // A host that is not this machine, an encoded slash, or no address at all.
    if (error instanceof TypeError || error instanceof URIError)
      return { kind: 'wrong', error: `${url} is not a valid file URL: ${error.message}.` };
    throw error;
  }
}

function dataReference(url: string): PictureReference {
  const comma = url.indexOf(',');
  const header = comma === -1 ? '' : url.slice('data:'.length, comma);
  if (!/^image\/[\w.+-]+(;[^;,]*)*;base64$/i.test(header))
    return { kind: 'wrong', error: 'A data: URL must contain a base64 image: data:image/png;base64,…' };
  const payload = url.slice(comma + 1);
  if (!payload.trim()) return { kind: 'wrong', error: 'The data: URL is empty.' };
  if (!/^[A-Za-z0-9+/_\s-]*(?:=+\s*)?$/.test(payload))
    return { kind: 'wrong', error: 'The data: URL is not valid base64.' };
  return { kind: 'data', payload };
}

/** For results and errors, where a picture has no place. */
export function shownReference(written: string): string {
  const [head] = /^\s*@?data:[^,]{0,100},/i.exec(written) ?? [written.length > 200 ? written.slice(0, 60) : undefined];
  return head === undefined ? written : `${head}… (${written.length} characters)`;
}
