/** The command menu: built-in commands, then configured ones, with names valid in Telegram. */
import { AppError, type Log, type NativeCommand, head } from '../../sdk/index.ts';
import type { BotCommand } from 'grammy/types';
import type { TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';

const MENU_MAX = 100;
const DESCRIPTION_MAX = 256;

export interface Menu {
  readonly entries: readonly BotCommand[];
  /** Name in the menu → the command it stands for. */
  readonly names: ReadonlyMap<string, string>;
}

export function menuOf(
  commands: readonly NativeCommand[],
  { customCommands }: Pick<TelegramConfig, 'customCommands'>,
  log: Log,
): Menu {
  const names = new Map<string, string>();
  const entries: BotCommand[] = [];
  const add = (input: string, description: string): void => {
    const command = input.toLowerCase().replaceAll('-', '_');
    const why = !/^[a-z0-9_]{1,32}$/.test(command)
      ? 'Telegram does not allow this name'
      : names.has(command)
        ? 'the name is already used'
        : entries.length >= MENU_MAX
          ? `the menu holds ${MENU_MAX}`
          : undefined;
    if (why !== undefined) return void log.warn('telegram.menu.dropped', { command: input, why });
    names.set(command, input);
    entries.push({ command, description: head(description, DESCRIPTION_MAX) });
  };
  for (const { name, description } of commands) add(name, description);
  for (const { command, description } of customCommands) add(command.replace(/^\//, ''), description);
  return { entries, names: new Map(commands.map(({ name }) => [name.toLowerCase().replaceAll('-', '_'), name])) };
}

/** A menu that could not be set costs a convenience, not the connection. */
export async function publishMenu(
  { calls }: TelegramApi,
  entries: readonly BotCommand[],
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  try {
    if (entries.length > 0) await calls.setMyCommands({ commands: [...entries] }, signal);
    else await calls.deleteMyCommands({}, signal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'aborted') log.warn('telegram.menu.failed', { code: error.code, message: error.message });
  }
}
