/** The files an approved command would read its code from: named to an interpreter, or found by it under their usual name. Pure. */
import { basename, resolve } from 'node:path';
import type { Analysis } from '../analysis/analysis.ts';
import { ALWAYS } from '../analysis/programs/interpreter-table.ts';

/** What these run without being told its name. */
const UNNAMED: Readonly<Record<string, readonly string[]>> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'], gmake: ['GNUmakefile', 'makefile', 'Makefile'], just: ['justfile', 'Justfile', '.justfile'], rake: ['Rakefile', 'rakefile'], task: ['Taskfile.yml', 'Taskfile.yaml'],
  npm: ['package.json'], npx: ['package.json'], pnpm: ['package.json'], yarn: ['package.json'], bun: ['package.json'], node: ['package.json'], cargo: ['Cargo.toml', 'build.rs'], go: ['go.mod'], pytest: ['conftest.py', 'pytest.ini'],
};

/** Absolute paths that may exist or not; those that are plain files are bound. */
export function scriptsOf(analysis: Analysis, cwd: string): readonly string[] {
  const found = new Set<string>();
  // Where it is not known in which folder a program will run, it may be any that was gone to.
  let folders: readonly string[] = [cwd];
  for (const { words, interpreter, cwd: own } of runs(analysis)) {
    const [name, ...operands] = words;
    if (name === undefined) continue;
    if (name === 'cd') folders = [...folders, ...(operands[0] === undefined ? [] : folders.map((folder) => resolve(folder, operands[0]!)))];
    else if (interpreter) for (const folder of own === undefined ? folders : [own]) for (const file of namedIn(name, operands)) found.add(resolve(folder, file));
  }
  return [...found];
}

interface RunOf { readonly words: readonly (string | undefined)[]; readonly interpreter: boolean; readonly cwd?: string | undefined }

const runs = (analysis: Analysis): readonly RunOf[] => (analysis.proven
  ? analysis.segments.map(({ argv, interpreter, cwd }) => ({ words: argv, interpreter, cwd }))
  : analysis.steps.map(({ words, path }) => ({ words, interpreter: [words[0], path].some((name) => name !== undefined && ALWAYS.has(bare(name))) })));

/** Operands, values of options, names inside code (`sh -c 'sh deploy.sh'`), and what the program looks for by itself. */
const namedIn = (name: string, operands: readonly (string | undefined)[]): readonly string[] => [
  ...operands.flatMap((word) => (word === undefined ? [] : [word, ...valueOf(word), ...word.split(/[\s;&|<>()"'`=,]+/)])).filter((file) => file !== ''),
  ...(UNNAMED[bare(name)] ?? []),
];

/** `--file=x` and `-fx`. */
const valueOf = (word: string): readonly string[] => /^(?:--?[\w-]+=|-[A-Za-z])(.+)$/s.exec(word)?.slice(1) ?? [];

/** `python3.11` is `python`. */
const bare = (name: string): string => basename(name).toLowerCase().replace(/[-.]?\d[\d.]*$/, '');
