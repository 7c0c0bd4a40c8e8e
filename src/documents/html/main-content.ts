/**
 * Finds the main content of a page: its main element, else what Readability finds, else the body without navigation.
 */
import { Readability } from '@mozilla/readability';
import { textOf, type DomDocument, type DomElement } from './dom.ts';
import type { Page } from './open-page.ts';
import { isConsentBanner, removeAll } from './remove-hidden.ts';
import { removeNoise } from './remove-noise.ts';

const FURNITURE =
  'nav, footer, aside, [role="navigation"], [role="contentinfo"], [role="search"], [role="alertdialog"], ' +
  '[role="dialog"], [role="banner"], [role="complementary"]';
/** What stands beside a text inside its article: a quotation, a definition, a remark. */
const BESIDE = 'article, main, .post, [itemprop~="comment"]';
const MAIN = 'main, [role="main"]';
const LIKELY = `${MAIN}, [itemprop~="articleBody"], article, #content, #main`;
/** Readability takes seconds for more. */
const MAX_FOR_READABILITY = 12_000;
/** In less, leaving out the wrong part costs more than the noise does. */
const MIN_FOR_READABILITY = 1000;
/** With less than this, a page has no text of its own. */
const FEW_CHARS = 80;

/** Changes the page: furniture is gone afterwards. */
export function mainContent({ document }: Page): DomElement {
  const { body } = document;
  removeAll(document, FURNITURE, isFurniture);
  removeAll(document, '[id], [class], [aria-label]', isConsentBanner);
  removeNoise(document);
  const main = largest(document, MAIN);
  const whole = textOf(body).length;
  if (main && textOf(main).length >= Math.min(FEW_CHARS, whole * 0.5)) return main;
  const likely = largest(document, LIKELY);
  if (likely && textOf(likely).length >= whole * 0.6) return likely;
  const article = whole < MIN_FOR_READABILITY ? undefined : readable(document);
  // Readability may take one comment of a thread for the article, and leaves out what it takes for asides: only much
  // less is a reason to follow it.
  if (article && textOf(article).length >= whole * 0.4 && textOf(article).length < whole * 0.7) return article;
  removeAll(body, 'header', (element) => element.querySelector('h1') === null);
  return body;
}

/** A header or footer of a comment or an article belongs to it; so does a quotation set as an aside. */
function isFurniture(element: DomElement): boolean {
  if (element.matches('nav, [role="navigation"]')) return true;
  if (
    element.matches('aside') &&
    (element.matches('.quote, .admonition, .callout, .note, .pullquote') ||
      element.querySelector('blockquote') !== null)
  )
    return false;
  return (
    element.closest(element.matches('aside, footer') ? BESIDE : 'article') === null ||
    element.matches('[role="dialog"], [role="alertdialog"], [role="search"]')
  );
}

function readable(document: DomDocument): DomElement | undefined {
  if (document.querySelectorAll('*').length > MAX_FOR_READABILITY) return undefined;
  const copy = document.cloneNode(true);
  try {
    const found = new Readability<DomElement>(copy as never, {
      serializer: (node) => node as unknown as DomElement,
      charThreshold: 200,
      disableJSONLD: true,
      keepClasses: true,
    }).parse();
    return found?.content ?? undefined;
  } catch (error) {
    // Readability expects a browser's tree in places; a page it stumbles over is taken whole.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** The one with most text; several articles on a page are parts of what holds them. */
function largest(document: DomDocument, selector: string): DomElement | undefined {
  const [first, ...rest] = [...document.querySelectorAll(selector)]
    .slice(0, 50)
    .map((element) => ({ element, chars: textOf(element).length }))
    .sort((a, b) => b.chars - a.chars);
  if (!first) return undefined;
  const apart = rest.filter(({ element }) => !first.element.contains(element) && !element.contains(first.element));
  const others = apart.reduce((sum, { chars }) => sum + chars, 0);
  return others > first.chars ? undefined : first.element;
}
