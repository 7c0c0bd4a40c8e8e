/**
 * Reads a Word document as Markdown: headings, lists, tables, links. Pictures are left out; deletions and comments
 * follow at the end.
 */
import { openZip } from '../archive/open-zip.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { openPage } from '../html/open-page.ts';
import { toMarkdown } from '../html/to-markdown.ts';
import { withAnnotations, wordAnnotations } from './annotations.ts';
import { coreFacts } from './core-facts.ts';
import { xmlPart } from './xml-text.ts';

const DOCUMENT = 'word/document.xml';
const COMMENTS = 'word/comments.xml';

export async function readDocx({ bytes, maxChars }: ReadQuestion, mime: string): Promise<Reading> {
  const zip = await openZip(bytes);
  // Mammoth inflates whatever it is given: every part it may read is unpacked here first, within limits.
  const kept = new Map<string, string>();
  for (const { fileName } of zip.entries) {
    const part = /\.(xml|rels)$/.test(fileName) ? await xmlPart(zip, fileName) : undefined;
    if (part !== undefined && (fileName === DOCUMENT || fileName === COMMENTS)) kept.set(fileName, part);
  }
  if (zip.hasMore) throw new Unreadable('bomb', `It has ${zip.entryCount} parts, which is too many for a document.`);
  const { default: mammoth } = await import('mammoth');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { value: html } = await mammoth.convertToHtml(
    { buffer },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
    },
  );
  const page = openPage(html, undefined);
  const text = toMarkdown(page.document.body, { base: undefined, maxChars });
  const asides = wordAnnotations(kept.get(DOCUMENT) ?? '', kept.get(COMMENTS) ?? '');
  return { kind: 'docx', mime, ...(await coreFacts(zip)), text: withAnnotations(text, asides) };
}
