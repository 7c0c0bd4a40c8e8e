/** The text of `--help`, written from the command table. */
import { PRODUCT_LABEL } from '../core/product.ts';
import { columns } from './columns.ts';
import type { Command, Option } from './command.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

/** `topic`: a command, the first word of several, or empty for all of them. */
export function helpText(topic: string, table: readonly Command[]): string {
  const command = table.find((row) => row.name === topic);
  return command ? [commandHelp(command), ...siblings(command, table)].join('\n') : listHelp(topic, table);
}

/** `clawdbot gateway call <method> [options]` */
export const usageLine = ({ name, args = [], options = {} }: Command): string =>
  [OWN_COMMAND, name, ...args.map((arg) => (arg.optional ? `[${arg.name}]` : `<${arg.name}>`)), ...(Object.keys(options).length > 0 ? ['[options]'] : [])].join(' ');

/** `--port <n>` and what it does, row by row. */
export const optionRows = (options: Readonly<Record<string, Option>>): readonly (readonly [string, string])[] =>
  Object.entries(options).map(([name, { kind, value, help, required }]) => [`--${name}${kind === 'flag' ? '' : ` ${value ?? '<value>'}`}`, required ? `${help} Required.` : help]);

function commandHelp(command: Command): string {
  const { summary, args = [], options = {}, aliases = [] } = command;
  const explained = args.filter((arg) => arg.help !== undefined);
  return [
    summary,
    `\nUsage: ${usageLine(command)}`,
    ...(aliases.length > 0 ? [`Also:  ${aliases.map((alias) => `${OWN_COMMAND} ${alias}`).join(', ')}`] : []),
    ...(explained.length > 0 ? ['\nArguments:', columns(explained.map((arg) => [`  ${arg.name}`, arg.help!]))] : []),
    ...(Object.keys(options).length > 0 ? ['\nOptions:', columns(optionRows(options).map(([name, text]) => [`  ${name}`, text]))] : []),
  ].join('\n');
}

/** `approvals` alone is `approvals list`: who asks for help with it wants to know what else there is. */
function siblings({ name, aliases = [] }: Command, table: readonly Command[]): readonly string[] {
  const rows = table.filter((row) => row.name !== name && aliases.some((alias) => row.name.startsWith(`${alias} `)));
  return rows.length === 0 ? [] : ['\nMore commands:', columns(rows.map((row) => [`  ${row.name}`, row.summary]))];
}

function listHelp(group: string, table: readonly Command[]): string {
  const rows = table.filter((row) => !group || row.name.startsWith(`${group} `));
  return [
    group ? `Usage: ${OWN_COMMAND} ${group} <command> [options]` : `${PRODUCT_LABEL}: your chat channels on one side, agents on the other.\n\nUsage: ${OWN_COMMAND} <command> [options]`,
    '\nCommands:',
    columns(rows.map((row) => [`  ${row.name}`, row.summary])),
    `\n\`${OWN_COMMAND} <command> --help\` explains one. \`${OWN_COMMAND} --version\` prints the version.`,
  ].join('\n');
}
