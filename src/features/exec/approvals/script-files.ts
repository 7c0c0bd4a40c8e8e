/**
 * The files an approved command would read code from: given to an interpreter, or found by their default name. Pure.
 */
import { basename, resolve } from 'node:path';
import type { Analysis, Segment } from '../analysis/analysis.ts';
import { ALWAYS } from '../analysis/programs/interpreter-always-table.ts';
import { CONFIGURED_BY_FOLDER, LOADS_FROM_FOLDER } from '../analysis/programs/interpreter-table.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const PACKAGE = ['package.json'];
/** What these run without being told its name. */
const UNNAMED: Readonly<Record<string, readonly string[]>> = {
  make: MAKEFILES,
  gmake: MAKEFILES,
  just: ['justfile', 'Justfile', '.justfile'],
  rake: ['Rakefile', 'rakefile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  npm: PACKAGE,
  npx: PACKAGE,
  pnpm: PACKAGE,
  yarn: PACKAGE,
  bun: PACKAGE,
  node: PACKAGE,
  cargo: ['Cargo.toml', 'build.rs'],
  go: ['go.mod'],
  pytest: ['conftest.py', 'pytest.ini'],
};

/** Absolute paths that may exist or not; those that are plain files are bound. */
export function scriptsOf(analysis: Analysis, cwd: string): readonly string[] {
  const found = new Set<string>();
  // Where it is not known in which folder a program will run, it may be any that was gone to.
  let folders: readonly string[] = [cwd];
  for (const { words, interpreter, cwd: own } of runs(analysis)) {
    const [name, ...operands] = words;
    if (name === undefined) continue;
    if (name === 'cd')
      folders = [
        ...folders,
        ...(operands[0] === undefined ? [] : folders.map((folder) => resolve(folder, operands[0]!))),
      ];
    else if (interpreter)
      for (const folder of own === undefined ? folders : [own])
        for (const file of namedIn(name, operands)) found.add(resolve(folder, file));
  }
  return [...found];
}

/**
 * Folders programs of a proven command load code from by names it does not say: `node build`, `python3 -m jobs`, an
 * import.
 */
export const codeFoldersOf = (analysis: Analysis): readonly string[] =>
  analysis.proven ? analysis.segments.flatMap(codeFoldersOfOne) : [];

/** Of what is configured by its folder every word may name one: `git -C shop status`. */
function codeFoldersOfOne({ argv, path = '', interpreter, cwd }: Segment): readonly string[] {
  if (cwd === undefined) return [];
  const is = (names: ReadonlySet<string>): boolean => [argv[0] ?? '', path].some((name) => names.has(bare(name)));
  if (is(CONFIGURED_BY_FOLDER)) return [cwd, ...argv.slice(1).map((word) => resolve(cwd, word))];
  return interpreter && is(LOADS_FROM_FOLDER) ? [cwd] : [];
}

interface RunOf {
  readonly words: readonly (string | undefined)[];
  readonly interpreter: boolean;
  readonly cwd?: string | undefined;
}

const runs = (analysis: Analysis): readonly RunOf[] =>
  analysis.proven
    ? analysis.segments.map(({ argv, interpreter, cwd }) => ({ words: argv, interpreter, cwd }))
    : analysis.steps.map(({ words, path }) => ({
        words,
        interpreter: [words[0], path].some((name) => name !== undefined && ALWAYS.has(bare(name))),
      }));

/**
 * Operands, values of options, names inside code (`sh -c 'sh deploy.sh'`), and what the program looks for by itself.
 */
const namedIn = (name: string, operands: readonly (string | undefined)[]): readonly string[] => [
  ...operands
    .flatMap((word) => (word === undefined ? [] : [word, ...valueOf(word), ...word.split(/[\s;&|<>()"'`=,]+/)]))
    .filter((file) => file !== ''),
  ...(UNNAMED[bare(name)] ?? []),
];

/** `--file=x` and `-fx`. */
const valueOf = (word: string): readonly string[] => /^(?:--?[\w-]+=|-[A-Za-z])(.+)$/s.exec(word)?.slice(1) ?? [];

/** `python3.11` is `python`. */
const bare = (name: string): string =>
  basename(name)
    .toLowerCase()
    .replace(/(?<![\d.])[-.]?\d[\d.]*$/, '');
