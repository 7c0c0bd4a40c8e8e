/** Detects the type of a file: by its bytes, then its name, then the declared type. */
import { extname } from 'node:path';
import { detectCharset } from '../../platform/charset/decode-bytes.ts';
import { decodeSample, textMime } from './text-mime.ts';
import { EXTENSIONS } from './extensions.ts';
import { signatureOf } from './signatures.ts';

export interface SniffedType {
  readonly kind: 'image' | 'audio' | 'video' | 'document' | 'archive' | 'text' | 'binary';
  /** Bare `type/subtype`. `application/octet-stream` when the bytes show nothing. */
  readonly mime: string;
}

export interface TypeClaim {
  readonly name?: string | undefined;
  readonly mime?: string | undefined;
}

const NOTHING: SniffedType = { kind: 'binary', mime: 'application/octet-stream' };
const MEDIA = /^(image|audio|video)\//;
const ARCHIVE =
  /^application\/(zip|x-zip|gzip|x-gzip|x-tar|x-gtar|x-7z-compressed|x-rar.*|vnd\.rar|x-bzip2|x-xz|zstd|x-lz.*|x-compress|java-archive|epub\+zip|x-compressed-tar)$/;
const OFFICE = /^application\/(pdf|rtf|msword|x-cfb|vnd\.(openxmlformats|oasis\.opendocument|ms-).*)$/;

/**
 * Bytes outrank names and claims: signatures first, then whether it is clean text. A file that says it is media and has
 * no
 * signature counts as text only when it is Unicode, since a guess at a code page finds letters in many recordings.
 */
export async function sniff(bytes: Uint8Array, claim: TypeClaim = {}): Promise<SniffedType> {
  if (bytes.length === 0) return emptyType(claim);
  const signature = await signatureOf(bytes, { name: claim.name });
  if (signature && !isOnlyText(signature, bytes)) return { kind: kindOf(signature), mime: signature };
  // Which one of the old charsets it is, its reader tells.
  const charset = detectCharset(bytes, { otherwise: 'windows-1252' });
  if (charset === undefined || (claimsMedia(claim) && !charset.startsWith('utf-'))) return NOTHING;
  return { kind: 'text', mime: textMime(decodeSample(bytes, charset), claim) };
}

/** Two letters make a bitmap or a program of any text that begins with them. */
const isOnlyText = (mime: string, bytes: Uint8Array): boolean =>
  /^(text\/|image\/svg\+xml$|application\/(xml|x-msdownload|x-bzip2|pgp-.*|rss\+xml|atom\+xml|x-subrip|x-shellscript)$|image\/bmp$|video\/x-flv$)/.test(
    mime,
  ) && detectCharset(bytes.subarray(0, 65_536)) !== undefined;

function emptyType(claim: TypeClaim): SniffedType {
  return claimsMedia(claim) ? NOTHING : { kind: 'text', mime: textMime('', claim) };
}

function claimsMedia({ name, mime }: TypeClaim): boolean {
  return (
    MEDIA.test(mime?.trim().toLowerCase() ?? '') ||
    MEDIA.test(
      EXTENSIONS[
        extname(name ?? '')
          .slice(1)
          .toLowerCase()
      ] ?? '',
    )
  );
}

function kindOf(mime: string): SniffedType['kind'] {
  const family = MEDIA.exec(mime)?.[1];
  if (family) return family as 'image' | 'audio' | 'video';
  if (ARCHIVE.test(mime)) return 'archive';
  return OFFICE.test(mime) ? 'document' : 'binary';
}
