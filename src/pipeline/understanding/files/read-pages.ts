/**
 * The pages of a document that are pictures: shown to a chat model that sees, else read by whoever understands
 * pictures.
 */
import type { Attachment } from '../../../core/message.ts';
import { inertLine } from '../../../core/inert-line.ts';
import { AppError } from '../../../core/errors.ts';
import type { Attempt } from '../../../core/understanding.ts';
import type { PageImage } from '../../../documents/document.ts';
import type { AttachmentFile } from '../attachments.ts';
import type { PageReader } from '../media/read-pages.ts';
import { trimText } from '../trim-text.ts';

/** Who can read pages; called only if a document has such pages. */
export interface PageVision {
  /** The chat model takes pictures in its messages. */
  ofChatModel(): Promise<boolean>;
  /** Undefined when nobody else can look. */
  reader(): Promise<PageReader | undefined>;
}

/** What became of the pages of one document. */
export interface Pages {
  /** For the chat model to see. */
  readonly shown: readonly Attachment[];
  /** What stands on them; blank when nothing could be read. */
  readonly text: string;
  readonly attempts: readonly Attempt[];
  /** Who read them. */
  readonly chosen?: Attempt;
}

export interface PagesQuestion {
  readonly file: AttachmentFile;
  readonly images: readonly PageImage[];
  /** Pages of the whole document, when known. */
  readonly ofAll: number | undefined;
  readonly vision: PageVision;
  /** For all pages together. */
  readonly maxChars: number;
  /** Puts a picture on disk. */
  keep(data: Uint8Array, facts: { readonly mime: string; readonly name: string }): Promise<Attachment>;
}

/** Less than this on each page is the stamp of a scanner, not the text of a document. */
const LEAST_CHARS_A_PAGE = 40;

/**
 * Whether pictures of its pages are of use: to a chat model that sees always, to others only when the document says
 * nothing itself.
 */
export async function canBeSeen(
  vision: PageVision,
  { text, pages = 1 }: { readonly text: string; readonly pages?: number },
): Promise<boolean> {
  return (
    (await vision.ofChatModel()) ||
    (text.trim().length < LEAST_CHARS_A_PAGE * pages && (await vision.reader()) !== undefined)
  );
}

const NONE: Pages = { shown: [], text: '', attempts: [] };
/** A page may say this much, however many there are. */
const LEAST_CHARS = 200;

/** Rejects only with `aborted`, or when a picture cannot be kept. */
export async function readPages({ file, images, ofAll, vision, maxChars, keep }: PagesQuestion): Promise<Pages> {
  if (images.length === 0) return NONE;
  const kept = await Promise.all(
    images.map(({ data, mime }, page) => keep(data, { mime, name: `${file.name}-page-${page + 1}.png` })),
  );
  if (await vision.ofChatModel()) return { ...NONE, shown: kept };
  const read = await vision.reader();
  if (!read) return NONE;
  const said = await read(
    kept.map((picture, page) => pageFile(file, picture, images[page]!)),
    Math.max(LEAST_CHARS, Math.floor(maxChars / images.length)),
  );
  const written = said.flatMap(({ text }, page) =>
    text ? [said.length > 1 ? `Page ${page + 1}:\n${text}` : text] : [],
  );
  const attempts = once(said.flatMap((page) => page.attempts.filter(({ outcome }) => outcome !== 'success')));
  const by = said.find(({ chosen }) => chosen)?.chosen;
  if (!by) return { ...NONE, attempts };
  const unread =
    ofAll !== undefined && ofAll > images.length
      ? [`[the document has ${ofAll} pages, the first ${images.length} were looked at]`]
      : [];
  const chosen: Attempt = {
    ...by,
    reason: `read ${written.length} of ${ofAll ?? said.length} pages`,
    ms: said.reduce((sum, page) => sum + (page.chosen?.ms ?? 0), 0),
  };
  const label = `[recognised by ${nameOf(by)} from pictures of its pages]`;
  return {
    shown: [],
    text: trimText([label, ...written, ...unread].join('\n\n'), maxChars),
    attempts: [...attempts, chosen],
    chosen,
  };
}

const nameOf = ({ command, provider, model }: Attempt): string =>
  inertLine(command ?? [provider, model].filter(Boolean).join('/'));

/** A result that several pages share is reported once. */
const once = (attempts: readonly Attempt[]): readonly Attempt[] => [
  ...new Map(attempts.map((attempt) => [JSON.stringify({ ...attempt, ms: 0 }), attempt])).values(),
];

/** A page in the form of an attachment, so that the media step takes it. */
function pageFile(
  { index }: AttachmentFile,
  { path, mime, name = 'page.png' }: Attachment,
  { data }: PageImage,
): AttachmentFile {
  return {
    index,
    kind: 'image',
    mime,
    name,
    size: data.length,
    trouble: undefined,
    async path() {
      if (path === undefined) throw new AppError('not_found', `${name} was not kept.`);
      return path;
    },
    async bytes(maxBytes) {
      if (data.length > maxBytes)
        throw new AppError('too_large', `${name} has ${data.length} bytes, more than ${maxBytes}.`);
      return Buffer.from(data);
    },
  };
}
