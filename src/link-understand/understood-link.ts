/** The content of a link, and its three output formats. */
import type { Format } from './options.ts';
import { plainText } from '../documents/html/plain-text.ts';

export interface UnderstoodLink {
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  readonly title?: string;
  readonly author?: string;
  readonly date?: string;
  readonly site?: string;
  readonly contentType: string;
  /** Markdown where the source has structure. */
  readonly text: string;
  readonly truncated: boolean;
}

/** Types whose text is Markdown; that of others is as it was written. */
const MARKED = /html|markdown|xml|json/;

/** One line of JSON has every field, null where nothing is known. */
export function print(link: UnderstoodLink, format: Format): string {
  if (format === 'json') {
    const { url, finalUrl, contentType, text, truncated } = link;
    return JSON.stringify({
      url,
      finalUrl,
      title: link.title ?? null,
      author: link.author ?? null,
      date: link.date ?? null,
      site: link.site ?? null,
      contentType,
      text,
      truncated,
    });
  }
  const title = link.title === undefined ? undefined : oneLine(link.title);
  const head = [title === undefined ? undefined : format === 'text' ? title : `# ${title}`, ...facts(link)]
    .filter((line) => line !== undefined)
    .join('\n');
  return [head, format === 'text' && MARKED.test(link.contentType) ? plainText(link.text) : link.text]
    .filter((part) => part !== '')
    .join('\n\n');
}

function facts(link: UnderstoodLink): string[] {
  const known: readonly (readonly [string, string | undefined])[] = [
    ['Author', link.author],
    ['Date', link.date],
    ['Site', link.site],
    ['Redirected to', link.finalUrl === link.url ? undefined : link.finalUrl],
  ];
  return known.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLine(value)}`]));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
