/** Parses arguments into a command of the table with checked options, or a usage error with a suggestion. */
import { parseArgs } from 'node:util';
import { nearest } from '../config/suggest.ts';
import { present } from '../core/present.ts';
import type { Command, Flags, Option } from './command.ts';

/** What a person typed cannot be run as it stands; exit code 2. */
export interface UsageError {
  readonly problem: string;
  readonly hint?: string;
  readonly help: string;
}

export type Parsed =
  | { readonly kind: 'run'; readonly command: Command; readonly args: readonly string[]; readonly flags: Flags }
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'usage'; readonly error: UsageError };

/** `argv` is what follows the program's name. */
export function parseCommandLine(argv: readonly string[], table: readonly Command[]): Parsed {
  const [first] = argv;
  if (first === undefined) return { kind: 'help', topic: '' };
  if (argv.length === 1 && (first === '--version' || first === '-v' || first === '-V')) return { kind: 'version' };
  const words = leadingWords(first === 'help' ? argv.slice(1) : argv);
  const found = findCommand(words, table);
  if (first === 'help' || wantsHelp(argv)) return { kind: 'help', topic: found?.command.name ?? groupOf(words, table) };
  if (!found) return unknownCommand(words, argv, table);
  return parseOptions(found.command, argv.slice(found.length));
}

const wantsHelp = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).some((arg) => arg === '--help' || arg === '-h');
};

function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((arg) => arg.startsWith('-'));
  return end < 0 ? argv : argv.slice(0, end);
}

/**
 * The command with the longest name that the words begin with; an alias that other commands begin with counts only when
 * nothing follows it, for that could be one of them.
 */
function findCommand(
  words: readonly string[],
  table: readonly Command[],
): { command: Command; length: number } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(' ');
    const alone =
      length === words.length ||
      !table.some((row) => [row.name, ...(row.aliases ?? [])].some((other) => other.startsWith(`${name} `)));
    const command =
      table.find((row) => row.name === name) ?? (alone ? table.find((row) => row.aliases?.includes(name)) : undefined);
    if (command) return { command, length };
  }
  return undefined;
}

/** `sessions` for `sessions lst`: the first word when commands begin with it. */
const groupOf = (words: readonly string[], table: readonly Command[]): string =>
  table.some((row) => [row.name, ...(row.aliases ?? [])].some((name) => name.startsWith(`${words[0]} `)))
    ? words[0]!
    : '';

function unknownCommand(words: readonly string[], argv: readonly string[], table: readonly Command[]): Parsed {
  const group = groupOf(words, table);
  if (words.length === 0) return usage(`Unknown option ${argv[0]}`, undefined, '');
  if (group && words.length === 1) return { kind: 'help', topic: group };
  const typed = words.slice(0, 2).join(' ');
  const names = table.flatMap((row) => [row.name, ...(row.aliases ?? [])]);
  const near = group
    ? nearest(
        typed,
        names.filter((name) => name.startsWith(`${group} `)),
      )
    : (nearest(typed, names) ??
      nearest(
        words[0]!,
        names.map((name) => name.split(' ')[0]!),
      ));
  return usage(`Unknown command: ${group ? typed : words[0]}`, near, group);
}

function parseOptions(command: Command, rest: readonly string[]): Parsed {
  const options = command.options ?? {};
  const { tokens, positionals } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind, short }]) => [
        name,
        present({ type: kind === 'flag' ? ('boolean' as const) : ('string' as const), short }),
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, Value>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!known)
      return usage(`Unknown option ${token.rawName}`, dashed(nearest(token.name, Object.keys(options))), command.name);
    const value = valueOf(known, token.value);
    if (value === undefined) return usage(wrongValue(token.rawName, known, token.value), undefined, command.name);
    values.set(
      token.name,
      known.kind === 'list'
        ? [...((values.get(token.name) as readonly string[] | undefined) ?? []), String(value)]
        : value,
    );
  }
  const missing = Object.entries(options).find(([name, option]) => option.required && !values.has(name));
  if (missing) return usage(`Missing ${dashed(missing[0])} ${missing[1].value ?? ''}`.trim(), undefined, command.name);
  const args = joined(command, positionals);
  const problem = wrongCount(command, args, new Set(values.keys()));
  return problem ? usage(problem, undefined, command.name) : { kind: 'run', command, args, flags: flagsOf(values) };
}

function valueOf({ kind }: Option, raw: string | undefined): string | number | true | undefined {
  if (kind === 'flag') return raw === undefined ? true : undefined;
  if (kind === 'text' || kind === 'list' || raw === undefined) return raw;
  return raw.trim() !== '' && Number.isFinite(Number(raw)) ? Number(raw) : undefined;
}

function wrongValue(name: string, { kind, value }: Option, raw: string | undefined): string {
  if (kind === 'flag') return `${name} takes no value`;
  return raw === undefined
    ? `${name} needs a value: ${name} ${value ?? '<value>'}`
    : `${name} must be a number, not "${raw}"`;
}

/** `agent write a letter`: the words are one message. */
function joined({ args = [] }: Command, words: readonly string[]): readonly string[] {
  const at = args.findIndex(({ rest }) => rest);
  return at < 0 || words.length <= at ? words : [...words.slice(0, at), words.slice(at).join(' ')];
}

function wrongCount(
  { name, args = [] }: Command,
  words: readonly string[],
  options: ReadonlySet<string>,
): string | undefined {
  const missing = args.find(
    ({ optional, or }, index) => !optional && words[index] === undefined && !(or !== undefined && options.has(or)),
  );
  if (missing) return `Missing <${missing.name}>${missing.or === undefined ? '' : ` or --${missing.or}`}`;
  const twice = args.find(({ or }, index) => or !== undefined && words[index] !== undefined && options.has(or));
  if (twice) return `<${twice.name}> is given twice: as an argument and with --${twice.or}`;
  return words.length > args.length ? `${name}: unexpected argument "${words[args.length]}"` : undefined;
}

type Value = string | number | true | readonly string[];

const flagsOf = (values: ReadonlyMap<string, Value>): Flags => ({
  has: (name) => values.has(name),
  text: (name) => values.get(name) as string | undefined,
  number: (name) => values.get(name) as number | undefined,
  list: (name) => (values.get(name) as readonly string[] | undefined) ?? [],
});

const dashed = <T extends string | undefined>(name: T) => (name === undefined ? undefined : `--${name}`);

const usage = (problem: string, near: string | undefined, help: string): Parsed => ({
  kind: 'usage',
  error: present({ problem, help, hint: near !== undefined ? `Did you mean ${near}?` : undefined }),
});
