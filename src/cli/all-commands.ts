/** Collects every command: those of the table, of features with a `cli.ts`, and of plugins. */
import type { CliIo, Command } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { featureFiles } from './feature-files.ts';

/** Rows only: the code of a command loads when it runs. */
export async function ownCommands(): Promise<readonly Command[]> {
  const found = await featureFiles<{ readonly commands: readonly Command[]; readonly heading?: string }>('cli');
  return [...COMMANDS, ...found.flatMap(({ commands, heading }) => commands.map((row) => under(row, heading)))];
}

const under = (row: Command, heading: string | undefined): Command =>
  heading === undefined ? row : { heading, ...row };

/** Plugins are asked where all commands are listed, and for a word nobody else knows. */
export async function allCommands(argv: readonly string[], io: CliIo): Promise<readonly Command[]> {
  const own = await ownCommands();
  const word = argv.find((one) => one !== 'help' && !one.startsWith('-'));
  const lists =
    word === undefined ? !argv.some((one) => ['--version', '-v', '-V'].includes(one)) : word === 'completion';
  const known = own.some(({ name, aliases = [] }) => [name, ...aliases].some((one) => one.split(' ')[0] === word));
  if (known && !lists) return own;
  const { pluginCommands } = await import('./plugin-commands.ts');
  return [...own, ...(await pluginCommands(io))];
}
