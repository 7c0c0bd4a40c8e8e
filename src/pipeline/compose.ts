/** The only place that builds the text the model sees from what people wrote and what was understood of it. Pure. */
import type { ElevatedLevel } from '../config/exec-config.ts';
import type { Attachment } from '../core/message.ts';
import type { UserMessage } from '../core/transcript.ts';
import type { Note, Understanding } from '../core/understanding.ts';
import type { InboundRow } from '../journal/rows.ts';
import { collectText, summaryLine } from '../sessions/queue.ts';
import { takeElevated } from './commands/elevated.ts';
import { readCommand, type ReadCommand } from './commands/read-command.ts';
import { COMMANDS } from './commands/table.ts';
import { GREETING } from './commands/new.ts';
import { formatFiles } from './understanding/files/format.ts';
import { formatLinks } from './understanding/links/format.ts';
import { commandText, formatMedia, formatRemarks } from './understanding/media/format.ts';

/** What was understood of messages, by their run id. */
export interface Understood { get(runId: string): Understanding | undefined }
export const NOTHING_UNDERSTOOD: Understood = { get: () => undefined };

/** The reset a message is, when its sender may reset; for everybody else it is ordinary text. */
export function readReset(row: InboundRow, resetTriggers: readonly string[], understood = NOTHING_UNDERSTOOD): ReadCommand | undefined {
  const found = row.commands && row.authorized ? readCommand(saidIn(row, understood), COMMANDS, resetTriggers) : undefined;
  return found?.command.resets ? found : undefined;
}

/** A command spoken in a voice note: what a person said counts as written, what understanding added never does. */
export function spokenCommand(row: InboundRow, resetTriggers: readonly string[], understood: Understood): ReadCommand | undefined {
  const said = saidIn(row, understood);
  return row.commands && said !== row.message.text ? readCommand(said, COMMANDS, resetTriggers) : undefined;
}

const notesOf = (row: InboundRow, understood: Understood): readonly Note[] => understood.get(row.runId)?.notes ?? [];

function saidIn(row: InboundRow, understood: Understood): string {
  const notes = notesOf(row, understood);
  return notes.length === 0 ? row.message.text : commandText({ text: row.message.text, notes });
}

/** What one message says to the model: a reset trigger stands for the text behind it, notes follow the person's own words. */
export function composeText(row: InboundRow, resetTriggers: readonly string[], understood = NOTHING_UNDERSTOOD): string {
  const reset = readReset(row, resetTriggers, understood);
  return composeBody(reset ? reset.args || GREETING : row.message.text, row, understood);
}

/** The level a directive inside the message asks for; from people without rights it is ordinary text. */
export const elevatedIn = (row: InboundRow): ElevatedLevel | undefined => (row.commands && row.authorized ? takeElevated(row.message.text).level : undefined);

/** A person's words, without directives, with the notes on their message. */
export function composeBody(said: string, row: InboundRow, understood: Understood): string {
  const own = elevatedIn(row) ? takeElevated(said).text : said;
  const notes = notesOf(row, understood);
  if (notes.length === 0) return own;
  const body = formatMedia({ text: own, notes });
  const added = [formatFiles(notes), formatRemarks(notes), formatLinks(notes)].filter((text) => text !== '');
  return added.length === 0 ? body : [body.trim(), ...added].filter((text) => text !== '').join('\n\n');
}

/** One turn's text from the messages it answers and those that gave way. */
export function composeTurn(rows: readonly InboundRow[], dropped: readonly InboundRow[], resetTriggers: readonly string[], understood = NOTHING_UNDERSTOOD): string {
  return collectText(rows.map((row) => composeText(row, resetTriggers, understood)), dropped.map((row) => summaryLine(row.message.text)));
}

/** The pictures a model is shown: those nothing was written about, and pages of documents that had no text. */
export function turnImages(rows: readonly InboundRow[], understood = NOTHING_UNDERSTOOD): readonly Attachment[] {
  return rows.flatMap((row) => {
    const notes = notesOf(row, understood);
    const spokenFor = new Set(notes.flatMap((note) => (note.kind === 'link' ? [] : [note.attachment])));
    const attachments = understood.get(row.runId)?.attachments ?? row.message.attachments;
    return [...attachments.filter((file, index) => file.kind === 'image' && !spokenFor.has(index)), ...notes.flatMap((note) => (note.kind === 'file' ? note.pages ?? [] : []))];
  });
}

/** What the person wrote and sent, when the composed text says more than that. */
export function writtenBy(rows: readonly InboundRow[], understood: Understood): UserMessage['written'] {
  if (rows.every((row) => notesOf(row, understood).length === 0)) return undefined;
  const files = rows.flatMap((row) => understood.get(row.runId)?.attachments ?? row.message.attachments);
  return { text: rows.map((row) => row.message.text).filter((text) => text !== '').join('\n\n'), files: files.map(({ name = 'file', mime }) => ({ name, mime })) };
}

/** More than these would bury the answer. */
const MAX_NOTICES = 5;

/** What the person is told of files that could not be understood, each once, the rest counted. */
export function noticesOf(rows: readonly InboundRow[], understood: Understood): readonly string[] {
  const told = [...new Set(rows.flatMap((row) => notesOf(row, understood).flatMap((note) => (note.kind === 'remark' && note.tell ? [note.tell] : []))))];
  const more = told.length - MAX_NOTICES;
  return more > 0 ? [...told.slice(0, MAX_NOTICES), `${more} more ${more === 1 ? 'file' : 'files'} could not be understood either; the timeline of this message names them.`] : told;
}
