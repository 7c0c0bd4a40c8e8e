/** The block a link's text stands in, as documented, and what keeps that text from passing for anything else. Pure. */
import { wrapExternal } from '../../../core/external-content.ts';
import { neutralise } from '../../../core/neutralise.ts';
import type { Note } from '../../../core/understanding.ts';

export type LinkNote = Extract<Note, { kind: 'link' }>;

/** Numbered when there are several blocks; notes of other kinds and blank ones are passed over. Empty without any. */
export function formatLinks(notes: readonly Note[]): string {
  const links = notes.filter((note): note is LinkNote => note.kind === 'link' && note.text.trim() !== '');
  const heading = (index: number): string => (links.length > 1 ? `[Link ${index + 1}/${links.length}]` : '[Link]');
  return links.map(({ url, source, text }, index) => `${heading(index)}\nURL: ${url}\nSource: ${source}\nSummary:\n${text.trim()}`).join('\n\n');
}

/** What a command printed, made inert and of bounded length. `wrapId`: put it between external-content marks with that id. */
export function inertSummary(printed: string, { maxChars, wrapId }: { maxChars: number; wrapId?: string | undefined }): string {
  const text = neutralise(cutAt(printed.replace(/\r\n?/g, '\n').trim(), maxChars));
  return wrapId === undefined ? text : wrapExternal({ text, id: wrapId, source: 'Web Fetch', warning: false });
}

function cutAt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text[maxChars - 1]!) && /[\udc00-\udfff]/.test(text[maxChars]!);
  return `${text.slice(0, splitsPair ? maxChars - 1 : maxChars).trimEnd()}\n[cut: ${text.length} characters, ${maxChars} shown]`;
}
