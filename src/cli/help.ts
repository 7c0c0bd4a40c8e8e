/** Generates the text of `--help` from the command table. */
import { PRODUCT_LABEL } from '../core/product.ts';
import { columns } from './columns.ts';
import type { Command, Option } from './command.ts';
import { plain, type Paint } from './paint.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

/** `topic`: a command, the first word of several, or empty for all of them. */
export function helpText(topic: string, table: readonly Command[], paint: Paint = plain): string {
  const command = table.find((row) => row.name === topic);
  return command
    ? [
        commandHelp(command, paint),
        ...siblings(command, table, paint),
        ...exampleLines(command.examples ?? [], paint),
      ].join('\n')
    : listHelp(topic, table, paint);
}

/** `clawdbot gateway call <method> [options]` */
export const usageLine = ({ name, args = [], options = {} }: Command): string =>
  [
    OWN_COMMAND,
    name,
    ...args.map((arg) => (arg.optional || arg.or !== undefined ? `[${arg.name}]` : `<${arg.name}>`)),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ].join(' ');

/** `--port <n>` and what it does, row by row. */
export const optionRows = (options: Readonly<Record<string, Option>>): readonly (readonly [string, string])[] =>
  Object.entries(options).map(([name, { kind, value, help, required, short }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${kind === 'flag' ? '' : ` ${value ?? '<value>'}`}`,
    required ? `${help} Required.` : help,
  ]);

function commandHelp(command: Command, paint: Paint): string {
  const { summary, args = [], options = {}, aliases = [] } = command;
  const explained = args.filter((arg) => arg.help !== undefined);
  return [
    summary,
    `\nUsage: ${usageLine(command)}`,
    ...(aliases.length > 0 ? [`Also:  ${aliases.map((alias) => `${OWN_COMMAND} ${alias}`).join(', ')}`] : []),
    ...(explained.length > 0
      ? [`\n${paint('bold', 'Arguments:')}`, columns(explained.map((arg) => [`  ${arg.name}`, arg.help!]))]
      : []),
    ...(Object.keys(options).length > 0
      ? [`\n${paint('bold', 'Options:')}`, columns(optionRows(options).map(([name, text]) => [`  ${name}`, text]))]
      : []),
  ].join('\n');
}

/** `approvals` alone is `approvals list`: who asks for help with it wants to know what else there is. */
function siblings({ name, aliases = [] }: Command, table: readonly Command[], paint: Paint): readonly string[] {
  const rows = table.filter((row) => row.name !== name && aliases.some((alias) => row.name.startsWith(`${alias} `)));
  return rows.length === 0
    ? []
    : [`\n${paint('bold', 'More commands:')}`, columns(rows.map((row) => [`  ${row.name}`, row.summary]))];
}

/**
 * Heading → first words of the commands below it, in the order of a first day; features name theirs themselves. What is
 * in none comes last.
 */
const HEADINGS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Run and inspect',
    ['gateway', 'status', 'health', 'doctor', 'logs', 'dashboard', 'onboard', 'backup', 'version', 'completion'],
  ],
  ['Talk', ['agent', 'agents', 'chat', 'sessions', 'models']],
  ['Channels and people', ['channels', 'pairing', 'message', 'route', 'access', 'node']],
  ['Commands and tools of agents', ['tools']],
  ['Time', ['system']],
  ['Configuration', ['config', 'security']],
];

/** What most people want on their first day. */
const FIRST_EXAMPLES = [
  'gateway run',
  'agent hello',
  'status',
  'channels add --channel telegram',
  'config explain gateway.port',
  'help sessions',
];

const firstWord = ({ name }: Command): string => name.split(' ')[0]!;

function listHelp(group: string, table: readonly Command[], paint: Paint): string {
  const begins = (name: string): boolean => name.startsWith(`${group} `);
  const rows = group ? table.filter((row) => [row.name, ...(row.aliases ?? [])].some(begins)) : table;
  const byWord = Map.groupBy(rows, firstWord);
  const below = (heading: string, words: readonly string[]): readonly Command[] => [
    ...words.flatMap((word) => byWord.get(word) ?? []),
    ...rows.filter((row) => row.heading === heading && !words.includes(firstWord(row))),
  ];
  const placed = HEADINGS.map(([heading, words]) => [heading, below(heading, words)] as const);
  const known = new Set(placed.flatMap(([, found]) => found));
  const sections = group
    ? [['Commands', rows] as const]
    : [...placed, ['More', rows.filter((row) => !known.has(row))] as const].filter(([, found]) => found.length > 0);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const examples = group ? rows.flatMap((row) => row.examples ?? []) : FIRST_EXAMPLES;
  return [
    group
      ? `Usage: ${OWN_COMMAND} ${group} <command> [options]`
      : `${paint('bold', PRODUCT_LABEL)}: connects chat channels to AI agents.\n\nUsage: ${OWN_COMMAND} ` +
        '<command> [options]',
    ...sections.flatMap(([heading, found]) => [
      `\n${paint('bold', `${heading}:`)}`,
      ...found.map(({ name, summary }) => `  ${paint('cyan', name)}${' '.repeat(width - name.length)}  ${summary}`),
    ]),
    ...exampleLines(examples, paint),
    `\nRun \`${OWN_COMMAND} <command> --help\` for the options of a command, \`${OWN_COMMAND} --version\` ` +
      'for the version.',
  ].join('\n');
}

const exampleLines = (examples: readonly string[], paint: Paint): readonly string[] =>
  examples.length === 0
    ? []
    : [`\n${paint('bold', 'Examples:')}`, ...examples.map((line) => `  ${OWN_COMMAND} ${line}`)];
