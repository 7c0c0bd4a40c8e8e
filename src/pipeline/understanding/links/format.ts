/** The block a link's text stands in, as documented, and what keeps that text from passing for anything else. Pure. */
import { wrapExternal } from '../../../core/external-content.ts';
import type { Note } from '../../../core/understanding.ts';
import { inertText } from '../inert-text.ts';

export type LinkNote = Extract<Note, { kind: 'link' }>;

/** Numbered when there are several blocks; notes of other kinds and blank ones are passed over. Empty without any. */
export function formatLinks(notes: readonly Note[]): string {
  const links = notes.filter((note): note is LinkNote => note.kind === 'link' && note.text.trim() !== '');
  const heading = (index: number): string => (links.length > 1 ? `[Link ${index + 1}/${links.length}]` : '[Link]');
  return links
    .map(
      ({ url, source, text }, index) => `${heading(index)}\nURL: ${url}\nSource: ${source}\nSummary:\n${text.trim()}`,
    )
    .join('\n\n');
}

/**
 * What a command printed, made inert and of bounded length. `wrapId`: put it between external-content marks with that
 * id.
 */
export function inertSummary(
  printed: string,
  { maxChars, wrapId }: { maxChars: number; wrapId?: string | undefined },
): string {
  const text = inertText(printed, maxChars);
  return wrapId === undefined ? text : wrapExternal({ text, id: wrapId, source: 'Web Fetch', warning: false });
}
