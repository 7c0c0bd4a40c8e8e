/** The corpus of pages: the text each must give, and how the result is measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/**
 * A page with its expectations in front, before a line `---`: `+` has to be in the output, spaces and marks aside; `=`
 * has to be in it as
 * it stands, line for line; both with links or with their text alone; `-` must not be in it; `!` is the failure it has
 * to end with. Alternatives stand beside each other with `||`.
 * ORIGIN is the server's address, `\n` a new line; `{{repeat N text}}` in a page is N times that text, `#` being the
 * number.
 */
export interface CorpusPage {
  readonly name: string;
  readonly type: string;
  readonly body: string;
  readonly facts: readonly Fact[];
  readonly noise: readonly string[];
  readonly failure?: RegExp;
}

export interface Fact {
  readonly exact: boolean;
  readonly anyOf: readonly string[];
}

export interface Score {
  readonly facts: number;
  readonly lost: readonly string[];
  readonly noises: number;
  readonly noise: readonly string[];
}

const FOLDER = join(import.meta.dirname, 'pages');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.json': 'application/json',
};

export const readCorpus = (): CorpusPage[] =>
  readdirSync(FOLDER)
    .sort()
    .map((name) => pageOf(name, readFileSync(join(FOLDER, name), 'utf8')));

function pageOf(name: string, text: string): CorpusPage {
  const end = text.indexOf('\n---\n');
  const lines = text
    .slice(0, end)
    .split('\n')
    .filter((line) => line !== '');
  const of = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
  const strange = lines.filter((line) => !/^(?:[+=!-] |type: )/.test(line));
  if (end < 0 || strange.length > 0)
    throw new Error(`${name} does not begin with its expectations: ${strange.join(' / ')}`);
  const alternatives = (line: string): string[] =>
    line.split(' || ').map((part) => part.replaceAll('\\n', '\n').replaceAll('\\t', '\t'));
  const [failure] = of('!');
  return {
    name,
    type: lines.find((line) => line.startsWith('type: '))?.slice(6) ?? TYPES[extname(name)]!,
    body: text
      .slice(end + 5)
      .replaceAll(/\{\{repeat (\d+) (.*?)\}\}/g, (_all, count: string, piece: string) =>
        Array.from({ length: Number(count) }, (_, index) => piece.replaceAll('#', String(index + 1))).join(''),
      ),
    facts: [
      ...of('+').map((line) => ({ exact: false, anyOf: alternatives(line) })),
      ...of('=').map((line) => ({ exact: true, anyOf: alternatives(line) })),
    ],
    noise: of('-'),
    ...(failure !== undefined && { failure: new RegExp(failure) }),
  };
}

/** `output` as printed, with ORIGIN where the server's address stood. */
export function scoreOf({ facts, noise }: CorpusPage, output: string): Score {
  const lines = `\n${output}\n\n${unlinked(output)}\n`;
  const loose = bare(lines);
  const kept = ({ exact, anyOf }: Fact): boolean =>
    anyOf.some((text) => (exact ? lines.includes(`\n${text}\n`) || nested(lines, text) : loose.includes(bare(text))));
  return {
    facts: facts.length,
    lost: facts.filter((fact) => !kept(fact)).map(({ anyOf }) => anyOf[0]!),
    noises: noise.length,
    noise: noise.filter((text) => text.split(' || ').some((one) => loose.includes(bare(one)))),
  };
}

/** A line that begins as asked for, or a block inside a quotation or a list. */
const nested = (lines: string, text: string): boolean =>
  lines.includes(`\n${text}`) || lines.replaceAll(/\n {2,}/g, '\n').includes(`\n${text}\n`);

/** Links as their text, for those who look for what is said. */
const unlinked = (text: string): string => text.replaceAll(/(?<!!)\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1');

/** Without what may be written one way or another: spaces, emphasis, escapes. */
const bare = (text: string): string =>
  text
    .replaceAll(/\\(?=[-_*[\]().#>`~+!$|])|\*+|`/g, '')
    .replaceAll(/[\s\u00A0\u202F\u2009]+/g, ' ')
    .trim();
