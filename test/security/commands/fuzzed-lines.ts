/**
 * Random but reproducible command lines from the table of harmless programs: options in any order, with allowed and
 * forbidden values and files.
 */
import { HARMLESS } from '../../../src/features/exec/analysis/programs/harmless-table.ts';

const FILES = [
  'notes.txt',
  'other.txt',
  'src',
  'src/a.ts',
  'inner',
  '.',
  './notes.txt',
  '-',
  'missing',
  "'a b.txt'",
  'data.json',
  'evil.so',
  'second-name.txt',
  '/dev/null',
  '@work@/notes.txt',
] as const;
const TRAPS = [
  '../secret.txt',
  'link-to-secret',
  'link-out',
  'pipe',
  '/etc/passwd',
  '..',
  '-o',
  '-exec',
  '--',
  '+5f',
  '+1',
  'x=1',
  '/dev/stdin',
  '/proc/self/cwd/notes.txt',
  'here/notes.txt',
  'evil.sh',
  '-rf',
  'names0',
  '@home@/secret.txt',
  '*',
  '$HOME',
] as const;
const VALUES = [
  '1',
  '2',
  ',',
  'x',
  '1,2',
  '0',
  '%s',
  'notes.txt',
  '../secret.txt',
  "''",
  '\'TZ="/etc/shadow" now\'',
  'name',
  '/',
  '-1',
  '1k',
  './evil.sh',
] as const;
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  jq: ['.', '.name', 'keys', "'$x'", "'.env'", "'env'", '-n'],
  grep: ['one', "'^t'", "''", '-e', 'x'],
  awk: ["'{print $1}'", "'{print}'", '\'{print > "x"}\''],
  sed: ['1p', "'$p'", '2d', "'/one/p'", "'1w x'", '1q'],
  tr: ['a b', 'a-z A-Z', 'x'],
  date: ['+%s', '+%F', '0101'],
  seq: ['1 3', '1 2 9'],
  basename: ['a/b', '../x'],
  dirname: ['a/b', '/'],
  which: ['ls', './ls', 'nothing'],
  id: ['', 'root'],
  groups: ['', 'root'],
};
const RAW = [
  'echo x',
  "printf '%s' x",
  'printf %d 7',
  'test -f notes.txt',
  '[ -e src ]',
  'test -e ../secret.txt',
  '[ -a notes.txt ]',
  'find . -name x',
  "find src -type f -printf '%p'",
  'find . -newer notes.txt',
  'find .. -empty',
  'true',
  'pwd',
  'cd src',
  'cd /etc',
  'cd inner',
] as const;
const JOINTS = [' | ', ' | ', ' && ', ' || ', '; ', ' 2>&1 | ', ' 2>/dev/null; '] as const;
/** They would take their time. */
const LEFT_OUT = new Set(['sleep']);

export function fuzzedLines(count: number, seed = 0x5eed): readonly string[] {
  let state = seed;
  const upTo = (max: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length)]!;
  const names = Object.keys(HARMLESS).filter((name) => !HARMLESS[name]?.raw && !LEFT_OUT.has(name));
  const optionOf = (name: string): string => {
    const { flags = '', values = '', long = [], longValues = [], longMaybe = [] } = HARMLESS[name] ?? {};
    const made = [
      ...[...flags].map((letter) => () => `-${letter}`),
      ...[...values].flatMap((letter) => [() => `-${letter} ${pick(VALUES)}`, () => `-${letter}${pick(VALUES)}`]),
      ...long.map((word) => () => `--${word}`),
      ...longValues.flatMap((word) => [() => `--${word}=${pick(VALUES)}`, () => `--${word} ${pick(VALUES)}`]),
      ...longMaybe.map((word) => () => `--${word}`),
    ];
    return made.length === 0 ? '' : pick(made)();
  };
  const command = (): string => {
    if (upTo(8) === 0) return pick(RAW);
    const name = pick(names);
    const files =
      HARMLESS[name]?.rest === 'files'
        ? Array.from({ length: upTo(3) }, () => pick(upTo(7) === 0 ? TRAPS : FILES))
        : [];
    const words = [pick(TEXTS[name] ?? ['']), ...files];
    for (let options = upTo(4); options > 0; options--)
      words.splice(upTo(3) === 0 ? upTo(words.length + 1) : 0, 0, optionOf(name));
    const wrapper = pick(['', '', '', '', '', '', 'timeout 3 ', 'nice ', 'env ', 'command ', 'stdbuf -oL ', 'env -i ']);
    return `${wrapper}${[name, ...words].filter((word) => word !== '').join(' ')}`;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + upTo(3) * upTo(2) }, command).reduce((line, next) => `${line}${pick(JOINTS)}${next}`),
  );
}
