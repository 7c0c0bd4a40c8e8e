/**
 * The command table as the build wrote it beside the code: enough for parsing and `--help`. The file that holds a
 * command is loaded when it runs.
 */
import { join } from 'node:path';
import type { Env } from '../platform/env.ts';
import { readTextNow } from '../platform/read-now.ts';
import type { Command } from './command.ts';

/** What lists show of a row, and where its code is. */
interface WrittenRow extends Pick<Command, 'name' | 'aliases' | 'summary' | 'heading' | 'caps'> {
  /** The feature whose `cli` file has it; absent: the table of the product. */
  readonly feature?: string;
  /** Its holder knows more options of it. */
  readonly hasMore?: true;
}

/** What parsing and the help of one command need besides. */
type Details = Pick<Command, 'args' | 'options' | 'examples'>;

/** The rows of one file, in order; `feature` as in `WrittenRow`. */
export interface FoundRows {
  readonly feature?: string;
  readonly rows: readonly Command[];
}

/** Loads the file of a feature, or the product's own table. */
type RowsOf = (feature: string | undefined) => Promise<readonly Command[]>;

const ROWS = 'commands.json';
/** Name → JSON of its details: of more than a hundred, one command line reads one. */
const DETAILS = 'command-details.json';

/** Undefined where nothing was built. */
export function readWrittenTable(rowsOf: RowsOf, folder: string = import.meta.dirname): readonly Command[] | undefined {
  const text = readTextNow(join(folder, ROWS));
  if (text === undefined) return undefined;
  const read: { details?: Readonly<Record<string, string>> } = {};
  const detailsOf = (name: string): Details => {
    read.details ??= JSON.parse(readTextNow(join(folder, DETAILS))!) as Readonly<Record<string, string>>;
    return JSON.parse(read.details[name]!) as Details;
  };
  return (JSON.parse(text) as readonly WrittenRow[]).map((row) => withCode(row, detailsOf, rowsOf));
}

function withCode(
  { feature, hasMore, ...row }: WrittenRow,
  detailsOf: (name: string) => Details,
  rowsOf: RowsOf,
): Command {
  const holder = async (): Promise<Command> => (await rowsOf(feature)).find(({ name }) => name === row.name)!;
  const command = {
    ...row,
    get args() {
      return detailsOf(row.name).args;
    },
    get options() {
      return detailsOf(row.name).options;
    },
    get examples() {
      return detailsOf(row.name).examples;
    },
    load: async (table: readonly Command[]) => (await holder()).load(table),
  } as Command;
  return hasMore ? Object.assign(command, { more: async (env: Env) => (await holder()).more!(env) }) : command;
}

/** What the build writes: file name → content. */
export function writtenTable(found: readonly FoundRows[]): Readonly<Record<string, string>> {
  const all = found.flatMap(({ feature, rows }) => rows.map((row) => ({ feature, row })));
  return {
    [ROWS]: JSON.stringify(
      all.map(({ feature, row: { name, aliases, summary, heading, caps, more } }) => ({
        name,
        aliases,
        summary,
        heading,
        caps,
        feature,
        hasMore: more && true,
      })),
    ),
    [DETAILS]: JSON.stringify(
      Object.fromEntries(
        all.map(({ row: { name, args, options, examples } }) => [name, JSON.stringify({ args, options, examples })]),
      ),
    ),
  };
}
