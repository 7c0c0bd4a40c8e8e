/** Reads OpenDocument texts, tables and slides: paragraphs as lines, headings as Markdown, rows as cells between tabs. */
import { openZip } from '../archive/open-zip.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { coreFacts } from './core-facts.ts';
import { attribute, xmlPart, xmlTokens } from './xml-text.ts';

export async function readOpenDocument({ bytes }: ReadQuestion, mime: string): Promise<Reading> {
  const zip = await openZip(bytes);
  const manifest = await xmlPart(zip, 'META-INF/manifest.xml');
  if (manifest?.includes('manifest:encryption-data')) throw new Unreadable('encrypted', 'It is locked with a password.');
  const content = await xmlPart(zip, 'content.xml');
  if (content === undefined) throw new Unreadable('corrupt', 'It is damaged: it has no content.');
  return { kind: 'odf', mime, ...(await coreFacts(zip, 'meta.xml')), text: bodyText(content) };
}

function bodyText(xml: string): string {
  const body = xml.slice(Math.max(0, xml.indexOf('<office:body')));
  const parts: string[] = [];
  let inCell = false;
  for (const { kind, name, content, isEmpty } of xmlTokens(body)) {
    if (kind === 'text') parts.push(content.replaceAll(/\s+/g, ' '));
    else if (name === 'table:table-cell') inCell = kind === 'open' && !isEmpty;
    if (kind === 'text') continue;
    const ends = kind === 'close' || isEmpty;
    if (name === 'text:h' && kind === 'open') parts.push(`${'#'.repeat(Math.min(6, Number(attribute(content, 'text:outline-level') ?? 1)))} `);
    else if (name === 'text:tab') parts.push('\t');
    else if (name === 'text:s') parts.push(' ');
    else if (name === 'text:line-break' || name === 'table:table-row') parts.push(ends ? '\n' : '');
    else if (name === 'table:table-cell' && ends) parts.push('\t');
    else if ((name === 'text:p' || name === 'text:h') && ends) parts.push(inCell ? ' ' : '\n\n');
  }
  return parts.join('').replaceAll(/(?<! ) *\t */g, '\t').replaceAll(/(?<![ \t])[ \t]+\n/g, '\n').replaceAll(/\n{3,}/g, '\n\n').trim();
}
