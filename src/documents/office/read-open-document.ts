/**
 * Reads OpenDocument texts, spreadsheets and slides: one line per paragraph, headings as Markdown, table cells
 * separated by tabs.
 */
import { openZip } from '../archive/open-zip.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { withAnnotations, type Annotation } from './annotations.ts';
import { coreFacts } from './core-facts.ts';
import { attribute, xmlPart, xmlTokens, type XmlToken } from './xml-text.ts';

export async function readOpenDocument({ bytes }: ReadQuestion, mime: string): Promise<Reading> {
  const zip = await openZip(bytes);
  const manifest = await xmlPart(zip, 'META-INF/manifest.xml');
  if (manifest?.includes('manifest:encryption-data'))
    throw new Unreadable('encrypted', 'It is protected with a password.');
  const content = await xmlPart(zip, 'content.xml');
  if (content === undefined) throw new Unreadable('corrupt', 'It is damaged: it has no content.');
  return { kind: 'odf', mime, ...(await coreFacts(zip, 'meta.xml')), text: withAnnotations(...bodyText(content)) };
}

/** The text, and what stands in the file beside it. */
function bodyText(xml: string): [text: string, asides: readonly Annotation[]] {
  const body = xml.slice(Math.max(0, xml.indexOf('<office:body')));
  const parts: string[] = [];
  const asides: Annotation[] = [];
  let aside: OpenAside | undefined;
  let inCell = false;
  let inChanges = false;
  for (const { kind, name, content, isEmpty } of xmlTokens(body)) {
    const ends = kind === 'close' || isEmpty;
    if (name === 'text:tracked-changes') inChanges = !ends;
    else if (aside) {
      if (name === aside.name && kind === 'close') {
        asides.push({ kind: aside.kind, who: aside.who, date: aside.date, text: aside.parts.join('') });
        aside = undefined;
      } else addToken(aside, { kind, name, content, isEmpty });
    } else if (Object.hasOwn(ASIDES, name))
      aside = ends ? undefined : { name, kind: ASIDES[name]!, parts: [], field: undefined };
    else if (!inChanges) {
      if (name === 'table:table-cell') inCell = kind === 'open' && !isEmpty;
      parts.push(written({ kind, name, content, isEmpty }, inCell));
    }
  }
  return [
    parts
      .join('')
      .replaceAll(/(?<! ) *\t */g, '\t')
      .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    asides,
  ];
}

/** Elements whose text is no part of the document's. */
const ASIDES: Readonly<Record<string, Annotation['kind']>> = {
  'text:deletion': 'deleted',
  'office:annotation': 'comment',
};
const FIELDS: Readonly<Record<string, 'who' | 'date'>> = { 'dc:creator': 'who', 'dc:date': 'date' };

interface OpenAside {
  readonly name: string;
  readonly kind: Annotation['kind'];
  readonly parts: string[];
  field: 'who' | 'date' | undefined;
  who?: string;
  date?: string;
}

function addToken(aside: OpenAside, { kind, name, content, isEmpty }: XmlToken): void {
  if (kind !== 'text') {
    aside.field = kind === 'open' && !isEmpty ? FIELDS[name] : undefined;
    aside.parts.push(' ');
  } else if (aside.field) aside[aside.field] = content;
  else aside.parts.push(content);
}

function written({ kind, name, content, isEmpty }: XmlToken, inCell: boolean): string {
  if (kind === 'text') return content.replaceAll(/\s+/g, ' ');
  const ends = kind === 'close' || isEmpty;
  switch (name) {
    case 'text:h':
      return kind === 'open' && !isEmpty
        ? `${'#'.repeat(Math.min(6, Number(attribute(content, 'text:outline-level') ?? 1)))} `
        : inCell
          ? ' '
          : '\n\n';
    case 'text:p':
      return ends ? (inCell ? ' ' : '\n\n') : '';
    case 'text:tab':
      return '\t';
    case 'text:s':
      return ' ';
    case 'text:line-break':
    case 'table:table-row':
      return ends ? '\n' : '';
    case 'table:table-cell':
      return ends ? '\t' : '';
    default:
      return '';
  }
}
