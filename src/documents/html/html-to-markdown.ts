/** Converts a web page to Markdown: the visible main content, with title, author, date and site. */
import { present } from '../../core/present.ts';
import { writeCode } from './code-blocks.ts';
import type { DomDocument } from './dom.ts';
import { writeFormulas } from './formulas.ts';
import { metaRefreshTarget } from './meta-refresh.ts';
import { mainContent } from './main-content.ts';
import { pageFacts } from './page-facts.ts';
import { openFolded } from './open-folded.ts';
import { openPage } from './open-page.ts';
import { describePictures } from './picture-text.ts';
import { removeHidden } from './remove-hidden.ts';
import { writeSmallMarks } from './small-marks.ts';
import { pageData, structuredText } from './structured-text.ts';
import { writeTables } from './tables.ts';
import { toMarkdown } from './to-markdown.ts';

/** Characters below which a page's own description is shown as well. */
const LITTLE_TEXT = 300;
const LOADING = /^(?:loading|please wait)[.…]{0,3}$/i;

export interface PageMarkdown {
  readonly title?: string;
  readonly author?: string;
  /** As the page gives it; an ISO date (`2026-03-01`) where it can be read as one. */
  readonly date?: string;
  readonly site?: string;
  /** Address of the page it sends its readers to. */
  readonly metaRefreshTarget?: string;
  /** Body only; the facts are not repeated in it. May be empty. */
  readonly markdown: string;
}

/**
 * Synchronous and bounded: elements, depth and attributes are limited before a tree is built, so a hostile page costs
 * time in proportion to its length. Text nobody can see is left out: it is how instructions are smuggled to a model.
 * What belongs to a site and not to the text goes too, unless all of it is the text (`whole`), as in a letter. `url`
 * resolves relative links. `maxChars` bounds the work; the result may be somewhat longer and is not cut.
 */
export function htmlToMarkdown(
  html: string,
  { url, maxChars, whole = false }: { url?: string; maxChars: number; whole?: boolean },
): PageMarkdown {
  const page = openPage(html, url);
  const { document } = page;
  const { description, ...facts } = pageFacts(page);
  const data = pageData(document);
  const next = metaRefreshTarget(page, url);
  prepare(document);
  const body = withoutTitle(
    toMarkdown(whole ? document.body : mainContent(page), { base: page.base, maxChars }),
    facts.title,
  );
  const fromData =
    body.length >= LITTLE_TEXT ? '' : structuredText(data, (text) => fragment(text, maxChars)).slice(0, 2 * maxChars);
  return {
    ...facts,
    ...present({ metaRefreshTarget: next }),
    markdown: withDescription(merged(fromData, body), description),
  };
}

/** HTML inside a page's data, as what it would be on a page. */
function fragment(html: string, maxChars: number): string {
  const { document } = openPage(`<body>${html}`, undefined);
  prepare(document);
  return toMarkdown(document.body, { base: undefined, maxChars });
}

/** What is hidden goes before anything is rewritten, except for what stands hidden beside what is seen of it. */
function prepare(document: DomDocument): void {
  writeFormulas(document);
  openFolded(document);
  removeHidden(document);
  describePictures(document);
  writeSmallMarks(document);
  writeCode(document);
  writeTables(document);
}

/** What the data tells stands before the little the page shows, which is often the same or that something loads. */
function merged(fromData: string, body: string): string {
  if (fromData === '') return LOADING.test(body) ? '' : body;
  return plain(fromData).includes(plain(body)) || LOADING.test(body) ? fromData : `${fromData}\n\n${body}`;
}

/** A page that is built by scripts, or shown after a login, has little more than its description. */
function withDescription(body: string, description: string | undefined): string {
  if (description === undefined || body.length >= LITTLE_TEXT || plain(body).includes(plain(description))) return body;
  return `${description}\n\n${body}`.trim();
}

/** The heading that says the title again is dropped. */
function withoutTitle(markdown: string, title: string | undefined): string {
  const heading = /^#{1,2} (.+)\n*/.exec(markdown);
  return heading && title !== undefined && plain(heading[1]!) === plain(title)
    ? markdown.slice(heading[0].length)
    : markdown;
}

const plain = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
