/** The blocks in which the text of documents reaches the agent; nothing inside can end one or begin another. Pure. */
import type { Note } from '../../../core/understanding.ts';

type FileNote = Extract<Note, { kind: 'file' }>;

/** In the order of the message; empty without any. The text of a note is inert already. */
export function formatFiles(notes: readonly Note[]): string {
  const files = notes.filter((note): note is FileNote => note.kind === 'file').toSorted((a, b) => a.attachment - b.attachment);
  return files.map(block).join('\n\n');
}

const block = ({ attachment, name, mime, text }: FileNote): string => `<file name="${attribute(plainName(name, attachment))}" mime="${attribute(bareType(mime))}">\n${text}\n</file>`;

/** The last part of a path, on one line. */
function plainName(name: string, attachment: number): string {
  const last = name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').split(/[\\/]/).at(-1)!.trim();
  return last || `file-${attachment + 1}`;
}

/** `type/subtype`; parameters and whatever follows them stay outside. */
const bareType = (mime: string): string => /^[\w.+-]+\/[\w.+-]+/.exec(mime.trim().toLowerCase())?.[0] ?? 'application/octet-stream';

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' };
const attribute = (text: string): string => text.replace(/[<>&"']/g, (char) => ESCAPES[char]!);
