/** Reads text files: web pages and feeds become Markdown, other text is unchanged. */
import { present } from '../../core/present.ts';
import { decodeBytes, isEightBitText, type Decoded, type OldCharsets } from '../../platform/charset/decode-bytes.ts';
import { type Reading, type ReadQuestion, UNKNOWN_CHARSET, Unreadable } from '../document.ts';
import { htmlCharset } from '../html/html-charset.ts';

export async function readText({ bytes, charset, url, maxChars }: ReadQuestion, mime: string): Promise<Reading> {
  const isMarkup = /html|xml/.test(mime);
  const declared = charset ?? (isMarkup ? htmlCharset(bytes) : undefined);
  // Four bytes are the most a character takes; markup and notebooks have to be seen whole.
  const needed = isMarkup || mime === NOTEBOOK ? bytes : bytes.subarray(0, Math.max(64 * 1024, (maxChars + 1) * 4));
  const decoded = (await decode(needed, declared)) ?? plainLetters(needed);
  if (!decoded)
    throw new Unreadable('unsupported', 'Its character set could not be detected. Save it as UTF-8 and send it again.');
  const size = present({ maxChars, url });
  if (/rss|atom/.test(mime)) return fromFeed(decoded, { mime, ...size });
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return fromPage(decoded, { mime, ...size });
  if (mime === NOTEBOOK) return fromNotebook(decoded, mime);
  return {
    kind: kindOf(mime),
    mime,
    text: decoded.text,
    charset: decoded.charset,
    truncated: needed.length < bytes.length,
  };
}

/** The models of languages are loaded when there is something to tell apart. */
async function decode(bytes: Uint8Array, declared: string | undefined): Promise<Decoded | undefined> {
  const modern = decodeBytes(bytes, { declared, old: MODERN_ONLY });
  if (modern && !modern.text.includes('\uFFFD')) return modern;
  const { guessing } = await import('../../platform/charset/guess-text.ts');
  return decodeBytes(bytes, { declared, old: guessing });
}

const MODERN_ONLY: OldCharsets = {
  guess: () => undefined,
  reads: () => undefined,
  decode: (charset, bytes) => new TextDecoder(charset).decode(bytes),
};

/** With more letters that cannot be read than this the rest says little. */
const MAX_UNREAD = 0.2;

/** What of a text of unknown charset is sure; each byte beyond ASCII is shown as unread. */
function plainLetters(bytes: Uint8Array): Decoded | undefined {
  const foreign = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0);
  if (foreign > bytes.length * MAX_UNREAD || !isEightBitText(bytes)) return undefined;
  return {
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString('latin1')
      .replaceAll(/[\x80-\xFF]/g, '\uFFFD'),
    charset: UNKNOWN_CHARSET,
  };
}

interface Wanted {
  readonly mime: string;
  readonly maxChars: number;
  readonly url?: string;
}

async function fromPage({ text, charset }: Decoded, { mime, ...size }: Wanted): Promise<Reading> {
  const { htmlToMarkdown } = await import('../html/html-to-markdown.ts');
  const { markdown, ...facts } = htmlToMarkdown(text, size);
  return { kind: 'html', mime, charset, ...facts, text: markdown };
}

const NOTEBOOK = 'application/x-ipynb+json';

async function fromNotebook({ text, charset }: Decoded, mime: string): Promise<Reading> {
  const { notebookToMarkdown } = await import('./notebook.ts');
  return { kind: 'json', mime, charset, text: notebookToMarkdown(text) ?? text };
}

async function fromFeed({ text, charset }: Decoded, { mime, ...size }: Wanted): Promise<Reading> {
  const { feedToMarkdown } = await import('../feed/feed-to-markdown.ts');
  const feed = feedToMarkdown(text, size);
  if (!feed) return { kind: 'text', mime, charset, text };
  const { markdown, ...facts } = feed;
  return { kind: 'feed', mime, charset, ...facts, text: markdown };
}

function kindOf(mime: string): 'json' | 'table' | 'text' {
  if (mime.endsWith('json')) return 'json';
  return mime === 'text/csv' || mime === 'text/tab-separated-values' ? 'table' : 'text';
}
