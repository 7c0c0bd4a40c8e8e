/** Reads what is written as text: web pages and feeds become Markdown, everything else stays as it is. */
import { decodeBytes, type Decoded } from '../../platform/charset/decode-bytes.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { htmlCharset } from '../html/html-charset.ts';

export async function readText({ bytes, charset, url, maxChars }: ReadQuestion, mime: string): Promise<Reading> {
  const isMarkup = /html|xml/.test(mime);
  const declared = charset ?? (isMarkup ? htmlCharset(bytes) : undefined);
  // Four bytes are the most a character takes; markup has to be seen whole.
  const needed = isMarkup ? bytes : bytes.subarray(0, Math.max(64 * 1024, (maxChars + 1) * 4));
  const decoded = decodeBytes(needed, declared === undefined ? {} : { declared });
  if (!decoded) throw new Unreadable('unsupported', 'Its bytes are no text in any common character set.');
  const size = { maxChars, ...(url === undefined ? {} : { url }) };
  if (/rss|atom/.test(mime)) return fromFeed(decoded, { mime, ...size });
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return fromPage(decoded, { mime, ...size });
  return { kind: kindOf(mime), mime, text: decoded.text, charset: decoded.charset, truncated: needed.length < bytes.length };
}

interface Wanted { readonly mime: string; readonly maxChars: number; readonly url?: string }

async function fromPage({ text, charset }: Decoded, { mime, ...size }: Wanted): Promise<Reading> {
  const { htmlToMarkdown } = await import('../html/html-to-markdown.ts');
  const { markdown, ...facts } = htmlToMarkdown(text, size);
  return { kind: 'html', mime, charset, ...facts, text: markdown };
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
