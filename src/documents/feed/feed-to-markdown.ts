/** RSS, Atom and JSON feeds as a title and their newest entries. */
import { htmlToMarkdown, type PageMarkdown } from '../html/html-to-markdown.ts';
import { isoDate } from '../html/iso-date.ts';
import { plainText } from '../html/plain-text.ts';
import type { FeedEntry } from './feed.ts';
import { jsonFeed } from './json-feed.ts';
import { xmlFeed } from './xml-feed.ts';

export { looksLikeFeed } from './looks-like-feed.ts';

const MAX_ENTRIES = 20;
const SUMMARY_CHARS = 400;

/** Undefined when the text is no feed. `maxChars` bounds the work; the result may be somewhat longer and is not cut. */
export function feedToMarkdown(text: string, { url, maxChars }: { url?: string; maxChars: number }): PageMarkdown | undefined {
  const feed = /^\uFEFF?\s*\{/.test(text) ? jsonFeed(text) : xmlFeed(text);
  if (!feed) return undefined;
  const newest = [...feed.entries].sort((a, b) => instant(b) - instant(a)).slice(0, MAX_ENTRIES);
  const lines: string[] = [];
  let room = maxChars;
  for (const entry of newest) {
    if (room <= 0) break;
    const line = entryLine(entry, url);
    lines.push(line);
    room -= line.length;
  }
  const more = feed.entries.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  const about = feed.description === undefined ? '' : `${plainOf(feed.description)}\n\n`;
  const date = feed.updated ?? newest[0]?.date;
  return {
    ...(feed.title !== undefined && { title: feed.title }),
    ...(feed.author !== undefined && { author: feed.author }),
    ...(date !== undefined && { date: isoDate(date) }),
    markdown: `${about}${lines.join('\n')}`.trim(),
  };
}

/** Entries without a date keep their place behind the dated ones: sorting is stable. */
function instant(entry: FeedEntry): number {
  const at = entry.date === undefined ? Number.NaN : Date.parse(entry.date);
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}

function entryLine(entry: FeedEntry, url: string | undefined): string {
  const title = (entry.title === undefined ? '' : plainOf(entry.title)) || 'Untitled';
  const link = entry.link === undefined ? undefined : absolute(entry.link, url);
  const facts = [entry.date === undefined ? undefined : isoDate(entry.date), entry.author].filter((fact) => fact !== undefined).join(', ');
  const summary = entry.summary === undefined ? '' : plainOf(entry.summary);
  return `- ${link === undefined ? title : `[${title}](${link})`}${facts && ` (${facts})`}${summary && summary !== title ? `\n  ${summary}` : ''}`;
}

function absolute(link: string, base: string | undefined): string | undefined {
  const parsed = URL.parse(link, base);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

/** Entries carry HTML; one paragraph of it is enough to know what they are about. */
function plainOf(html: string): string {
  const source = html.slice(0, 8 * SUMMARY_CHARS);
  const text = (/[<&]/.test(source) ? plainText(htmlToMarkdown(source, { maxChars: 4 * SUMMARY_CHARS }).markdown) : source).replaceAll(/\s+/g, ' ').trim();
  return text.length > SUMMARY_CHARS ? `${text.slice(0, SUMMARY_CHARS)}…` : text;
}
