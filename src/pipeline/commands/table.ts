/** Every slash command there is. */
import { AppError } from '../../core/errors.ts';
import { approveCommand } from './approve.ts';
import type { Command } from './command.ts';
import { compactCommand } from './compact.ts';
import { elevatedCommand } from './elevated.ts';
import { helpCommand } from './help.ts';
import { newCommand, resetCommand } from './new.ts';
import { statusCommand } from './status.ts';
import { stopCommand } from './stop.ts';

export const COMMANDS: readonly Command[] = unique([helpCommand, statusCommand, newCommand, resetCommand, compactCommand, stopCommand, approveCommand, elevatedCommand]);

/** Two commands of one name are a fault of ours, found at start. */
function unique(commands: readonly Command[]): readonly Command[] {
  const names = commands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new AppError('internal', `Two commands are called /${twice}.`);
  return commands;
}
