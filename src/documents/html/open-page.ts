/** Parses a page of any size and shape into a tree of bounded depth and size. */
import { parseHTML } from 'linkedom';
import { boundMarkup } from './bound-markup.ts';
import type { DomDocument } from './dom.ts';

export interface Page {
  readonly document: DomDocument;
  /** What relative links are relative to. */
  readonly base: string | undefined;
}

export function openPage(html: string, url: string | undefined): Page {
  const { document } = parseHTML(
    `<!doctype html><html><head></head><body>${boundMarkup(html)}</body></html>`,
  ) as unknown as { document: DomDocument };
  const declared = document.querySelector('base[href]')?.getAttribute('href');
  return { document, base: (declared && URL.parse(declared, url)?.href) ?? url };
}
