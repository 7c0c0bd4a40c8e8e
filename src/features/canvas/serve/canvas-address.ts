/** Parses the paths of the canvas, under every name, with or without a token. Pure. */
import { CANVAS_ROOTS } from '../../../core/canvas.ts';
import { PRODUCT_NAMES } from '../../../core/product.ts';
import { isDocumentId } from '../documents/manifest.ts';

/** What an address of the canvas means. `path`: decoded, without a leading slash; empty for the folder itself. */
export type CanvasAddress = {
  /** Everything before `canvas/` or `documents/<id>/`: what relative addresses of a page stay below. */
  readonly prefix: string;
  readonly token: string | undefined;
} & (
  | { readonly kind: 'document'; readonly id: string; readonly path: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'live' }
);

/** Undefined: the path is none of these. `'bad'`: it is, and names nothing that can exist. */
export function readAddress(path: string): CanvasAddress | 'bad' | undefined {
  if (LIVE.includes(path)) return { kind: 'live', prefix: path, token: undefined };
  const root = CANVAS_ROOTS.find((one) => path === one || path.startsWith(`${one}/`));
  if (root === undefined) return undefined;
  const [, cap, token, rest] = /^(\/cap\/([^/]+))?\/(.*)$/.exec(path.slice(root.length)) ?? [];
  if (rest === undefined) return 'bad';
  const base = `${root}${cap ?? ''}/`;
  const common = { token, prefix: base };
  const [noun, ...parts] = rest.split('/');
  if (noun === 'ws' && parts.length === 0) return { ...common, kind: 'live' };
  if (noun === 'a2ui' && cap === undefined) return undefined; // not of the canvas: surfaces have addresses of their own
  if (noun !== 'canvas') return 'bad';
  const decoded = decodedPath(parts);
  if (decoded === undefined) return 'bad';
  if (parts[0] !== 'documents') return { ...common, kind: 'file', path: decoded, prefix: `${base}canvas/` };
  const [, id = '', ...inside] = parts;
  if (!isDocumentId(id) || inside.length === 0) return 'bad';
  const within = inside.join('/') === '' ? 'index.html' : decodedPath(inside);
  return within === undefined
    ? 'bad'
    : { ...common, kind: 'document', id, path: within, prefix: `${base}canvas/documents/${id}/` };
}

/** Where pages ask to be told of changes, as clients of the family know it. */
export const LIVE: readonly string[] = PRODUCT_NAMES.map((name) => `/__${name}/ws`);

/** Ordinary names alone: no dot segment, no dot file, no backslash, colon or control character, encoded or not. */
function decodedPath(parts: readonly string[]): string | undefined {
  const names: string[] = [];
  for (const [at, part] of parts.entries()) {
    const name = decoded(part);
    if (name === undefined || /[/\\:\p{Cc}]/u.test(name) || name.startsWith('.')) return undefined;
    if (name === '' && at < parts.length - 1) return undefined;
    names.push(name);
  }
  return names.join('/');
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
