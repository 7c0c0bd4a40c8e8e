/**
 * Command lines generated from the table of harmless programs: every option of each, with readable files, forbidden
 * files, and names that only look like files.
 */
import { type HarmlessProfile } from '../../../src/features/exec/analysis/programs/harmless-profile.ts';
import { HARMLESS } from '../../../src/features/exec/analysis/programs/harmless-table.ts';

const OURS = ['notes.txt', 'src', '-'] as const;
const OTHERS = ['../secret.txt', 'link-to-secret', 'link-out', 'pipe', '/etc/shadow', '-exec'] as const;
/** What an option that takes a value is given. */
const VALUES = ['1', '../secret.txt', './evil.sh'] as const;
/** Options no table knows, which some programs of that name have. */
const FOREIGN = [
  '-o out.txt',
  '--output=out.txt',
  '-f ../secret.txt',
  '--files0-from=names0',
  '-i',
  '--exec=./evil.sh',
  '--compress-program=./evil.sh',
  '-R',
  '-L',
  '--version',
  '--help',
  '-w out.txt',
] as const;

/** The operands that stand before files: a pattern, a filter, a set of characters. */
const TEXTS: Readonly<Record<string, string>> = {
  jq: '.',
  grep: 'one',
  awk: "'{print $1}'",
  sed: '-n 1p',
  tr: 'a b',
  date: '+%s',
  seq: '1 3',
  sleep: '0',
  basename: 'a/b',
  dirname: 'a/b',
  which: 'ls',
  groups: '',
  id: '',
};

function linesOf(name: string, profile: HarmlessProfile): readonly string[] {
  if (profile.raw) return [];
  const text = TEXTS[name] ?? '';
  const line = (option: string, file: string): string =>
    [name, option, text, file].filter((word) => word !== '').join(' ');
  const files = profile.rest === 'files' ? [...OURS, ...OTHERS] : [''];
  const one = profile.rest === 'files' ? 'notes.txt' : '';
  const flags = [...(profile.flags ?? '')].map((flag) => `-${flag}`);
  const long = [...(profile.long ?? []), ...(profile.longMaybe ?? [])].map((flag) => `--${flag}`);
  const valued = [
    ...[...(profile.values ?? '')].map((flag) => (value: string) => `-${flag} ${value}`),
    ...[...(profile.longValues ?? []), ...(profile.longMaybe ?? [])].map(
      (flag) => (value: string) => `--${flag}=${value}`,
    ),
  ];
  return [
    ...files.map((file) => line('', file)),
    ...[...flags, ...long].map((option) => line(option, one)),
    ...[...flags].map((option) => line(option, profile.rest === 'files' ? 'link-out' : '')),
    ...valued.flatMap((make) => VALUES.map((value) => line(make(value), one))),
    ...FOREIGN.map((option) => line(option, one)),
    ...(flags.length > 1 ? [line(`-${(profile.flags ?? '').slice(0, 6)}`, one)] : []),
  ];
}

export const GROWN: readonly string[] = [
  ...new Set(Object.entries(HARMLESS).flatMap(([name, profile]) => linesOf(name, profile))),
];

/** As many lines as asked for, put together at random from the words of others: the same every time. */
export function mixedLines(from: readonly string[], count: number): readonly string[] {
  let state = 0x2f6e2b1;
  const pick = <T>(list: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)]!;
  };
  const simple = from.filter((line) => !/[\n|;&]/.test(line));
  const words = [...new Set(simple.flatMap((line) => line.split(' ').slice(1)))].filter(Boolean);
  const joints = [' | ', ' && ', ' || ', '; ', '\n', ' 2>&1 | '] as const;
  return Array.from({ length: count }, () => {
    const one = (): string =>
      pick([
        () => pick(simple),
        () => `${pick(simple)} ${pick(words)}`,
        () => `${pick(Object.keys(HARMLESS))} ${pick(words)} ${pick(words)}`,
      ])();
    return pick([
      one,
      () => `${one()}${pick(joints)}${one()}`,
      () => `${one()}${pick(joints)}${one()}${pick(joints)}${one()}`,
    ])();
  });
}
