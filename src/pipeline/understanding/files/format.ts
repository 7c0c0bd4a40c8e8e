/**
 * The documented blocks in which the text of documents reaches the agent; nothing inside one can end it or pass for
 * another.
 */
import { neutralise } from '../../../core/neutralise.ts';
import { bareMime } from '../../../core/media-type.ts';
import type { Note } from '../../../core/understanding.ts';

/** Blocks in the order of the notes, a blank line apart; notes of other kinds are passed over. Empty without any. */
export function formatFiles(notes: readonly Note[]): string {
  const files = notes.filter((note) => note.kind === 'file');
  return files
    .map(
      ({ name, mime, text, attachment }) =>
        `<file name="${attributeValue(safeName(name, attachment))}" ` +
        `mime="${attributeValue(bareMime(mime) || 'application/octet-stream')}">\n${neutralise(text.trim())}\n</file>`,
    )
    .join('\n\n');
}

/** The last part of a path, on one line. */
function safeName(name: string, attachment: number): string {
  const base = name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  return base || `file-${attachment + 1}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

const attributeValue = (text: string): string => text.replaceAll(/[<>&"']/g, (char) => ENTITIES[char]!);
