/** The media type of a file by its extension. Pure. */
import { extname } from 'node:path';
import { MEDIA_EXTENSIONS } from '../../../core/media-type.ts';

const WEB: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  map: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
};

export function webTypeOf(path: string): string {
  const extension = extname(path).slice(1).toLowerCase();
  return WEB[extension] ?? MEDIA_EXTENSIONS[extension] ?? 'application/octet-stream';
}
