/** Removes invisible content from a page, because hidden text is the usual carrier of prompt injection. */
import { textOf, type DomDocument, type DomElement } from './dom.ts';

/** Never text for people. `noscript` stays: some pages are nothing else. */
const MACHINERY =
  'script, style, template, title, meta, link, base, iframe, object, embed, canvas, audio, video, ' +
  'input:not([type="checkbox"]), select, textarea, button, datalist, .mw-editsection, dialog:not([open]), ' +
  '[hidden], [aria-hidden="true"]';
/** Names that style sheets everywhere give to text for screen readers only. */
const SCREEN_READER = '.sr-only, .visually-hidden, .screen-reader-text, .visuallyhidden';

/** On declarations without spaces, in lower case. */
const INVISIBLE =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|font(?:-size)?:0(?:\.0+)?(?:px|em|rem|pt|%)?(?:[;!/]|$))/;
const INVISIBLE_INLINE =
  /(?:^|;)(?:opacity:0*\.?0*%?(?:[;!]|$)|color:transparent|clip:rect\((?:0|1px)|clip-path:inset\((?:50|100)%|(?:text-indent|left|right|top|bottom|margin-left|margin-top):-\d{3,}|transform:(?:scale\(0|translate[xy]?\(-\d{3,})|(?:max-)?(?:height|width):0(?:px)?;(?:.*;)?overflow:hidden|overflow:hidden;(?:.*;)?(?:max-)?(?:height|width):0(?:px)?(?:[;!]|$)|font-size:(?:0?\.\d+|1)px)/;
const SIMPLE_SELECTOR = /^[a-z]*[.#][\w-]+$/i;
const MAX_SELECTORS = 200;

export function removeHidden(document: DomDocument): void {
  const selectors = hiddenBySheet(document);
  removeAll(document, MACHINERY);
  removeAll(document, SCREEN_READER);
  for (const selector of selectors) removeAll(document, selector);
  for (const element of document.querySelectorAll('[style]'))
    if (isInvisible(element.getAttribute('style')!)) element.remove();
}

export function removeAll(
  root: DomDocument | DomElement,
  selector: string,
  when: (element: DomElement) => boolean = () => true,
): void {
  for (const element of root.querySelectorAll(selector)) if (when(element)) element.remove();
}

function isInvisible(style: string): boolean {
  const declarations = style
    .toLowerCase()
    .replaceAll(/\/\*.*?\*\//g, '')
    .replaceAll(/\s+/g, '');
  return INVISIBLE.test(declarations) || INVISIBLE_INLINE.test(declarations) || inkIsPaper(declarations);
}

/** Text in the colour of its own background. */
function inkIsPaper(declarations: string): boolean {
  const ink = /(?:^|;)color:([^;!]+)/.exec(declarations)?.[1];
  const paper = /(?:^|;)background(?:-color)?:([^;!]+)/.exec(declarations)?.[1];
  return ink !== undefined && paper !== undefined && shade(ink) === shade(paper);
}

const shade = (colour: string): string =>
  ({
    '#fff': '#ffffff',
    white: '#ffffff',
    'rgb(255,255,255)': '#ffffff',
    '#000': '#000000',
    black: '#000000',
    'rgb(0,0,0)': '#000000',
  })[colour] ?? colour;

/** Classes and ids that the page's own style sheet always hides; conditions (`@media`) are not evaluated. */
function hiddenBySheet(document: DomDocument): readonly string[] {
  const found = new Set<string>();
  for (const sheet of document.querySelectorAll('style')) {
    for (const [, selectors, declarations] of withoutConditions(sheet.textContent ?? '').matchAll(
      /([^{}]{1,2000})\{([^{}]*)\}/g,
    )) {
      if (!INVISIBLE.test(declarations!.toLowerCase().replaceAll(/\s+/g, ''))) continue;
      for (const selector of selectors!.split(','))
        if (SIMPLE_SELECTOR.test(selector.trim())) found.add(selector.trim());
    }
  }
  return [...found].slice(0, MAX_SELECTORS);
}

/** A style sheet without comments and without blocks that hold rules of their own. */
function withoutConditions(css: string): string {
  const kept: string[] = [];
  let depth = 0;
  let conditional = false;
  for (const part of css.replaceAll(/\/\*[\s\S]*?\*\//g, '').split(/(?<=[{}])/)) {
    if (depth === 0) conditional = part.trimStart().startsWith('@');
    if (!conditional) kept.push(part);
    depth = Math.max(0, depth + (part.endsWith('{') ? 1 : part.endsWith('}') ? -1 : 0));
  }
  return kept.join('');
}

/** Banners asking for consent; they are small, and never around or inside the content. */
export function isConsentBanner(element: DomElement): boolean {
  const name = `${element.id} ${element.getAttribute('class') ?? ''} ${element.getAttribute('aria-label') ?? ''}`;
  if (!/cookie|consent|gdpr|onetrust|cybotcookie|didomi|privacy-banner/i.test(name)) return false;
  return (
    !element.matches('main, article, h1, h2, h3, a') &&
    element.closest('main, article') === null &&
    element.querySelector('main, article, h1') === null &&
    textOf(element).length < 3000
  );
}
