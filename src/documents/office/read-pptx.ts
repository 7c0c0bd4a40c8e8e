/** Reads the slides of a PowerPoint file in order, one line per paragraph, with the speaker notes. */
import { openZip, type OpenZip } from '../archive/open-zip.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { coreFacts } from './core-facts.ts';
import { xmlPart, xmlTokens } from './xml-text.ts';

export async function readPptx({ bytes, maxChars }: ReadQuestion, mime: string): Promise<Reading> {
  const zip = await openZip(bytes);
  const numbers = zip.entries
    .flatMap(({ fileName }) => /^ppt\/slides\/slide(\d+)\.xml$/.exec(fileName)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  if (numbers.length === 0) throw new Unreadable('corrupt', 'It is damaged: it has no slides.');
  const slides: string[] = [];
  let chars = 0;
  for (const number of numbers) {
    if (chars > maxChars) break;
    const slide = await slideText(zip, number);
    slides.push(slide);
    chars += slide.length;
  }
  return {
    kind: 'pptx',
    mime,
    ...(await coreFacts(zip)),
    text: slides.join('\n\n'),
    pages: numbers.length,
    pagesRead: slides.length,
    truncated: slides.length < numbers.length,
  };
}

async function slideText(zip: OpenZip, number: number): Promise<string> {
  const shown = paragraphs((await xmlPart(zip, `ppt/slides/slide${number}.xml`)) ?? '');
  const notes = paragraphs((await xmlPart(zip, `ppt/notesSlides/notesSlide${number}.xml`)) ?? '');
  return [`## Slide ${number}`, shown, notes && `Notes: ${notes}`].filter(Boolean).join('\n\n');
}

function paragraphs(xml: string): string {
  let text = '';
  let inText = false;
  for (const { kind, name, content, isEmpty } of xmlTokens(xml)) {
    if (kind === 'text') text += inText ? content : '';
    else if (name === 'a:t') inText = kind === 'open' && !isEmpty;
    else if (name === 'a:br' || (name === 'a:p' && kind === 'close')) text += '\n';
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}
