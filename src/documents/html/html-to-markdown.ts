/** A web page as Markdown: what a person sees of its main content, with title, author, date and site. */
import { mainContent } from './main-content.ts';
import { pageFacts } from './page-facts.ts';
import { openPage } from './open-page.ts';
import { describePictures } from './picture-text.ts';
import { removeHidden } from './remove-hidden.ts';
import { toMarkdown } from './to-markdown.ts';

/** Characters below which a page's own description is shown as well. */
const LITTLE_TEXT = 300;

export interface PageMarkdown {
  readonly title?: string;
  readonly author?: string;
  /** As the page gives it; an ISO date (`2026-03-01`) where it can be read as one. */
  readonly date?: string;
  readonly site?: string;
  /** Body only; the facts are not repeated in it. May be empty. */
  readonly markdown: string;
}

/**
 * Synchronous and bounded: elements, depth and attributes are limited before a tree is built, so a hostile page costs
 * time in proportion to its length. Text nobody can see is left out: it is how instructions are smuggled to a model.
 * `url` resolves relative links. `maxChars` bounds the work; the result may be somewhat longer and is not cut.
 */
export function htmlToMarkdown(html: string, { url, maxChars }: { url?: string; maxChars: number }): PageMarkdown {
  const page = openPage(html, url);
  const { description, ...facts } = pageFacts(page);
  removeHidden(page.document);
  describePictures(page.document);
  const body = withoutTitle(toMarkdown(mainContent(page), { base: page.base, maxChars }), facts.title);
  return { ...facts, markdown: withDescription(body, description) };
}

/** A page that is built by scripts, or shown after a login, has little more than its description. */
function withDescription(body: string, description: string | undefined): string {
  if (description === undefined || body.length >= LITTLE_TEXT || plain(body).includes(plain(description))) return body;
  return `${description}\n\n${body}`.trim();
}

/** The heading that says the title again is dropped. */
function withoutTitle(markdown: string, title: string | undefined): string {
  const heading = /^#{1,2} (.+)\n*/.exec(markdown);
  return heading && title !== undefined && plain(heading[1]!) === plain(title) ? markdown.slice(heading[0].length) : markdown;
}

const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim().toLowerCase();
