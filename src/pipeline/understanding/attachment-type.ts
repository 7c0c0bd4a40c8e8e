/** Which kind of thing an attachment is, and what it may be called: MIME first, then the extension. */
import type { Attachment } from '../../core/message.ts';
import type { SniffedType } from '../../documents/sniff.ts';

type Kind = Attachment['kind'];

/** Extensions that say a kind when nothing else does, with the type they stand for; the first of a type is the one we write. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif', bmp: 'image/bmp', tiff: 'image/tiff', tif: 'image/tiff',
  heic: 'image/heic', heif: 'image/heif', avif: 'image/avif',
  aac: 'audio/aac', flac: 'audio/flac', m4a: 'audio/mp4', mp3: 'audio/mpeg', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg', wav: 'audio/wav', amr: 'audio/amr',
  mp4: 'video/mp4', mov: 'video/quicktime', mkv: 'video/x-matroska', webm: 'video/webm', avi: 'video/x-msvideo', m4v: 'video/x-m4v',
  pdf: 'application/pdf', txt: 'text/plain',
};

/** Other spellings vendors and libraries use for a type above. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'audio/opus': 'audio/ogg', 'audio/x-m4a': 'audio/mp4', 'audio/mp3': 'audio/mpeg', 'audio/x-wav': 'audio/wav', 'audio/wave': 'audio/wav', 'audio/vnd.wave': 'audio/wav', 'audio/x-flac': 'audio/flac', 'audio/webm': 'video/webm',
};

/** One spelling for types that have several, e.g. `audio/wav` for `audio/x-wav`. */
export const plainSpelling = (mime: string): string => SPELLINGS[mime] ?? mime;

const GENERIC = /^(application\/(octet-stream|x-unknown)|binary\/.*|)$/;

/** `type/subtype`, lower case, without parameters; empty when it is none. */
export const bareMime = (mime: string | undefined): string => /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)/.exec(mime ?? '')?.[1]?.toLowerCase() ?? '';

export function kindOfMime(mime: string): Kind {
  const [type] = mime.split('/', 1);
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
}

/** The type an extension stands for; undefined when it says nothing of the kind. */
export const mimeOfName = (name: string): string | undefined => EXTENSIONS[/\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''];

/**
 * What the bytes show wins. Where they show nothing, the claim stands, then the extension. A container that holds sound or
 * film alike (webm, mp4, ogg) is a recording when it was sent as one.
 */
export function decideType(seen: SniffedType, claim: { readonly mime: string; readonly name: string }): { kind: Kind; mime: string } {
  const claimed = bareMime(claim.mime);
  const mime = bareMime(seen.mime);
  if (seen.kind === 'video' && claimed.startsWith('audio/') && claimed.slice(6) === mime.slice(6)) return { kind: 'audio', mime: claimed };
  if (!GENERIC.test(mime)) return { kind: seen.kind === 'text' ? 'document' : kindOfMime(mime), mime };
  const best = [claimed, mimeOfName(claim.name) ?? '', mime].find((type) => !GENERIC.test(type)) ?? 'application/octet-stream';
  return { kind: kindOfMime(best), mime: best };
}

/** No folders, no control or direction marks, no leading dots; `media-<n>` when nothing is left. */
export function plainName(name: string | undefined, index: number): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const plain = [...last.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu, ' ').trim().replace(/^[.\s]+/, '')].slice(0, MAX_NAME).join('').trim();
  return plain || `media-${index + 1}`;
}

const MAX_NAME = 120;

/** The name with the extension of the type when it has none: some vendors and programs read nothing else. */
export function withExtension(name: string, mime: string): string {
  if (/\.[^.\s]{1,10}$/.test(name)) return name;
  const type = plainSpelling(mime);
  const extension = Object.keys(EXTENSIONS).find((key) => EXTENSIONS[key] === type);
  return extension ? `${name}.${extension}` : name;
}
