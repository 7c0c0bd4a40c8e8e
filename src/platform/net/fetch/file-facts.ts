/** Reads the facts about a file from a response's headers and URL. */
import { present } from '../../../core/present.ts';

/** The media type, charset and file name that the response claims. */
export interface FileFacts {
  readonly mime: string;
  readonly charset?: string;
  readonly fileName?: string;
}

const MAX_FILE_NAME = 200;

/** `headers` have lower-case names. Nothing here is trusted: the bytes decide what a file is. */
export function fileFacts(headers: Readonly<Record<string, string>>, url: URL): FileFacts {
  const type = parseParameters(headers['content-type'] ?? '');
  const disposition = parseParameters(headers['content-disposition'] ?? '');
  const charset = type.parameters.get('charset');
  const fileName = safeName(
    extended(disposition.parameters.get('filename*')) ??
      asUtf8(disposition.parameters.get('filename')) ??
      lastSegment(url),
  );
  return present({
    mime: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type.value) ? type.value : 'application/octet-stream',
    charset: charset ? charset.toLowerCase() : undefined,
    fileName: fileName || undefined,
  });
}

/** `value; name=token; name="quoted \" string"` (RFC 9110, section 5.6.6); the first of a name wins. */
function parseParameters(header: string): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } {
  const [value = ''] = header.split(';', 1);
  const parameters = new Map<string, string>();
  for (const [, name, quoted, token] of header
    .slice(value.length)
    .matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g)) {
    const key = name!.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token!.trim());
  }
  return { value: value.trim().toLowerCase(), parameters };
}

/** `UTF-8''na%C3%AFve.txt` (RFC 8187). */
function extended(text: string | undefined): string | undefined {
  const [, charset, encoded] = /^([\w-]+)'[^']*'(.+)$/.exec(text ?? '') ?? [];
  if (charset === undefined || encoded === undefined) return undefined;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString(/^utf-?8$/i.test(charset) ? 'utf8' : 'latin1');
}

/** Headers arrive as Latin-1; many servers write UTF-8 into them all the same. */
function asUtf8(text: string | undefined): string | undefined {
  const decoded = Buffer.from(text ?? '', 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? text : text && decoded;
}

function lastSegment(url: URL): string {
  const segment = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** A name without a path, control characters or a leading dot. */
function safeName(name: string): string {
  const base = name
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\p{C}<>:"|?*]/gu, '')
    .trim()
    .replace(/^\.+/, '');
  return [...base].slice(-MAX_FILE_NAME).join('');
}
