/** Reads the JSON-LD of a page. Source: https://schema.org/Article, https://schema.org/VideoObject */
import { parseJson } from '../../core/parse-json.ts';
import type { DomDocument } from './dom.ts';

export interface LinkedData {
  readonly title?: string;
  readonly author?: string;
  readonly date?: string;
  readonly site?: string;
  readonly description?: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** Descriptions of the page itself; a page also describes breadcrumbs, organisations and searches. */
const ABOUT_PAGE =
  /(Article|Posting|Report|WebPage|VideoObject|Question|Recipe|Product|Event|Book|Course|SoftwareSourceCode|Dataset|CreativeWork|PodcastEpisode)$/;
const MAX_ITEMS = 200;

export function linkedData(document: DomDocument): LinkedData {
  const items = [...document.querySelectorAll('script[type*="ld+json"]')]
    .flatMap((script) => itemsOf(parseJson(script.textContent ?? '')))
    .slice(0, MAX_ITEMS);
  const about = items.filter((item) =>
    [item['@type']].flat().some((type) => typeof type === 'string' && ABOUT_PAGE.test(type)),
  );
  // An article on a page says more than the page around it.
  about.sort((a, b) => Number(/WebPage/.test(String(a['@type']))) - Number(/WebPage/.test(String(b['@type']))));
  const first = (read: (item: Json) => string | undefined): string | undefined =>
    about.map(read).find((value) => value !== undefined);
  const facts = {
    title: first((item) => textIn(item.headline) ?? textIn(item.name) ?? textIn(item.title)),
    author: first((item) => namesIn(item.author) ?? namesIn(item.creator)),
    date: first(
      (item) =>
        textIn(item.datePublished) ?? textIn(item.uploadDate) ?? textIn(item.dateCreated) ?? textIn(item.datePosted),
    ),
    site: first((item) => namesIn(item.publisher) ?? namesIn(item.isPartOf)),
    description: first((item) => textIn(item.description)),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Top-level items, those of an array and those of an `@graph`. */
export function itemsOf(value: unknown): Json[] {
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).flatMap((item) => (Array.isArray(item) ? [] : itemsOf(item)));
  if (typeof value !== 'object' || value === null) return [];
  const graph = (value as Json)['@graph'];
  return [
    value as Json,
    ...(Array.isArray(graph)
      ? graph.filter((item): item is Json => typeof item === 'object' && item !== null && !Array.isArray(item))
      : []),
  ];
}

export function namesIn(value: unknown): string | undefined {
  const names = [value]
    .flat()
    .slice(0, 5)
    .map((one) => textIn(one) ?? (typeof one === 'object' && one !== null ? textIn((one as Json).name) : undefined));
  return names.filter((name) => name !== undefined).join(', ') || undefined;
}

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.replaceAll(/\s+/g, ' ').trim() : undefined;
