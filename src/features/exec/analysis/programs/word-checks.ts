/** Checks arguments in small languages (filters, scripts, formats, searches): only a read-only subset is accepted. */
import type { ReadOptions } from './options.ts';

/** The files it would look at, or what is not known to be harmless. */
export type Checked =
  | {
      readonly files: readonly string[];
      /** Files to some programs of that name. */
      readonly maybeFiles?: readonly string[];
    }
  | { readonly why: string };

/** `text` operands of a program with ordinary options; undefined: nothing against them. */
export const TEXT_CHECKS: Readonly<Record<string, (text: readonly string[], read: ReadOptions) => string | undefined>> =
  {
    jq: ([filter = '']) =>
      LEAVES_JQ.test(filter) ? 'its filter may read the environment, other files or modules' : undefined,
    date: ([format], { options }) => {
      if (format !== undefined && !format.startsWith('+')) return 'it would set the clock';
      return options.some(({ value = '' }) => value.replaceAll(NAMED_ZONE, '').includes('TZ'))
        ? 'it reads a file as a time zone'
        : undefined;
    },
    // `+5f` never ends.
    tail: (_text, { operands }) =>
      operands.some((operand) => operand.startsWith('+')) ? 'a word that begins with "+" may be an option' : undefined,
    which: (names) => (names.some((name) => name.includes('/')) ? 'it accesses a path' : undefined),
    awk: ([program = '']) =>
      PRINTS_FIELDS.test(onOneLine(program)) ? undefined : 'its program may do more than print fields',
    sed: ([script], { options }) => {
      const scripts = [
        ...options.filter(({ name }) => name === 'e' || name === 'expression').map(({ value = '' }) => value),
        ...(script === undefined ? [] : [script]),
      ];
      return scripts.length > 0 && scripts.every((each) => PRINTS_LINES.test(onOneLine(each)))
        ? undefined
        : 'its script may do more than print lines';
    },
  };

/** `date -d 'TZ="Europe/Berlin" 9:00'`; any other path is a file it opens. */
const NAMED_ZONE = /TZ="[A-Za-z0-9_+-]{1,40}(?:\/[A-Za-z0-9_+-]{1,40}){0,3}"/g;
/** Field access (`.env`) is none of these. */
const LEAVES_JQ = /(?<!\.)\b(?:env|ENV|import|include|modulemeta|input_filename|get_search_list|__prog\w*)\b/;
/** Runs of blanks mean what one does, except that a newline ends a command like `;`. */
const onOneLine = (script: string): string =>
  script
    .trim()
    .replaceAll(/(?<![ \t])[ \t]*\n\s*/g, ';')
    .replaceAll(/[ \t]+/g, ' ');
const FIELD = String.raw`\$(?:\d+|NF)`;
const PRINTS_FIELDS = new RegExp(
  String.raw`^(?:NR ?[<>=!]=? ?\d+ ?)?\{ ?print(?: ?${FIELD}(?: ?, ?${FIELD})*)? ?;? ?\}$`,
);
const LINE = String.raw`(?:(?:\d+|\$)(?:,(?:\+?\d+|\$))?|/[^/\\\n]*/)[pdq=]`;
const PRINTS_LINES = new RegExp(String.raw`^${LINE}(?: ?; ?${LINE})* ?;?$`);

/** Programs without ordinary options. */
export const RAW_CHECKS: Readonly<Record<string, (args: readonly string[]) => Checked>> = {
  true: () => NOTHING,
  false: () => NOTHING,
  ':': () => NOTHING,
  echo: () => NOTHING,
  printf: checkPrintf,
  test: checkTest,
  '[': checkTest,
  find: checkFind,
};

const NOTHING: Checked = { files: [] };
const CONVERSION = /%(?:%|[-+ #]*\d*(?:\.\d+)?([sbcdiouxXeEfgG]))/g;

/** Options name variables, and so does `%n`; some shells calculate with what should be a number. */
function checkPrintf([format = '', ...args]: readonly string[]): Checked {
  if (format.startsWith('-')) return { why: 'options of printf set variables' };
  if (format.replaceAll(CONVERSION, '').includes('%'))
    return { why: 'its format contains a conversion that is not on the safe list' };
  const numbers = [...format.matchAll(CONVERSION)].some(
    ([, letter]) => letter !== undefined && !'sbc'.includes(letter),
  );
  return numbers && !args.every((arg) => /^[\w.,:+ -]*$/.test(arg))
    ? { why: 'an argument that must be a number is not one' }
    : NOTHING;
}

const FILE_TEST = /^-[bcdefghkLprsSuwxGNO]$/;
const PLAIN_TEST = new Set([
  '!',
  '-a',
  '-o',
  '(',
  ')',
  ']',
  '-z',
  '-n',
  '-t',
  '=',
  '==',
  '!=',
  '-eq',
  '-ne',
  '-lt',
  '-le',
  '-gt',
  '-ge',
  '-nt',
  '-ot',
  '-ef',
]);

/** `-v` calculates what stands in brackets. */
function checkTest(args: readonly string[]): Checked {
  const odd = args.find(
    (arg) => arg.startsWith('-') && !FILE_TEST.test(arg) && !PLAIN_TEST.has(arg) && !/^-\d+$/.test(arg),
  );
  if (odd !== undefined) return { why: `"${odd}" is not on the list of safe tests` };
  if (args.some((arg) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(arg)) && args.some((arg) => /[[$`]/.test(arg) && arg !== '['))
    return { why: 'a value that must be a number is not one' };
  const isCompared = (index: number): boolean =>
    [args[index - 1], args[index + 1]].some((near) => /^-(?:nt|ot|ef)$/.test(near ?? ''));
  // Alone, `-a` asks whether a file is there; between two tests it joins them.
  const isAnd = (index: number): boolean => args[index] === '-a' && /^(?:|!|\(|-a|-o)$/.test(args[index - 1] ?? '');
  return {
    files: args.filter((_arg, index) => FILE_TEST.test(args[index - 1] ?? '') || isAnd(index - 1) || isCompared(index)),
  };
}

const FIND_TESTS = new Set([
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-iwholename',
  '-regex',
  '-iregex',
  '-regextype',
  '-type',
  '-maxdepth',
  '-mindepth',
  '-size',
  '-mtime',
  '-mmin',
  '-atime',
  '-amin',
  '-ctime',
  '-cmin',
  '-user',
  '-group',
  '-perm',
  '-links',
  '-inum',
  '-printf',
]);
const FIND_WORDS = new Set([
  '-print',
  '-print0',
  '-ls',
  '-empty',
  '-not',
  '!',
  '-a',
  '-and',
  '-o',
  '-or',
  '(',
  ')',
  ',',
  '-prune',
  '-depth',
  '-d',
  '-xdev',
  '-mount',
  '-true',
  '-false',
  '-quit',
  '-readable',
  '-writable',
  '-executable',
  '-nouser',
  '-nogroup',
  '-daystart',
]);

/** Folders first, then a search in words that only look. Links are not followed unless told to. */
function checkFind(args: readonly string[]): Checked {
  const words = args[0] === '-P' ? args.slice(1) : args;
  const split = words.findIndex((word) => /^[-(!,]/.test(word));
  const [folders, search] = split === -1 ? [words, []] : [words.slice(0, split), words.slice(split)];
  for (let index = 0; index < search.length; index++) {
    const word = search[index] ?? '';
    if (FIND_TESTS.has(word)) index++;
    else if (!FIND_WORDS.has(word)) return { why: `"${word}" of find is not on the read-only list` };
  }
  return { files: folders.length === 0 ? ['.'] : folders };
}
