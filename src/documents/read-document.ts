/** Selects the reader of a document by its bytes, and cuts the text to length. Runs in the document worker thread. */
import { head } from '../core/cut.ts';
import {
  type DocumentOutcome,
  type PageSize,
  type ReadAnswer,
  type Reading,
  type ReadQuestion,
  Unreadable,
} from './document.ts';
import { sniff, type SniffedType } from './type/sniff.ts';

type Read = (question: ReadQuestion, mime: string) => Promise<Reading & { readonly pageSizes?: readonly PageSize[] }>;

/** Each is loaded when a document needs it. */
const READERS: readonly (readonly [RegExp, () => Promise<Read>])[] = [
  [/^application\/pdf$/, async () => (await import('./pdf/read-pdf.ts')).readPdf],
  [
    /wordprocessingml\.(document|template)$|ms-word\.document\.macroenabled/i,
    async () => (await import('./office/read-docx.ts')).readDocx,
  ],
  [/spreadsheetml\.|ms-excel\.sheet\.macroenabled/i, async () => (await import('./office/read-xlsx.ts')).readXlsx],
  [
    /presentationml\.|ms-powerpoint\.presentation\.macroenabled/i,
    async () => (await import('./office/read-pptx.ts')).readPptx,
  ],
  [
    /^application\/vnd\.oasis\.opendocument\./,
    async () => (await import('./office/read-open-document.ts')).readOpenDocument,
  ],
  [/^application\/rtf$/, async () => (await import('./office/read-rtf.ts')).readRtf],
  [/^message\/rfc822$/, async () => (await import('./mail/read-mail.ts')).readMail],
  [
    /^application\/(zip|java-archive|epub\+zip|vnd\.android\.package-archive|x-xpinstall)$/,
    async () => (await import('./archive/read-zip.ts')).readZip,
  ],
  [/^application\/x-tar$/, async () => (await import('./archive/read-tar.ts')).readTar],
  [/^application\/gzip$/, async () => (await import('./archive/read-gzip.ts')).readGzip],
];

export async function readDocument(question: ReadQuestion): Promise<ReadAnswer> {
  const type = await sniff(question.bytes, question);
  try {
    const { pageSizes = [], ...reading } = await (await readerOf(type, question))(question, type.mime);
    return { outcome: cut(reading, question.maxChars), pageSizes };
  } catch (error) {
    if (error instanceof Unreadable)
      return { outcome: { ok: false, reason: error.reason, mime: type.mime, message: error.message }, pageSizes: [] };
    // Libraries throw whatever they like at a damaged file.
    return {
      outcome: {
        ok: false,
        reason: 'corrupt',
        mime: type.mime,
        message: 'It is damaged: its structure is inconsistent.',
      },
      pageSizes: [],
    };
  }
}

async function readerOf({ kind, mime }: SniffedType, { bytes }: ReadQuestion): Promise<Read> {
  const load =
    kind === 'document' && bytes[0] === CFB ? undefined : READERS.find(([pattern]) => pattern.test(mime))?.[1];
  if (load) return load();
  if (kind === 'text') return (await import('./text/read-text.ts')).readText;
  throw refusal(kind, mime, bytes);
}

/** First byte of the container of office files before 2007, and of locked ones since. */
const CFB = 0xd0;
/** What a locked Word or Excel file is wrapped in; UTF-16. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

function refusal(kind: SniffedType['kind'], mime: string, bytes: Uint8Array): Unreadable {
  if (kind === 'image' || kind === 'audio' || kind === 'video')
    return new Unreadable(
      'media',
      `It is ${kind === 'image' ? 'a picture' : kind === 'audio' ? 'a recording' : 'a film'}, not a document.`,
    );
  if (
    kind === 'document' &&
    bytes[0] === CFB &&
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED)
  )
    return new Unreadable('encrypted', 'It is protected with a password.');
  if (kind === 'document' && bytes[0] === CFB)
    return new Unreadable('unsupported', 'It is an Office file from before 2007; save it as docx, xlsx, pptx or PDF.');
  if (kind === 'archive')
    return new Unreadable('unsupported', `Archives of the type ${mime} are not supported; ZIP, tar and gzip are.`);
  return new Unreadable('unsupported', `Files of the type ${mime} contain no readable text.`);
}

function cut({ text, truncated = false, ...facts }: Reading, maxChars: number): DocumentOutcome {
  if (text.length <= maxChars) return { ok: true, ...facts, text, truncated, pageImages: [] };
  return {
    ok: true,
    ...facts,
    text: head(text, maxChars),
    truncated: true,
    pageImages: [],
  };
}
