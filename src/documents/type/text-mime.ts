/** Detects the media type of a text: by its beginning, then its name, then the declared type, then its rows. */
import { extname } from 'node:path';
import { bareMime } from '../../core/media-type.ts';
import { guessDelimiter } from './guess-delimiter.ts';
import { decodeBytes } from '../../platform/charset/decode-bytes.ts';
import { EXTENSIONS } from './extensions.ts';

const SAMPLE = 64 * 1024;
const TEXTUAL =
  /^(text\/|message\/rfc822$|image\/svg\+xml$|application\/([\w.+-]*(xml|json|yaml|javascript|sql)|x-ndjson|x-sh|toml)$)/;

/** Enough of it to tell. */
export const decodeSample = (bytes: Uint8Array, charset: string): string =>
  decodeBytes(bytes.subarray(0, SAMPLE), { declared: charset })?.text ?? '';

/** Bare `type/subtype`. */
export function textMime(
  sample: string,
  { name, mime }: { name?: string | undefined; mime?: string | undefined },
): string {
  const shown = shownMime(sample);
  if (shown) return shown;
  const byName =
    EXTENSIONS[
      extname(name ?? '')
        .slice(1)
        .toLowerCase()
    ];
  if (byName && TEXTUAL.test(byName)) return byName;
  const claimed = bareMime(mime);
  if (claimed && TEXTUAL.test(claimed) && claimed !== 'text/plain') return claimed;
  return tableMime(sample) ?? looseMime(sample) ?? 'text/plain';
}

/** What no name can hide. */
function shownMime(sample: string): string | undefined {
  const head = sample
    .slice(0, 4096)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^<!doctype\s+html|^<html[\s>]/i.test(head)) return 'text/html';
  if (head.startsWith('BEGIN:VCALENDAR')) return 'text/calendar';
  if (head.startsWith('BEGIN:VCARD')) return 'text/vcard';
  if (isMail(head)) return 'message/rfc822';
  return head.startsWith('<') ? xmlMime(head) : undefined;
}

/** Each part can be read in one way only: what comes before the root is the sender's to choose. */
const XML_HEAD = /^(?:<!--(?:(?!-->)[\s\S])*-->\s*|<\?[^>]*>\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([\w:]+)/i;
const XML_ROOTS: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  rss: 'application/rss+xml',
  feed: 'application/atom+xml',
  'rdf:rdf': 'application/rss+xml',
  html: 'text/html',
};

function xmlMime(head: string): string | undefined {
  const root = XML_HEAD.exec(head)?.[1]?.toLowerCase();
  if (root !== undefined && Object.hasOwn(XML_ROOTS, root)) return XML_ROOTS[root];
  return /^<\?xml\s/i.test(head) ? 'application/xml' : undefined;
}

/** Several header lines at the very beginning, among them who wrote it. */
function isMail(head: string): boolean {
  const headers = head.split(/\r?\n\r?\n/, 1)[0]!;
  const names = [...headers.matchAll(/^([A-Za-z][A-Za-z-]{1,40}):[ \t]/gm)].map((match) => match[1]!.toLowerCase());
  const firstLine = /^[A-Za-z][A-Za-z-]{1,40}:[ \t]/.test(head);
  const known = [
    'received',
    'message-id',
    'mime-version',
    'subject',
    'date',
    'to',
    'return-path',
    'delivered-to',
  ].filter((name) => names.includes(name));
  return firstLine && names.includes('from') && known.length >= 2;
}

function tableMime(sample: string): string | undefined {
  const delimiter = guessDelimiter(sample);
  if (delimiter === undefined) return undefined;
  return delimiter === '\t' ? 'text/tab-separated-values' : 'text/csv';
}

/** Files without a telling name. */
function looseMime(sample: string): string | undefined {
  const trimmed = sample.trim();
  if (trimmed.length < 65_000 && /^(\{[\s\S]*\}|\[[\s\S]*\])$/.test(trimmed) && isJson(trimmed))
    return 'application/json';
  return /^#!.*\b(ba|z|da)?sh\b/.test(trimmed) ? 'application/x-sh' : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return false;
  }
}
