/** Converts RSS, Atom and JSON feeds to a title and their newest entries. */
import { excerpt } from '../../core/cut.ts';
import { present } from '../../core/present.ts';
import { htmlToMarkdown, type PageMarkdown } from '../html/html-to-markdown.ts';
import { isoDate } from '../html/iso-date.ts';
import { plainText } from '../html/plain-text.ts';
import type { FeedEntry, FeedFile } from './feed.ts';
import { jsonFeed } from './json-feed.ts';
import { xmlFeed } from './xml-feed.ts';

export { isLikelyFeed } from './is-likely-feed.ts';

const MAX_ENTRIES = 20;
/** Of an entry at least; more when there are few of them. */
const ENTRY_CHARS = 400;
const MAX_FILES = 5;
/** Letters by which a summary is known to be the beginning of the text. */
const SAME_CHARS = 60;

/** Undefined when the text is no feed. `maxChars` bounds the work; the result may be somewhat longer and is not cut. */
export function feedToMarkdown(
  text: string,
  { url, maxChars }: { url?: string; maxChars: number },
): PageMarkdown | undefined {
  const feed = /^\uFEFF?\s*\{/.test(text) ? jsonFeed(text) : xmlFeed(text);
  if (!feed) return undefined;
  const newest = [...feed.entries].sort((a, b) => instant(b) - instant(a)).slice(0, MAX_ENTRIES);
  const lines: string[] = [];
  let room = maxChars;
  for (const entry of newest) {
    if (room <= 0) break;
    const line = entryLine(entry, { url, chars: Math.max(ENTRY_CHARS, Math.floor(maxChars / newest.length)) });
    lines.push(line);
    room -= line.length;
  }
  const more = feed.entries.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  const about = feed.description === undefined ? '' : `${plainOf(feed.description, ENTRY_CHARS)}\n\n`;
  const date = feed.updated ?? newest[0]?.date;
  return present({
    title: feed.title,
    author: feed.author,
    date: date !== undefined ? isoDate(date) : undefined,
    markdown: `${about}${lines.join('\n')}`.trim(),
  });
}

/** Entries without a date keep their place behind the dated ones: sorting is stable. */
function instant(entry: FeedEntry): number {
  const at = entry.date === undefined ? Number.NaN : Date.parse(entry.date);
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}

interface Wanted {
  readonly url: string | undefined;
  readonly chars: number;
}

function entryLine(entry: FeedEntry, { url, chars }: Wanted): string {
  const title = (entry.title === undefined ? '' : plainOf(entry.title, ENTRY_CHARS)) || 'Untitled';
  const link = entry.link === undefined ? undefined : absolute(entry.link, url);
  const facts = [entry.date === undefined ? undefined : isoDate(entry.date), entry.author]
    .filter((fact) => fact !== undefined)
    .join(', ');
  const files = entry.files
    .slice(0, MAX_FILES)
    .map((file) => fileLine(file, url))
    .filter((line) => line !== undefined);
  const lines = [bodyOf(entry, { url: link ?? url, chars }), ...files]
    .filter((text) => text !== '' && text !== title)
    .join('\n')
    .split('\n');
  return [
    `- ${link === undefined ? title : `[${title}](${link})`}${facts && ` (${facts})`}`,
    ...lines.map((line) => line && `  ${line}`),
  ]
    .join('\n')
    .trimEnd();
}

/** The whole text where a feed carries it; the summary before it, unless the text begins with it. */
function bodyOf({ summary, content }: FeedEntry, wanted: Wanted): string {
  const [short, whole] = [markdownOf(summary ?? '', wanted), markdownOf(content ?? '', wanted)];
  const beginning = bare(short).slice(0, SAME_CHARS);
  return whole === '' || bare(whole).startsWith(beginning) ? whole || short : `${short}\n\n${whole}`;
}

function fileLine({ url, type, bytes, duration }: FeedFile, base: string | undefined): string | undefined {
  const link = absolute(url, base);
  const size = bytes === undefined ? undefined : `${(bytes / 1e6).toFixed(1)} MB`;
  const facts = [
    type,
    size,
    duration !== undefined && /^\d+$/.test(duration) ? `${Math.ceil(Number(duration) / 60)} min` : duration,
  ].filter((fact) => fact !== undefined);
  return link && `File: ${link}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function absolute(link: string, base: string | undefined): string | undefined {
  const parsed = URL.parse(link, base);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

/** What blog engines put below each entry of a feed. */
const BELOW = /^The post .{1,300} (?:appeared first|first appeared) on .{1,200}$/gm;

/** Cut at its share: the reader should see what else the feed has. */
function markdownOf(written: string, { url, chars }: Wanted): string {
  const source = written.slice(0, 8 * chars);
  const text = /<\/?\w|&[#\w]+;/.test(source)
    ? htmlToMarkdown(source, present({ maxChars: chars, url })).markdown
    : source.trim();
  return excerpt(text.replaceAll(BELOW, '').trim(), chars);
}

/** Titles carry HTML as well. */
function plainOf(html: string, chars: number): string {
  const source = html.slice(0, 8 * chars);
  return excerpt(
    (/[<&]/.test(source) ? plainText(htmlToMarkdown(source, { maxChars: 4 * chars }).markdown) : source)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    chars,
  );
}

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
