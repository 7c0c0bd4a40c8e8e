/** The table of all slash commands. */
import { AppError } from '../../core/errors.ts';
import { allowlistCommand } from './allowlist.ts';
import { approveCommand } from './approve.ts';
import { bashCommand } from './bash.ts';
import type { Command } from './command.ts';
import { compactCommand } from './compact.ts';
import { configCommand, debugCommand } from './config-command.ts';
import { contextCommand } from './context.ts';
import { execCommand } from './exec.ts';
import { commandsCommand, helpCommand } from './help.ts';
import { elevatedCommand, reasoningCommand, thinkCommand, verboseCommand } from './levels.ts';
import { modelCommand, modelsCommand } from './model.ts';
import { newCommand, resetCommand } from './new.ts';
import { activationCommand, sendCommand } from './place.ts';
import { queueCommand } from './queue.ts';
import { restartCommand } from './restart.ts';
import { skillCommand } from './skill.ts';
import { statusCommand } from './status.ts';
import { stopCommand } from './stop.ts';
import { subagentsCommand } from './subagents.ts';
import { ttsCommand } from './tts.ts';
import { costCommand, usageCommand } from './usage.ts';
import { whoamiCommand } from './whoami.ts';

/** Two commands of one name are a fault of ours, found at start. */
export function unique(commands: readonly Command[]): readonly Command[] {
  const names = commands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  const odd = names.find((name) => !/^[a-z][a-z0-9_-]{0,31}$/.test(name)); // what every platform takes
  if (odd !== undefined) throw new AppError('internal', `"${odd}" cannot be the name of a command.`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new AppError('internal', `Two commands are called /${twice}.`);
  return commands;
}

export const COMMANDS: readonly Command[] = unique([
  helpCommand,
  commandsCommand,
  statusCommand,
  whoamiCommand,
  contextCommand,
  costCommand,
  newCommand,
  resetCommand,
  compactCommand,
  stopCommand,
  queueCommand,
  subagentsCommand,
  skillCommand,
  modelCommand,
  modelsCommand,
  thinkCommand,
  verboseCommand,
  reasoningCommand,
  usageCommand,
  ttsCommand,
  approveCommand,
  elevatedCommand,
  execCommand,
  activationCommand,
  sendCommand,
  allowlistCommand,
  configCommand,
  debugCommand,
  bashCommand,
  restartCommand,
]);
