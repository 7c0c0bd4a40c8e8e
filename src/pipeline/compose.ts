/** The only place that builds the text the model sees from what people wrote. Pure. */
import type { InboundRow } from '../journal/rows.ts';
import { collectText, summaryLine } from '../sessions/queue.ts';
import { readCommand, type ReadCommand } from './commands/read-command.ts';
import { COMMANDS } from './commands/table.ts';
import { GREETING } from './commands/new.ts';

/** The reset a message is, when its sender may reset; for everybody else it is ordinary text. */
export function readReset(row: InboundRow, resetTriggers: readonly string[]): ReadCommand | undefined {
  const found = row.commands && row.authorized ? readCommand(row.message.text, COMMANDS, resetTriggers) : undefined;
  return found?.command.resets ? found : undefined;
}

/** What one message says to the model: a reset trigger stands for the text behind it. */
export function composeText(row: InboundRow, resetTriggers: readonly string[]): string {
  const reset = readReset(row, resetTriggers);
  return reset ? reset.args || GREETING : row.message.text;
}

/** One turn's text from the messages it answers and those that gave way. */
export function composeTurn(rows: readonly InboundRow[], dropped: readonly InboundRow[], resetTriggers: readonly string[]): string {
  return collectText(rows.map((row) => composeText(row, resetTriggers)), dropped.map((row) => summaryLine(row.message.text)));
}
