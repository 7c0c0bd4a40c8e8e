/** The command table as a tree for completion: which words and options can follow which. */
import { present } from '../../core/present.ts';
import type { Command, Option } from '../command.ts';

export interface Place {
  /** The words typed so far; empty: only the program's name. */
  readonly path: string;
  readonly words: readonly Word[];
  readonly options: readonly Choice[];
}

export interface Word {
  readonly word: string;
  readonly summary: string;
}
/** `takes`: a value follows; `values`: one of these. */
export interface Choice {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  readonly takes: boolean;
  readonly values: readonly string[];
}

export function placesOf(table: readonly Command[]): readonly Place[] {
  const named = table.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => ({ name, row })));
  const paths = [
    ...new Set([
      '',
      ...named.flatMap(({ name }) => name.split(' ').map((_, index, words) => words.slice(0, index + 1).join(' '))),
    ]),
  ];
  return paths.map((path) => ({
    path,
    words: wordsAfter(path, named),
    options: Object.entries(named.find(({ name }) => name === path)?.row.options ?? {}).map(([name, option]) =>
      choiceOf(name, option),
    ),
  }));
}

type Named = readonly { readonly name: string; readonly row: Command }[];

function wordsAfter(path: string, named: Named): readonly Word[] {
  const before = path === '' ? '' : `${path} `;
  const found = new Map<string, string>();
  for (const { name, row } of named) {
    if (!name.startsWith(before) || name === path) continue;
    const [word = '', ...rest] = name.slice(before.length).split(' ');
    // A word that begins several commands says what it does alone, or what it is about.
    if (!found.has(word) || (rest.length === 0 && row.name === name))
      found.set(word, rest.length === 0 ? row.summary : `Commands that begin with ${before}${word}.`);
  }
  return [...found].map(([word, summary]) => ({ word, summary }));
}

const choiceOf = (name: string, { kind, value = '', help, short }: Option): Choice => ({
  name: `--${name}`,
  help,
  takes: kind !== 'flag',
  values: /^<\w[\w-]*(?:\|[\w-]+)+>$/.test(value) ? value.slice(1, -1).split('|') : [],
  ...present({ short: short !== undefined ? `-${short}` : undefined }),
});
