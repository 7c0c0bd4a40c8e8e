/** Detects file types by their bytes: own rules for containers, the library for all others. */
import { extname } from 'node:path';
import { canonicalMime } from '../../core/media-type.ts';
import { EXTENSIONS } from './extensions.ts';
import { zipType } from './zip-type.ts';

interface Signature {
  readonly mime: string;
  readonly bytes: string;
  readonly at?: number;
}

/** Latin-1; the ones that must not depend on anybody's heuristics. */
const SIGNATURES: readonly Signature[] = [
  { mime: 'audio/ogg', bytes: 'OggS' },
  { mime: 'application/rtf', bytes: '{\\rtf' },
  { mime: 'application/gzip', bytes: '\x1f\x8b\x08' },
  { mime: 'application/x-7z-compressed', bytes: "7z\xbc\xaf'\x1c" },
  { mime: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { mime: 'application/x-tar', bytes: 'ustar', at: 257 },
];
const CFB = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** Bytes in which a PDF may begin. */
const PDF_HEAD = 1024;

/** Bare `type/subtype`; undefined when the bytes carry no signature. */
export async function signatureOf(
  bytes: Uint8Array,
  { name }: { name?: string | undefined },
): Promise<string | undefined> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  if (head.startsWith('OggS')) return /^OggS[\s\S]{24,200}\x80theora|fishead/.test(head) ? 'video/ogg' : 'audio/ogg';
  const own = SIGNATURES.find((signature) => head.startsWith(signature.bytes, signature.at ?? 0));
  if (own) return own.mime;
  if (/^PK(\x03\x04|\x01\x02|\x05\x06|\x07\x08)/.test(head)) return zipType(bytes, name);
  if (head.startsWith(CFB)) return officeOf(name);
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head)) return 'application/pdf';
  if (/^(\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(head)) return undefined;
  return (
    (await fromLibrary(bytes)) ??
    (head.slice(0, PDF_HEAD).includes('%PDF-') && head.includes('obj') ? 'application/pdf' : undefined)
  );
}

/** Word, Excel and PowerPoint before 2007 and mail of Outlook share one container. */
function officeOf(name: string | undefined): string {
  const claimed =
    EXTENSIONS[
      extname(name ?? '')
        .slice(1)
        .toLowerCase()
    ];
  return claimed && /msword|ms-|officedocument/.test(claimed) ? claimed : 'application/x-cfb';
}

async function fromLibrary(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0]!.trim();
  return mime === undefined ? undefined : canonicalMime(mime);
}
