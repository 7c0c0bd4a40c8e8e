/** JSON Feed 1.0 and 1.1. Source: https://www.jsonfeed.org/version/1.1/ */
import { parseJson } from '../../core/parse-json.ts';
import { present, type Feed, type FeedEntry, type FeedFile } from './feed.ts';

type Json = Readonly<Record<string, unknown>>;

/** Undefined when the text is not a JSON feed. */
export function jsonFeed(text: string): Feed | undefined {
  const root = objectOf(parseJson(text.replace(/^\uFEFF/, '')));
  if (!root || !Array.isArray(root.items) || !/^https?:\/\/jsonfeed\.org\/version\//.test(textOf(root.version) ?? ''))
    return undefined;
  const entries = root.items
    .map(objectOf)
    .filter((item) => item !== undefined)
    .map(entryOf);
  return present<Feed>({
    title: textOf(root.title),
    description: textOf(root.description),
    author: authorOf(root),
    updated: undefined,
    entries,
  });
}

function entryOf(item: Json): FeedEntry {
  return present<FeedEntry>({
    title: textOf(item.title),
    link: textOf(item.url) ?? textOf(item.external_url),
    date: textOf(item.date_published) ?? textOf(item.date_modified),
    author: authorOf(item),
    summary: textOf(item.summary),
    content: written(item.content_html) ?? written(item.content_text),
    files: (Array.isArray(item.attachments) ? item.attachments : []).map(objectOf).flatMap(fileOf),
  });
}

function fileOf(item: Json | undefined): FeedFile[] {
  const url = textOf(item?.url);
  if (url === undefined) return [];
  const [bytes, seconds] = [item?.size_in_bytes, item?.duration_in_seconds];
  return [
    present<FeedFile>({
      url,
      type: textOf(item?.mime_type),
      bytes: typeof bytes === 'number' ? bytes : undefined,
      duration: typeof seconds === 'number' ? String(seconds) : undefined,
    }),
  ];
}

function authorOf(from: Json): string | undefined {
  const first = Array.isArray(from.authors) ? from.authors[0] : from.author;
  return textOf(objectOf(first)?.name);
}

const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.replaceAll(/\s+/g, ' ').trim() : undefined;
const written = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
