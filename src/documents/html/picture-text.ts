/** Replaces the pictures of a page with their text alternatives. */
import { textOf, type DomDocument, type DomElement } from './dom.ts';

/** A picture without a description, or with the words of its caption, adds nothing and goes. */
export function describePictures(document: DomDocument): void {
  for (const image of document.querySelectorAll('img')) {
    const alt = (image.getAttribute('alt') ?? '').replaceAll(/\s+/g, ' ').trim();
    if (alt === '' || caption(image).includes(alt)) image.remove();
    else image.replaceWith(`(image: ${alt})`);
  }
}

function caption(image: DomElement): string {
  const found = image.closest('figure')?.querySelector('figcaption');
  return found ? textOf(found) : '';
}
