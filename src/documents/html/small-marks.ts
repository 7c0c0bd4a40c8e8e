/**
 * Converts inline markup that Markdown lacks to characters: superscripts, subscripts, ruby text, quotations,
 * checkboxes.
 */
import { childNodes, element, shortText, TEXT_NODE, textOf, type DomDocument, type DomElement } from './dom.ts';
import { cents, separateBylines } from './separate-text.ts';

const PLAIN = '0123456789+-−=()ni';
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ';
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙᵢ';
const REMARK =
  '.markdown-alert, .admonition, .theme-admonition, .callout, .kg-callout-card, .custom-block.tip, ' +
  '.custom-block.warning, .custom-block.info, .custom-block.danger';
const MAX = 40;

export function writeSmallMarks(document: DomDocument): void {
  for (const note of document.querySelectorAll('.footnote-anchor, .footnote-number, [role~="doc-noteref"] a'))
    if (note.closest('sup') === null) number(note);
  for (const back of document.querySelectorAll(
    '.reversefootnote, .footnote-backref, .mw-cite-backlink, [role~="doc-backlink"]',
  ))
    back.remove();
  for (const raised of document.querySelectorAll('sup')) writeRaised(raised);
  for (const lowered of document.querySelectorAll('sub')) {
    const text = shortText(lowered, MAX);
    if (text !== undefined && text !== '')
      lowered.replaceWith(inSigns(text, LOWERED) ?? `_${text.length > 1 && /\W/.test(text) ? `(${text})` : text}`);
  }
  separateBylines(document);
  writeReadings(document);
  writeRemarks(document);
  for (const quoted of document.querySelectorAll('q')) quoted.replaceWith('“', ...parts(quoted), '”');
  writeBoxes(document);
}

/** Boxes beside a text, quoted with who said it, and headings that are links from outside. */
function writeRemarks(document: DomDocument): void {
  for (const remark of document.querySelectorAll(REMARK))
    if (remark.closest('blockquote') === null && remark.querySelector(REMARK) === null)
      remark.replaceWith(element(document, 'blockquote', ...childNodes(remark)));
  for (const cited of document.querySelectorAll('blockquote cite'))
    if (cited.nextSibling?.nodeType === TEXT_NODE && textOf(cited.nextSibling) !== '')
      cited.replaceWith(element(document, 'p', ...childNodes(cited)));
  for (const heading of document.querySelectorAll('a[href] > h2, a[href] > h3, a[href] > h4')) {
    const link = heading.parentNode!;
    if ([...link.children].length !== 1 || textOf(link) !== textOf(heading)) continue;
    link.replaceWith(heading);
    const inside = childNodes(heading);
    link.append(...inside);
    heading.append(link);
  }
  for (const answer of document.querySelectorAll('[itemprop~="acceptedAnswer"]'))
    answer.firstChild?.before(element(document, 'p', 'Accepted answer'));
}

const parts = (from: DomElement): string[] => [textOf(from)];

/** A raised number that leads to a note is its number in brackets, an ordinal stays as it is. */
function writeRaised(raised: DomElement): void {
  const text = shortText(raised, MAX);
  if (text === undefined || text === '') return;
  const noted =
    raised.querySelector('a[href^="#"]') !== null ||
    raised.closest('a[href^="#"]') !== null ||
    raised.matches('.reference, .footnote-ref, [role~="doc-noteref"]');
  if (noted && /^\[?[\w*†‡]{1,4}\]?$/.test(text)) raised.replaceWith(`[${text.replaceAll(/[[\]]/g, '')}]`);
  else if (/^(?:st|nd|rd|th|er|re|e|o|a|\.)$|^[\u00AE\u2122©℠\s]|^\[/i.test(text)) raised.replaceWith(text);
  else if (noted) raised.replaceWith(`[${text}]`);
  else if (cents(raised, text) !== undefined) raised.replaceWith(cents(raised, text)!);
  else raised.replaceWith(inSigns(text, RAISED) ?? `^${text.length > 1 && /\W/.test(text) ? `(${text})` : text}`);
}

function number(note: DomElement): void {
  const text = shortText(note, 6);
  if (text !== undefined && /^\d+$/.test(text)) note.replaceWith(`[${text}]`);
}

/** Undefined when a sign is missing: half of an exponent misleads. */
function inSigns(text: string, signs: string): string | undefined {
  const found = [...text].map((sign) => [...signs][[...PLAIN].indexOf(sign)]);
  return found.includes(undefined) || (/^\D+$/.test(text) && text.length > 1) ? undefined : found.join('');
}

/** How a word is read stands behind it. */
function writeReadings(document: DomDocument): void {
  for (const mark of document.querySelectorAll('rp')) mark.remove();
  for (const reading of document.querySelectorAll('rt')) {
    const text = textOf(reading);
    if (text === '') reading.remove();
    else reading.replaceWith(`（${text}）`);
  }
}

/** Boxes that style sheets draw are boxes of a form, if they are ticked or stand before an item. */
function writeBoxes(document: DomDocument): void {
  for (const drawn of document.querySelectorAll('[role="checkbox"][aria-checked], li .checkbox-on, li .checkbox-off')) {
    const box = element(document, 'input');
    box.setAttribute('type', 'checkbox');
    if (drawn.getAttribute('aria-checked') === 'true' || drawn.matches('.checkbox-on')) box.setAttribute('checked', '');
    drawn.before(box);
    if (shortText(drawn, 2) === undefined) continue;
    drawn.remove();
  }
  const seen = new Set<DomElement>();
  for (const box of document.querySelectorAll('li input[type="checkbox"]')) {
    const ingredient = box.closest('.wprm-checkbox-container, .ingredient-checkbox');
    const item = box.closest('li')!;
    if (seen.has(item)) continue;
    seen.add(item);
    if (ingredient) ingredient.remove();
    else if (item.firstChild !== box && shortText(item, 1) !== '') {
      const label = box.closest('label');
      if (item.firstChild) prepend(item, box);
      if (label && shortText(label, 1) === '') label.remove();
    }
  }
}

function prepend(item: DomElement, box: DomElement): void {
  if (leads(item, box)) item.firstChild?.before(box);
}

/** Whether nothing but spaces stands before the box in its item. */
function leads(item: DomElement, box: DomElement): boolean {
  for (let node = item.firstChild; node; node = node.nextSibling) {
    if (node === box || ('contains' in node && (node as DomElement).contains(box))) return true;
    if ((node.textContent ?? '').trim() !== '') return false;
  }
  return false;
}
