/**
 * Reads the text of a PDF's first pages: text runs on one line are joined, lines stay in order, a blank line separates
 * pages; form values follow at the end.
 */
import { present } from '../../core/present.ts';
import { characterMaps } from './character-maps.ts';
import { filledFields, type PdfField } from './filled-fields.ts';
import { isGarbage } from './is-garbage.ts';
import { type PageSize, type Reading, type ReadQuestion, Unreadable } from '../document.ts';

interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

/** The parts of pdf.js's document that are used. */
interface Pdf {
  readonly numPages: number;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ items: readonly TextItem[] }>;
    getAnnotations(): Promise<readonly PdfField[]>;
    getViewport(options: { scale: number }): PageSize;
    cleanup(): void;
  }>;
  getMetadata(): Promise<{ info: Readonly<Record<string, unknown>> }>;
}

export async function readPdf(
  { bytes, pdf: { maxPages }, maxChars }: ReadQuestion,
  mime: string,
): Promise<Reading & { readonly pageSizes: readonly PageSize[] }> {
  const pdf = await openPdf(bytes);
  const pages: string[] = [];
  const pageSizes: PageSize[] = [];
  const fields: PdfField[] = [];
  let chars = 0;
  for (let number = 1; number <= Math.min(maxPages, pdf.numPages) && chars <= maxChars; number++) {
    const page = await pdf.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    pageSizes.push({ width, height });
    const drawn = linesOf((await page.getTextContent()).items);
    const text = isGarbage(drawn) ? '' : drawn;
    pages.push(text);
    fields.push(...(await page.getAnnotations()));
    chars += text.length;
    page.cleanup();
  }
  return {
    kind: 'pdf',
    mime,
    ...(await factsOf(pdf)),
    text: [...pages, filledFields(fields)].filter((part) => part !== '').join('\n\n'),
    pages: pdf.numPages,
    pagesRead: pages.length,
    truncated: pages.length < pdf.numPages,
    pageSizes,
  };
}

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    // 0: errors only; it prints its warnings.
    return (await getDocumentProxy(bytes, { verbosity: 0, ...characterMaps } as Parameters<
      typeof getDocumentProxy
    >[1])) as unknown as Pdf;
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Unreadable('encrypted', 'It is protected with a password.', error);
    throw new Unreadable('corrupt', 'It is damaged: it says it is a PDF but has no readable structure.', error);
  }
}

/** A piece ends a line where it says so; words that are separate pieces already carry their spaces. */
function linesOf(items: readonly TextItem[]): string {
  const text = items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}

async function factsOf(pdf: Pdf): Promise<{ title?: string; author?: string }> {
  const { info } = await pdf.getMetadata();
  const fact = (name: string): string | undefined =>
    typeof info[name] === 'string' && info[name].trim() ? info[name].trim() : undefined;
  const title = fact('Title');
  const author = fact('Author');
  return present({ title: title || undefined, author: author || undefined });
}
