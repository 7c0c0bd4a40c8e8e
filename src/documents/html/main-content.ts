/** The part of a page people came for: what Readability finds, or the main element, or the whole body without its furniture. */
import { Readability } from '@mozilla/readability';
import { textOf, type DomDocument, type DomElement } from './dom.ts';
import type { Page } from './open-page.ts';
import { isConsentBanner, removeAll } from './remove-hidden.ts';

const FURNITURE = 'nav, footer, aside, [role="navigation"], [role="contentinfo"], [role="search"], [role="alertdialog"], [role="dialog"], [role="banner"], [role="complementary"]';
const MAIN = 'main, [role="main"], [itemprop~="articleBody"], article, #content, #main';
/** Readability takes seconds for more. */
const MAX_FOR_READABILITY = 12_000;
/** With less than this, a page has no text of its own. */
const FEW_CHARS = 80;

/** Changes the page: furniture is gone afterwards. */
export function mainContent({ document }: Page): DomElement {
  const { body } = document;
  removeAll(document, FURNITURE, (element) => element.closest('article') === null || element.matches('nav'));
  removeAll(document, '[id], [class], [aria-label]', isConsentBanner);
  if (textOf(body).length - noscriptChars(document) >= FEW_CHARS) removeAll(document, 'noscript');
  const article = readable(document);
  const main = largest(document, MAIN);
  const whole = textOf(main ?? body).length;
  // Readability may take one comment of a thread for the article; the main element then knows better.
  if (article && textOf(article).length >= whole * (main ? 0.6 : 0.4)) return article;
  if (main && whole >= FEW_CHARS) return main;
  removeAll(body, 'header', (element) => element.querySelector('h1') === null);
  return body;
}

function noscriptChars(document: DomDocument): number {
  return [...document.querySelectorAll('noscript')].reduce((sum, element) => sum + textOf(element).length, 0);
}

function readable(document: DomDocument): DomElement | undefined {
  if (document.querySelectorAll('*').length > MAX_FOR_READABILITY) return undefined;
  const copy = document.cloneNode(true);
  try {
    const found = new Readability<DomElement>(copy as never, { serializer: (node) => node as unknown as DomElement, charThreshold: 200, disableJSONLD: true, keepClasses: true }).parse();
    return found?.content ?? undefined;
  } catch (error) {
    // Readability expects a browser's tree in places; a page it stumbles over is taken whole.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** The one with most text; several articles on a page are parts of what holds them. */
function largest(document: DomDocument, selector: string): DomElement | undefined {
  const [first, ...rest] = [...document.querySelectorAll(selector)].slice(0, 50).map((element) => ({ element, chars: textOf(element).length })).sort((a, b) => b.chars - a.chars);
  if (!first) return undefined;
  const apart = rest.filter(({ element }) => !first.element.contains(element) && !element.contains(first.element));
  const others = apart.reduce((sum, { chars }) => sum + chars, 0);
  return others > first.chars ? undefined : first.element;
}
