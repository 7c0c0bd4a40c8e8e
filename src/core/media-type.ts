/** Normalizes media types from bytes, declarations and file names. Pure. */
import type { Attachment } from './message.ts';

/** `type/subtype`, lower case, without parameters; empty if it is not a media type. */
export const bareMime = (mime: string | undefined): string =>
  /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)/.exec(mime ?? '')?.[1]?.toLowerCase() ?? '';

/** The kind of file from `type/subtype`; everything that is not an image, audio or video is a document. */
export function kindOfMime(mime: string): Attachment['kind'] {
  const [type] = mime.split('/', 1);
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
}

/** Other spellings vendors and libraries use for a type below. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'audio/opus': 'audio/ogg',
  'audio/x-m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/webm': 'video/webm',
  'video/matroska': 'video/x-matroska',
};

/** One spelling for types that have several, e.g. `audio/wav` for `audio/x-wav`. */
export const canonicalMime = (mime: string): string => SPELLINGS[mime] ?? mime;

/** Types by extension, of files whose bytes a person cannot read; the first extension of a type is the one we write. */
export const MEDIA_EXTENSIONS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  tif: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  aac: 'audio/aac',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  amr: 'audio/amr',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  m4v: 'video/x-m4v',
  pdf: 'application/pdf',
};

/** Without a dot; undefined for types without a specific extension. */
export function extensionOf(mime: string): string | undefined {
  const type = canonicalMime(mime);
  return Object.keys(MEDIA_EXTENSIONS).find((extension) => MEDIA_EXTENSIONS[extension] === type);
}
