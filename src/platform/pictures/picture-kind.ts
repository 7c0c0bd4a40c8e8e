/** Detects the format of a picture from its bytes, because file names prove nothing. Pure. */

/** What every model that sees takes. */
export const SEEN_BY_MODELS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
/** A type of picture that every vendor of models takes. */
export type SeenByModels = (typeof SEEN_BY_MODELS)[number];

/** Whether it can be sent as it is. */
export const isSeenByModels = (mime: string): mime is SeenByModels =>
  (SEEN_BY_MODELS as readonly string[]).includes(mime);

/** Bytes `pictureKind` needs to see. */
export const KIND_BYTES = 512;

interface Signature {
  readonly mime: string;
  readonly bytes: RegExp;
}

/** Latin-1. */
const SIGNATURES: readonly Signature[] = [
  { mime: 'image/png', bytes: /^\x89PNG\r\n/ },
  { mime: 'image/jpeg', bytes: /^\xff\xd8\xff/ },
  { mime: 'image/gif', bytes: /^GIF8[79]a/ },
  { mime: 'image/webp', bytes: /^RIFF[^]{4}WEBP/ },
  { mime: 'image/bmp', bytes: /^BM[^]{12}[\x0c\x28\x6c\x7c]\0\0\0/ },
  { mime: 'image/tiff', bytes: /^(II\*\0|MM\0\*)/ },
  // ISO/IEC 14496-12: the brands of a file stand in its first box.
  { mime: 'image/avif', bytes: /^\0\0\0[^]ftyp(avif|avis|[^]{8,64}avif)/ },
  { mime: 'image/heic', bytes: /^\0\0\0[^]ftyp(hei[cxms]|hev[cx]|mif1|msf1)/ },
  {
    mime: 'image/svg+xml',
    bytes: /^(\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^]*?)?<svg[\s>]/i,
  },
  { mime: 'application/pdf', bytes: /^(\xef\xbb\xbf)?\s*%PDF-/ },
  { mime: 'text/html', bytes: /^(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body)[\s>]/i },
  { mime: 'video/mp4', bytes: /^\0\0\0[^]ftyp/ },
  { mime: 'video/webm', bytes: /^\x1aE\xdf\xa3/ },
  { mime: 'audio/ogg', bytes: /^OggS/ },
  { mime: 'audio/mpeg', bytes: /^(ID3|\xff[\xfb\xf3\xf2])/ },
  { mime: 'audio/wav', bytes: /^RIFF[^]{4}WAVE/ },
  { mime: 'application/zip', bytes: /^PK(\x03\x04|\x05\x06)/ },
  { mime: 'application/gzip', bytes: /^\x1f\x8b\x08/ },
];

/** Bare `type/subtype`; text and unknown data are distinguished by a NUL: `text/plain`, `application/octet-stream`. */
export function pictureKind(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, KIND_BYTES)).toString('latin1');
  return (
    SIGNATURES.find(({ bytes: shape }) => shape.test(head))?.mime ??
    (/[\0-\x08\x0e-\x1a]/.test(head) || head === '' ? 'application/octet-stream' : 'text/plain')
  );
}
