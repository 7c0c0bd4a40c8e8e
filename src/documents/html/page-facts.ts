/** Reads title, author, date, site and description: from OpenGraph, JSON-LD and meta tags, else from the text. */
import { present } from '../../core/present.ts';
import { textOf, type DomDocument } from './dom.ts';
import { isoDate } from './iso-date.ts';
import { linkedData } from './linked-data.ts';
import type { Page } from './open-page.ts';
import { head } from '../../core/cut.ts';

export interface PageFacts {
  readonly title?: string;
  readonly author?: string;
  readonly date?: string;
  readonly site?: string;
  readonly description?: string;
}

const MAX_CHARS = 300;
const MAX_DESCRIPTION = 5000;

/** Sources: https://ogp.me, https://schema.org/Article, WHATWG HTML "standard metadata names". */
export function pageFacts({ document }: Page): PageFacts {
  const metas = metaTags(document);
  const meta = (...names: string[]): string | undefined =>
    names.map((name) => metas.get(name)).find((value) => value !== undefined);
  const data = linkedData(document);
  const inPage = (selector: string): string | undefined => textOr(document.querySelector(selector));
  const site = short(meta('og:site_name') ?? data.site ?? meta('application-name', 'dc.publisher'));
  const title = short(
    meta('og:title', 'twitter:title', 'dc.title') ?? data.title ?? withoutSite(inPage('title'), site) ?? inPage('h1'),
  );
  const by = document.querySelector('[itemprop~=author]');
  const author = short(
    [
      meta('author', 'article:author', 'dc.creator'),
      all(document, 'citation_author'),
      meta('parsely-author'),
      data.author,
      inPage('[rel~=author]'),
      textOr(by?.querySelector('[itemprop~=name]') ?? null),
      textOr(by ?? null),
      inPage('.p-author, .byline .author, .author-name'),
    ].find(isName),
  );
  const date =
    meta(
      'article:published_time',
      'og:published_time',
      'date',
      'pubdate',
      'dc.date',
      'dcterms.created',
      'citation_publication_date',
      'parsely-pub-date',
    ) ??
    data.date ??
    dateInPage(document);
  const description =
    meta('og:description', 'description', 'twitter:description')?.slice(0, MAX_DESCRIPTION) ?? data.description;
  return present({ title, author, date: date !== undefined ? isoDate(date) : undefined, site, description });
}

/** By lower-case name; the first of a name counts. */
function metaTags(document: DomDocument): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const tag of document.querySelectorAll('meta[content]')) {
    const value = tag.getAttribute('content')!.replaceAll(/\s+/g, ' ').trim();
    for (const name of [tag.getAttribute('property'), tag.getAttribute('name')]) {
      if (name && value && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
    }
  }
  return found;
}

function dateInPage(document: DomDocument): string | undefined {
  const time =
    document.querySelector('[itemprop~=datePublished]') ??
    document.querySelector('article time[datetime], main time[datetime]') ??
    document.querySelector('time[datetime], relative-time[datetime]');
  return time ? (time.getAttribute('datetime') ?? time.getAttribute('content') ?? textOr(time)) : undefined;
}

/** A tag for each author. */
function all(document: DomDocument, name: string): string | undefined {
  return (
    [...document.querySelectorAll(`meta[name="${name}"]`)]
      .slice(0, 10)
      .map((tag) => tag.getAttribute('content')?.trim())
      .filter(Boolean)
      .join(', ') || undefined
  );
}

/** `Title – Site` → `Title`, when the site says its name. */
function withoutSite(title: string | undefined, site: string | undefined): string | undefined {
  if (title === undefined || site === undefined) return title;
  const at = title.toLowerCase().lastIndexOf(site.toLowerCase());
  const ending =
    at > 0 && at + site.length === title.length ? /(?<!\s)\s+[-–—|·:»]\s+$/.exec(title.slice(0, at)) : null;
  return ending ? title.slice(0, ending.index) : title;
}

/** Some pages put the address of a profile where the name belongs. */
const isName = (text: string | undefined): boolean =>
  text !== undefined && !/^https?:/i.test(text) && text.length <= MAX_CHARS;
const textOr = (element: Parameters<typeof textOf>[0] | null): string | undefined =>
  (element && textOf(element)) || undefined;
const short = (text: string | undefined): string | undefined => text && head(text, MAX_CHARS);
