/**
 * Reads the text of a page rendered by scripts from its data: JSON-LD articles, offers, events, recipes and jobs, else
 * its embedded strings.
 */
import { parseJson } from '../../core/parse-json.ts';
import type { DomDocument } from './dom.ts';
import { itemsOf, namesIn, textIn, type Json } from './linked-data.ts';

export interface PageData {
  readonly items: readonly Json[];
  readonly state: readonly unknown[];
}

/** HTML or text as Markdown. */
type Written = (text: string) => string;

const MAX_SENTENCES = 400;
const MAX_NODES = 50_000;
/** Data about the page's machinery rather than its text, by key. */
const MACHINERY =
  /^(?:id|key|slug|url|uri|href|src|path|type|__typename|locale|lang|theme|csrf|token|nonce|build\w*|hash|class(?:Name)?|style|css|svg|icon|query|page|analytics|tracking|scripts?|env|config|i18n|messages|translations|cookie\w*|consent\w*|meta|seo|navigation|nav|footer|header|menu|\w*(?:Id|Url|Token|Hash|Slug))$/i;

/** Has to run before scripts are taken out. */
export function pageData(document: DomDocument): PageData {
  const scripts = [...document.querySelectorAll('script[type*="json"]')].map((script) => ({
    linked: /ld\+json/.test(script.getAttribute('type')!),
    value: parseJson(script.textContent ?? ''),
  }));
  return {
    items: scripts.filter(({ linked }) => linked).flatMap(({ value }) => itemsOf(value)),
    state: scripts.filter(({ linked }) => !linked).map(({ value }) => value),
  };
}

/** Empty when the data says nothing a person would read. */
export function structuredText({ items, state }: PageData, write: Written): string {
  const text = items
    .slice(0, 50)
    .map((item) => itemText(item, write))
    .filter((text) => text !== '')
    .join('\n\n');
  return text !== ''
    ? text
    : state
        .map((value) => sentencesOf(value, write))
        .filter((text) => text !== '')
        .join('\n\n');
}

const is = (item: Json, kind: RegExp): boolean =>
  [item['@type']].flat().some((type) => typeof type === 'string' && kind.test(type));

/** Sources: https://schema.org/Product, Event, Recipe, JobPosting, FAQPage, Article */
function itemText(item: Json, write: Written): string {
  if (is(item, /(?:WebSite|WebPage|BreadcrumbList|Organization|Person|ImageObject|SearchAction)$/))
    return is(item, /FAQPage$/) ? questions(item, write) : '';
  const body = [item.articleBody, item.text, item.description, item.abstract].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  ) as string | undefined;
  const parts = [body === undefined ? '' : prose(body, write)];
  if (is(item, /FAQPage$/)) parts.push(questions(item, write));
  if (is(item, /Event$|Festival$/))
    parts.push(
      facts(
        ['When', span(textIn(item.startDate), textIn(item.endDate))],
        ['Where', placeIn(item.location)],
        ['With', namesIn(item.performer)],
        ['By', namesIn(item.organizer)],
      ),
    );
  if (is(item, /Recipe$/)) parts.push(recipe(item, write));
  if (is(item, /JobPosting$/))
    parts.push(
      facts(
        ['Employer', namesIn(item.hiringOrganization)],
        ['Where', placeIn(item.jobLocation)],
        ['Pay', payIn(item.baseSalary)],
        ['Kind', listed(item.employmentType)],
        ['Apply by', textIn(item.validThrough)],
      ),
    );
  if (is(item, /Product$|Vehicle$|Book$|SoftwareApplication$/))
    parts.push(facts(['Brand', namesIn(item.brand)], ['Rating', ratingIn(item.aggregateRating)]));
  if (is(item, /LocalBusiness$|Restaurant$|Store$|Place$|Hotel$/))
    parts.push(
      facts(['Address', placeIn(item.address)], ['Phone', textIn(item.telephone)], ['Open', listed(item.openingHours)]),
    );
  parts.push(...[item.offers].flat().slice(0, 20).map(offer));
  return parts.filter((part) => part !== '').join('\n\n');
}

function facts(...rows: readonly (readonly [string, string | undefined])[]): string {
  return rows
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`- ${name}: ${value}`]))
    .join('\n');
}

function recipe(item: Json, write: Written): string {
  const ingredients = [item.recipeIngredient]
    .flat()
    .map(textIn)
    .filter((text) => text !== undefined)
    .slice(0, 200);
  const steps = stepsIn(item.recipeInstructions).slice(0, 200);
  return [
    facts(['Time', durationIn(item.totalTime)], ['Yield', listed(item.recipeYield)]),
    ingredients.map((text) => `- ${text}`).join('\n'),
    steps.map((text, index) => `${index + 1}. ${write(text).replaceAll('\n', ' ')}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function stepsIn(value: unknown, depth = 0): string[] {
  return [value]
    .flat()
    .slice(0, 200)
    .flatMap((step) => {
      const one = textIn(step) ?? textIn(objectOf(step)?.text);
      if (one !== undefined) return [one];
      const inner = objectOf(step)?.itemListElement;
      return inner === undefined || depth > 3 ? [] : stepsIn(inner, depth + 1);
    });
}

function offer(value: unknown): string {
  const one = objectOf(value);
  if (!one) return '';
  const [low, high] = [priceIn(one.price) ?? priceIn(one.lowPrice), priceIn(one.highPrice)];
  if (low === undefined) return '';
  const stock = textIn(one.availability)
    ?.replace(/^.*\//, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const [name, url] = [textIn(one.name), textIn(one.url)];
  return (
    '- ' +
    `${[name && `${name}:`, `${low}${high !== undefined && high !== low ? `–${high}` : ''}`, textIn(one.priceCurrency), stock && `(${stock})`, url && /^https?:/.test(url) && url].filter(Boolean).join(' ')}`
  );
}

function questions(item: Json, write: Written): string {
  return [item.mainEntity]
    .flat()
    .slice(0, 100)
    .map(objectOf)
    .map((one) => {
      const [name, answer] = [textIn(one?.name), textIn(objectOf([one?.acceptedAnswer].flat()[0])?.text)];
      return name === undefined || answer === undefined ? '' : `## ${name}\n\n${write(answer)}`;
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

function placeIn(value: unknown, depth = 0): string | undefined {
  const first = [value].flat()[0];
  if (typeof first === 'string') return textIn(first);
  const place = objectOf(first);
  if (!place || depth > 2) return undefined;
  const address = place.address === undefined ? undefined : placeIn(place.address, depth + 1);
  return (
    [
      textIn(place.name),
      address,
      textIn(place.streetAddress),
      [textIn(place.postalCode), textIn(place.addressLocality)].filter(Boolean).join(' '),
      textIn(place.addressCountry),
    ]
      .filter(Boolean)
      .join(', ') || undefined
  );
}

function payIn(value: unknown): string | undefined {
  const pay = objectOf(value);
  const amount = objectOf(pay?.value);
  const [low, high] = [priceIn(amount?.minValue ?? amount?.value ?? pay?.value), priceIn(amount?.maxValue)];
  return low === undefined
    ? undefined
    : (
        `${low}${high === undefined ? '' : `–${high}`} ${textIn(pay?.currency) ?? ''} ` +
        `${textIn(amount?.unitText)?.toLowerCase() ?? ''}`
      ).trim();
}

function ratingIn(value: unknown): string | undefined {
  const rating = objectOf(value);
  const [stars, count] = [priceIn(rating?.ratingValue), priceIn(rating?.reviewCount ?? rating?.ratingCount)];
  return stars === undefined ? undefined : `${stars}${count === undefined ? '' : ` (${count} reviews)`}`;
}

const span = (from: string | undefined, to: string | undefined): string | undefined =>
  from === undefined
    ? undefined
    : [from, to]
        .filter(Boolean)
        .map((at) => at!.replace('T', ' ').replace(/(?<=:\d\d):00(?=$|[+Z-])/, ''))
        .join(' to ');
const durationIn = (value: unknown): string | undefined =>
  textIn(value)
    ?.replace(/^P(?:T)?(?=\d)/, '')
    .replace(/(\d+)H/, '$1 h ')
    .replace(/(\d+)M$/, '$1 min')
    .trim();
const priceIn = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : textIn(value));
const listed = (value: unknown): string | undefined =>
  [value].flat().slice(0, 20).map(priceIn).filter(Boolean).join(', ') || undefined;
const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const UNESCAPED: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Text may be HTML, and HTML may be escaped once more. */
function prose(text: string, write: Written): string {
  const html = /&lt;\/?\w/.test(text) ? text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => UNESCAPED[entity]!) : text;
  return /<\/?\w/.test(html)
    ? write(html)
    : html
        .split(/\n\s*\n/)
        .map((part) => part.replaceAll(/\s+/g, ' ').trim())
        .filter((part) => part !== '')
        .join('\n\n');
}

/** Sentences of the data in order; names, addresses and numbers cannot be distinguished from internal data. */
function sentencesOf(value: unknown, write: Written): string {
  const found = new Set<string>();
  let nodes = 0;
  const visit = (at: unknown, depth: number): void => {
    if (nodes++ > MAX_NODES || found.size >= MAX_SENTENCES || depth > 30) return;
    if (typeof at === 'string') {
      if (isSentence(at)) found.add(prose(at, write));
    } else if (Array.isArray(at)) for (const item of at) visit(item, depth + 1);
    else if (typeof at === 'object' && at !== null)
      for (const [key, item] of Object.entries(at))
        if (!MACHINERY.test(key) || (typeof item === 'object' && depth < 2)) visit(item, depth + 1);
  };
  visit(value, 0);
  return [...found].join('\n\n');
}

const isSentence = (text: string): boolean =>
  text.length >= 20 &&
  /\p{L}[\p{L}\p{M}’'.,;:!?–-]*\s+\P{C}/u.test(text) &&
  !/[{}]|^\s*(?:https?:|data:|\/|@|\.)|=>|;\s*$|function\s*\(/.test(text.replaceAll(/<[^>]{0,500}>/g, ' '));
