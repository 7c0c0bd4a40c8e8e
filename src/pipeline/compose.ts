/** The only place that builds the model's text from what people wrote and what was extracted from it. Pure. */
import type { Attachment } from '../core/message.ts';
import { inertLine } from '../core/inert-line.ts';
import { neutraliseFrames } from '../core/neutralise.ts';
import { present } from '../core/present.ts';
import type { SaidWords } from '../core/said.ts';
import { spoken } from '../core/saying.ts';
import type { UserMessage } from '../core/transcript.ts';
import type { Note, Understanding } from '../core/understanding.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import { collectText, summaryLine } from '../sessions/queue.ts';
import { GREETING } from './commands/new.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { readSaid, type ReadRules, type TakenApart } from './commands/read-said.ts';
import { isThreadRoot, withContext, type ContextRules } from './context/context-text.ts';
import { formatFiles } from './understanding/files/format.ts';
import { formatLinks } from './understanding/links/format.ts';
import { commandText, formatMedia, formatRemarks } from './understanding/media/format.ts';

/** What was understood of messages, by their run id. */
export interface Understood {
  get(runId: string): Understanding | undefined;
}
export const NOTHING_UNDERSTOOD: Understood = { get: () => undefined };

/** A message taken apart; with what was understood of it, the words of a voice note count as written. */
export const saidOf = (row: InboundRow, rules: ReadRules, understood = NOTHING_UNDERSTOOD): TakenApart =>
  readSaid(row, rules, spokenIn(row, understood));

/** The reset a message is, when its sender may reset; for everybody else it is ordinary text. */
export function readReset(row: InboundRow, rules: ReadRules, understood = NOTHING_UNDERSTOOD): ReadCommand | undefined {
  const { reset, text } = saidOf(row, rules, understood);
  return reset && { command: reset, args: text };
}

/** Commands spoken in a voice note: what a person said counts as written, what understanding added never does. */
export function spokenCommands(row: InboundRow, rules: ReadRules, understood: Understood): readonly ReadCommand[] {
  return spokenIn(row, understood) === undefined ? [] : saidOf(row, rules, understood).alone;
}

const notesOf = (row: InboundRow, understood: Understood): readonly Note[] => understood.get(row.runId)?.notes ?? [];

/**
 * What its sender recorded for it, where nobody typed beside it and nobody forwarded it: then it is the sender's own
 * voice.
 */
function spokenIn(row: InboundRow, understood: Understood): SaidWords | undefined {
  if (row.message.forwarded || row.message.text.trim() !== '') return undefined;
  const notes = notesOf(row, understood).filter(
    (note) =>
      'attachment' in note && note.attachment !== undefined && row.message.attachments[note.attachment]?.recorded,
  );
  const said = notes.length === 0 ? row.message.text : commandText({ text: row.message.text, notes });
  return said === row.message.text ? undefined : spoken(said);
}

/**
 * What one message says to the model: a reset trigger stands for the text behind it, notes follow the person's own
 * words.
 */
export function composeText(
  row: InboundRow,
  rules: ReadRules,
  understood = NOTHING_UNDERSTOOD,
  inert: TurnText['inert'] = (text) => text,
): string {
  const reset = readReset(row, rules, understood);
  return composeBody(inert(reset ? reset.args || GREETING : saidOf(row, rules).text, row), row, understood);
}

/** A person's words, without commands, with the notes on their message. */
export function composeBody(own: string, row: InboundRow, understood: Understood): string {
  const notes = notesOf(row, understood);
  if (notes.length === 0) return own;
  const body = formatMedia({ text: own, notes });
  const added = [formatFiles(notes), formatRemarks(notes), formatLinks(notes)].filter((text) => text !== '');
  return added.length === 0 ? body : [body.trim(), ...added].filter((text) => text !== '').join('\n\n');
}

export interface TurnText {
  readonly read: ReadRules;
  /** Who said it where, and what it answers, around the words of one message. */
  framed(text: string, row: InboundRow): string;
  /** Their words, so that none pass for what is set around them. */
  inert?(text: string, row: InboundRow): string;
  /** Words of one person that came no further apart than this, in milliseconds, are one message. */
  readonly gatherMs: number;
}

/** How messages become text where this one comes from. */
export interface TextRules {
  rules(row: InboundRow): ReadRules;
  /** The context that the agent gets with a message of this channel. */
  context(row: InboundRow): ContextRules;
  queueSettings(row: InboundRow): Pick<QueueSettings, 'gatherMs'>;
}

/** A greeting that the gateway requests is nobody's message, so it gets no context. */
export const turnText = (row: InboundRow, { rules, context, queueSettings }: TextRules): TurnText => ({
  read: rules(row),
  gatherMs: queueSettings(row).gatherMs ?? 0,
  framed: (text, one) => (text === GREETING ? text : withContext(text, one, context(one))),
  inert: (text, one) => (context(one).label === undefined || one.message.system ? text : neutraliseFrames(text)),
});

/** One turn's text from the messages it answers and those that gave way. */
export function composeTurn(
  rows: readonly InboundRow[],
  dropped: readonly InboundRow[],
  { read, framed, inert, gatherMs }: TurnText,
  understood = NOTHING_UNDERSTOOD,
): string {
  const spoken = inOneBreath(rows, gatherMs).map((said) =>
    framed(said.map((row) => composeText(row, read, understood, inert)).join('\n'), {
      ...said.at(-1)!,
      history: said.flatMap((row) => row.history ?? []),
    }),
  );
  return collectText(
    spoken,
    dropped.map((row) => summaryLine(row.message.text)),
  );
}

function inOneBreath(rows: readonly InboundRow[], gatherMs: number): readonly InboundRow[][] {
  const said: InboundRow[][] = [];
  for (const row of rows) {
    const last = said.at(-1)?.at(-1);
    const goesOn =
      gatherMs > 0 &&
      last?.message.sender.id === row.message.sender.id &&
      row.acceptedAt - last.acceptedAt <= gatherMs &&
      (!row.message.quoted || isThreadRoot(row.message));
    if (goesOn) said.at(-1)!.push(row);
    else said.push([row]);
  }
  return said;
}

/** The pictures a model is shown: those nothing was written about, and pages of documents that had no text. */
export function turnImages(rows: readonly InboundRow[], understood = NOTHING_UNDERSTOOD): readonly Attachment[] {
  return rows.flatMap((row) => {
    const notes = notesOf(row, understood);
    const spokenFor = new Set(notes.flatMap((note) => (note.kind === 'link' ? [] : [note.attachment])));
    const attachments = understood.get(row.runId)?.attachments ?? row.message.attachments;
    return [
      ...attachments.filter((file, index) => file.kind === 'image' && !spokenFor.has(index)),
      ...notes.flatMap((note) => (note.kind === 'file' ? (note.pages ?? []) : [])),
    ];
  });
}

/** What the person wrote and sent, when the composed text says more than that. */
export function writtenBy(
  rows: readonly InboundRow[],
  understood: Understood,
  framed: boolean,
): UserMessage['written'] {
  if (!framed && rows.every((row) => notesOf(row, understood).length === 0)) return undefined;
  const files = rows.flatMap((row) => understood.get(row.runId)?.attachments ?? row.message.attachments);
  return {
    text: rows
      .map((row) => row.message.text)
      .filter((text) => text !== '')
      .join('\n\n'),
    files: files.map(({ name = 'file', mime }) => ({ name, mime })),
    ...present({ by: framed ? writers(rows) : undefined }),
  };
}

/** Each once, in the order in which they wrote. */
const writers = (rows: readonly InboundRow[]): string =>
  [...new Set(rows.map(({ message: { sender } }) => inertLine(sender.name ?? sender.handle ?? sender.id)))].join(', ');

/** More than these would bury the answer. */
const MAX_NOTICES = 5;

/** The notice about files that could not be understood, each kind once, the rest counted. */
export function noticesOf(rows: readonly InboundRow[], understood: Understood): readonly string[] {
  const notices = [
    ...new Set(
      rows.flatMap((row) =>
        notesOf(row, understood).flatMap((note) => (note.kind === 'remark' && note.tell ? [note.tell] : [])),
      ),
    ),
  ];
  const more = notices.length - MAX_NOTICES;
  return more > 0
    ? [
        ...notices.slice(0, MAX_NOTICES),
        `${more} more ${more === 1 ? 'file' : 'files'} could not be understood either; the timeline of this ` +
          'message names them.',
      ]
    : notices;
}
