/** Reads the title, author and date from an office file's metadata. */
import type { OpenZip } from '../archive/open-zip.ts';
import { xmlPart, xmlTokens } from './xml-text.ts';

const FACTS: Readonly<Record<string, 'title' | 'author' | 'date'>> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'dcterms:modified': 'date',
  'meta:initial-creator': 'author',
  'dc:date': 'date',
};

export async function coreFacts(
  zip: OpenZip,
  part = 'docProps/core.xml',
): Promise<{ title?: string; author?: string; date?: string }> {
  const found: { title?: string; author?: string; date?: string } = {};
  let fact: 'title' | 'author' | 'date' | undefined;
  for (const token of xmlTokens((await xmlPart(zip, part)) ?? '')) {
    if (token.kind === 'text') {
      if (fact && token.content.trim()) found[fact] ??= token.content.trim();
    } else fact = token.kind === 'open' && !token.isEmpty ? FACTS[token.name] : undefined;
  }
  return found;
}
