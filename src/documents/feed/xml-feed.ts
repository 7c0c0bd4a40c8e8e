/** RSS 0.9–2.0, RSS 1.0 (RDF) and Atom 1.0. Sources: https://www.rssboard.org/rss-specification, RFC 4287 */
import { DOMParser } from 'linkedom';
import { boundMarkup } from '../html/bound-markup.ts';
import { textOf as plainText, type DomDocument, type DomElement } from '../html/dom.ts';
import { present, type Feed, type FeedEntry, type FeedFile } from './feed.ts';

/** Undefined when the text is not such a feed. Entities of a DOCTYPE are not expanded. */
export function xmlFeed(text: string): Feed | undefined {
  const root = (new DOMParser().parseFromString(boundMarkup(text, { xml: true }), 'text/xml') as unknown as DomDocument)
    .documentElement;
  const name = root === null ? undefined : localName(root);
  if (!root || (name !== 'rss' && name !== 'feed' && name !== 'rdf')) return undefined;
  const head = name === 'feed' ? root : (children(root, 'channel')[0] ?? root);
  const items =
    name === 'feed'
      ? children(root, 'entry')
      : [...children(head, 'item'), ...(head === root ? [] : children(root, 'item'))];
  return present<Feed>({
    title: first(head, ['title']),
    description: first(head, ['description', 'subtitle']),
    author: authorOf(head),
    updated: first(head, ['updated', 'lastbuilddate', 'pubdate', 'date']),
    entries: items.map(entryOf),
  });
}

function entryOf(item: DomElement): FeedEntry {
  return present<FeedEntry>({
    title: first(item, ['title']),
    link: linkOf(item),
    date: first(item, ['pubdate', 'published', 'date', 'updated', 'issued']),
    author: authorOf(item),
    summary:
      first(item, ['description', 'summary']) ??
      children(item, 'group')
        .map((group) => first(group, ['description']))
        .find((text) => text !== undefined),
    content: [...children(item, 'encoded'), ...children(item, 'content')]
      .map(markupOf)
      .find((text) => text !== undefined),
    files: filesOf(item),
  });
}

/** Escaped markup is text here; XHTML is a part of the feed. */
function markupOf(element: DomElement): string | undefined {
  const inside = [...element.children].map(({ outerHTML }) => outerHTML).join('');
  return (inside || (element.textContent ?? '')).trim() || undefined;
}

/** RSS has elements for files, Atom has links; an episode's duration is in a separate element. */
function filesOf(item: DomElement): FeedFile[] {
  const duration = first(item, ['duration']);
  return [
    ...children(item, 'enclosure'),
    ...children(item, 'link').filter((link) => link.getAttribute('rel') === 'enclosure'),
  ].flatMap((file) => {
    const url = file.getAttribute('url') ?? file.getAttribute('href');
    const bytes = Number(file.getAttribute('length') ?? 0);
    return url === null
      ? []
      : [
          present<FeedFile>({
            url,
            type: file.getAttribute('type') ?? undefined,
            bytes: bytes > 0 ? bytes : undefined,
            duration,
          }),
        ];
  });
}

function authorOf(from: DomElement): string | undefined {
  const author = children(from, 'author')[0];
  return (author && first(author, ['name'])) ?? first(from, ['creator', 'author', 'managingeditor']);
}

/** RSS writes the address as text, Atom as an attribute; a permalink may stand in `guid`. */
function linkOf(item: DomElement): string | undefined {
  const links = children(item, 'link');
  const page =
    links.find((link) => (link.getAttribute('rel') ?? 'alternate') === 'alternate' && link.getAttribute('href')) ??
    links.find((link) => link.getAttribute('href'));
  const guid = children(item, 'guid').find((id) => id.getAttribute('isPermaLink') !== 'false');
  return page?.getAttribute('href') ?? links.map(textOf).find((text) => text !== undefined) ?? (guid && textOf(guid));
}

/** Namespace prefixes differ between feeds and are ignored; unprefixed names come first. */
function first(from: DomElement, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = children(from, name)
      .sort((a, b) => a.tagName.length - b.tagName.length)
      .map(textOf)
      .find((text) => text !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

const children = (from: DomElement, name: string): DomElement[] =>
  [...from.children].filter((child) => localName(child) === name);
const localName = (element: DomElement): string =>
  element.tagName.slice(element.tagName.lastIndexOf(':') + 1).toLowerCase();

function textOf(element: DomElement): string | undefined {
  return plainText(element) || undefined;
}
