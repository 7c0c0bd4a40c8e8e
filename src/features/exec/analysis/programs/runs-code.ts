/** Decides whether a program call can run code from its input, so that allowing its file would allow anything. */
import { basename } from 'node:path';
import { MULTI_CALL } from './harmless-table.ts';
import { ALWAYS } from './interpreter-always-table.ts';
import { LOADER, SOMETIMES, type RunsCodeWith } from './interpreter-table.ts';

/** `names`: as written and as the file is called really. */
export function runsCode(names: readonly string[], args: readonly string[]): boolean {
  return names
    .map((name) => basename(name))
    .flatMap(spellings)
    .some(
      (name) =>
        ALWAYS.has(name) ||
        LOADER.test(name) ||
        (MULTI_CALL as readonly string[]).includes(name) ||
        sometimes(name, args),
    );
}

/** `python3.11` → `python3`, `python`; `vim.basic` → `vim`; `x86_64-linux-gnu-gcc-12` → `gcc`. */
function spellings(name: string): readonly string[] {
  const plain = name
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/^[\w.]+-linux-(?:gnu|musl)\w*-/, '');
  const first = plain.replace(/\.[\s\S]*$/, '');
  return [...new Set([name, plain, first, unversioned(plain), unversioned(first)])];
}

const unversioned = (name: string): string => name.replace(/(?<![\d.])[-.]?\d[\d.]*[a-z]?$/, '');

function sometimes(name: string, args: readonly string[]): boolean {
  const rule = Object.hasOwn(SOMETIMES, name) ? SOMETIMES[name] : undefined;
  return (
    rule !== undefined &&
    (unknownSubcommand(rule, args) ||
      args.some(
        (arg, index) =>
          takesCode(arg, rule) || (rule.bareCluster === true && index === 0 && takesCode(`-${arg}`, rule)),
      ))
  );
}

function unknownSubcommand({ subcommands }: RunsCodeWith, [first]: readonly string[]): boolean {
  return subcommands !== undefined && (first === undefined || !subcommands.includes(first));
}

/** Generous on purpose: a value that looks like such an option counts as one. */
function takesCode(arg: string, { letters = '', long = [], words = [], within }: RunsCodeWith): boolean {
  if (words.includes(arg) || within?.test(arg)) return true;
  const name = /^--([^=]+)/.exec(arg)?.[1];
  if (name !== undefined) return long.some((each) => each.startsWith(name));
  return arg.startsWith('-') && [...letters].some((letter) => arg.includes(letter));
}
