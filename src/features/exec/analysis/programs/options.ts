/** Parses the options of a program against its list; an unlisted option makes the command not proven. */

export interface OptionList {
  /** Letters that take no value, e.g. `laR`. */
  readonly flags?: string;
  /** Letters that take one, in the same word or the next. */
  readonly values?: string;
  /** Long names without a value, whole: abbreviations are not accepted. */
  readonly long?: readonly string[];
  /** Long names with a value, behind `=` or in the next word. */
  readonly longValues?: readonly string[];
  /** Long names that may have a value behind `=`. */
  readonly longMaybe?: readonly string[];
  /** `-5` is a count. */
  readonly numeric?: boolean;
  /** Options end at the first word that is none, as in programs that start another. */
  readonly leading?: boolean;
}

export interface ReadOptions {
  /** `-n` and `--lines` as they are listed: letter or name without dashes. */
  readonly options: readonly { readonly name: string; readonly value?: string }[];
  readonly operands: readonly string[];
  /**
   * Options and their values behind the first operand: where `POSIXLY_CORRECT` is set, and to many programs of macOS,
   * these are operands as well.
   */
  readonly late: readonly string[];
}

/** `args`: behind the program's name. `unknown`: the first option that is not listed. */
export function readOptions(args: readonly string[], list: OptionList): ReadOptions | { readonly unknown: string } {
  const options: { name: string; value?: string }[] = [];
  const operands: string[] = [];
  const late: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--')
      return {
        options,
        operands: [...operands, ...args.slice(index + 1)],
        late: operands.length > 0 ? [...late, arg] : late,
      };
    if (!arg.startsWith('-') || arg === '-') {
      if (list.leading) return { options, operands: args.slice(index), late };
      operands.push(arg);
      continue;
    }
    const read = arg.startsWith('--') ? readLong(arg, list) : readShort(arg, list);
    if (read === undefined) return { unknown: arg };
    options.push(...read.options);
    if (operands.length > 0) late.push(...args.slice(index, read.wantsNext === undefined ? index + 1 : index + 2));
    if (read.wantsNext === undefined) continue;
    const value = args[++index];
    if (value === undefined) return { unknown: arg };
    options.push({ name: read.wantsNext, value });
  }
  return { options, operands, late };
}

interface OneOption {
  readonly options: readonly { readonly name: string; readonly value?: string }[];
  readonly wantsNext?: string;
}

function readLong(arg: string, { long = [], longValues = [], longMaybe = [] }: OptionList): OneOption | undefined {
  const [, name = '', value] = /^--([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
  if (value === undefined && (long.includes(name) || longMaybe.includes(name))) return { options: [{ name }] };
  if (value !== undefined && (longValues.includes(name) || longMaybe.includes(name)))
    return { options: [{ name, value }] };
  return value === undefined && longValues.includes(name) ? { options: [], wantsNext: name } : undefined;
}

function readShort(arg: string, { flags = '', values = '', numeric = false }: OptionList): OneOption | undefined {
  if (numeric && /^-\d+$/.test(arg)) return { options: [{ name: 'number', value: arg.slice(1) }] };
  const options: { name: string; value?: string }[] = [];
  for (let index = 1; index < arg.length; index++) {
    const letter = arg[index] ?? '';
    if (values.includes(letter)) {
      const value = arg.slice(index + 1);
      return value === '' ? { options, wantsNext: letter } : { options: [...options, { name: letter, value }] };
    }
    if (!flags.includes(letter)) return undefined;
    options.push({ name: letter });
  }
  return { options };
}
