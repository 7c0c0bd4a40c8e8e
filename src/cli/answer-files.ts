/** Formats the files of an answer, with the commands that save them. */
import type { KeptFile, Shown } from '../core/shown.ts';
import { sizeText } from '../core/size-text.ts';
import { visibleLine } from '../core/visible-text.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';
import { terminalText } from './terminal-text.ts';
import type { CliIo } from './command.ts';

export interface AnswerFiles {
  readonly sessionKey: string;
  /** What a tool gave before the answer, in order. */
  readonly sentBefore: readonly Shown[];
  readonly files: readonly KeptFile[];
}

/** `Plan.pdf (application/pdf, 12 KiB)`. */
export const fileLine = ({ name, mime, size }: KeptFile): string =>
  `[file] ${visibleLine(name)} (${visibleLine(mime)}, ${sizeText(size)})`;

/** A command that works as it stands; names come from a model. */
const saveHint = ({ id, name }: KeptFile, sessionKey: string): string =>
  `Save it: ${OWN_COMMAND} sessions file ${quoted(sessionKey)} ${id} --out ${quoted(name)}`;

const quoted = (word: string): string =>
  /^[\w.:@%+][\w.:@%+-]*$/.test(word) ? word : `'${visibleLine(word).replaceAll("'", String.raw`'\''`)}'`;

/** The words and files on standard output; how to save them beside it. */
export function printFiles(io: Pick<CliIo, 'out' | 'err'>, files: readonly KeptFile[], sessionKey: string): void {
  for (const file of files) {
    io.out(fileLine(file));
    io.err(saveHint(file, sessionKey));
  }
}

export function printSent(io: Pick<CliIo, 'out' | 'err'>, { sentBefore, sessionKey }: AnswerFiles): void {
  for (const { text, files } of sentBefore) {
    if (text.trim() !== '') io.out(terminalText(text));
    printFiles(io, files, sessionKey);
  }
}
