/** Collects every command: those of the table, of features with a `cli.ts`, and of plugins. */
import type { CliIo, Command } from './command.ts';
import { pluginCommands } from './plugin-commands.ts';
import { readWrittenTable, writtenTable, type FoundRows } from './written-table.ts';

/** Rows only: the code of a command loads when it runs. */
export const ownCommands = async (): Promise<readonly Command[]> =>
  readWrittenTable(rowsOf) ?? (await foundRows()).flatMap(({ rows }) => rows);

/** The table for the build to write down: file name → content. */
export const tableToWrite = async (): Promise<Readonly<Record<string, string>>> => writtenTable(await foundRows());

interface CliFile {
  readonly commands: readonly Command[];
  readonly heading?: string;
}

async function foundRows(): Promise<readonly FoundRows[]> {
  const { featureFiles } = await import('./feature-files.ts');
  const found = await featureFiles<CliFile>('cli');
  return [
    { rows: await rowsOf(undefined) },
    ...found.map(({ feature, module: { commands, heading } }) => ({
      feature,
      rows: commands.map((row) => under(row, heading)),
    })),
  ];
}

async function rowsOf(feature: string | undefined): Promise<readonly Command[]> {
  if (feature === undefined) return (await import('./command-table.ts')).COMMANDS;
  const { featureFile } = await import('./feature-files.ts');
  return (await featureFile<CliFile>(feature, 'cli')).commands;
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
  return [...own, ...(await pluginCommands(io))];
}
