/** Reads the text of a patch: sections for files, hunks, wrappers that models put around it. Pure. */
import { excerpt, present } from '../../sdk/index.ts';
import { PatchProblem, type Change, type Hunk, type Section } from './patch.ts';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';

/** A line and its number as written. */
interface Line {
  readonly text: string;
  readonly number: number;
}

/** Throws `PatchProblem`. */
export function readPatch(input: string): readonly Section[] {
  const lines = unwrapped(
    input.split('\n').map((text, index) => ({ text: text.replace(/\r$/, ''), number: index + 1 })),
  );
  const sections: Section[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = nextSection(lines, at + 1);
    if (lines[at]!.text.trim() !== '') sections.push(sectionOf(lines[at]!, lines.slice(at + 1, end)));
    at = end;
  }
  if (sections.length === 0)
    throw new PatchProblem(
      undefined,
      `The patch is empty: put \`*** Add File: <path>\`, \`*** Update File: <path>\` or \`*** Delete File: ` +
        `<path>\` between \`${BEGIN}\` and \`${END}\`.`,
    );
  return sections;
}

/** What is between begin and end. A heredoc, a Markdown fence and empty lines may stand around them. */
function unwrapped(lines: readonly Line[]): readonly Line[] {
  const begin = lines.findIndex(({ text }) => text.trim() === BEGIN);
  if (begin === -1) throw new PatchProblem(firstWritten(lines), `expected \`${BEGIN}\` on a line of its own.`);
  const stray = lines.slice(0, begin).find(({ text }) => text.trim() !== '' && !isWrapper(text));
  if (stray) throw new PatchProblem(stray.number, `\`${shown(stray.text)}\` stands before \`${BEGIN}\`.`);
  const length = lines.slice(begin + 1).findIndex(({ text }) => text.trimEnd() === END);
  if (length === -1) throw new PatchProblem(lines.at(-1)!.number, `\`${END}\` is missing; was the patch cut off?`);
  const end = begin + 1 + length;
  const behind = lines.slice(end + 1).find(({ text }) => text.trim() !== '' && !isWrapper(text));
  if (behind)
    throw new PatchProblem(
      behind.number,
      `\`${shown(behind.text)}\` stands behind \`${END}\`. Put everything into one patch.`,
    );
  return lines.slice(begin + 1, end);
}

const firstWritten = (lines: readonly Line[]): number | undefined =>
  lines.find(({ text }) => text.trim() !== '')?.number;

/** ```` ```diff ````, `<<'EOF'`, `apply_patch <<EOF`, `EOF`. */
const isWrapper = (text: string): boolean =>
  /^\s*(```\w*|~~~\w*|((apply_patch|cat)\s+)?<<-?\s*(['"]?)\w+\4|[A-Z_]+)\s*$/.test(text);

const HEADER = /^\*\*\* (Add|Delete|Update) File:\s*(.*)$/s;

function nextSection(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && !HEADER.test(lines[at]!.text)) at++;
  return at;
}

function sectionOf({ text, number: line }: Line, body: readonly Line[]): Section {
  const [, verb, written = ''] = HEADER.exec(text.trimEnd()) ?? [];
  const path = written.trim();
  if (!verb)
    throw new PatchProblem(
      line,
      `expected \`*** Add File: <path>\`, \`*** Update File: <path>\` or \`*** Delete File: <path>\`, found ` +
        `\`${shown(text)}\`.`,
    );
  if (!path) throw new PatchProblem(line, 'the path is missing.');
  switch (verb) {
    case 'Add':
      return { kind: 'add', path, line, lines: addedLines(body) };
    case 'Delete':
      return deletion(path, line, body);
    default:
      return update(path, line, body);
  }
}

function addedLines(body: readonly Line[]): readonly string[] {
  return withoutBlankEnd(body).map(({ text, number }) => {
    if (!text.startsWith('+'))
      throw new PatchProblem(number, `every line of an added file begins with \`+\`, found \`${shown(text)}\`.`);
    return text.slice(1);
  });
}

function deletion(path: string, line: number, body: readonly Line[]): Section {
  const stray = body.find(({ text }) => text.trim() !== '');
  if (stray)
    throw new PatchProblem(stray.number, `nothing may follow \`*** Delete File\`, found \`${shown(stray.text)}\`.`);
  return { kind: 'delete', path, line };
}

function update(path: string, line: number, body: readonly Line[]): Section {
  const moveTo = /^\*\*\* Move to:\s*(.*)$/s.exec(body[0]?.text.trimEnd() ?? '')?.[1]?.trim();
  if (moveTo === '') throw new PatchProblem(body[0]!.number, 'the path is missing.');
  const hunks = readHunks(withoutBlankEnd(moveTo === undefined ? body : body.slice(1)));
  if (hunks.length === 0 && moveTo === undefined)
    throw new PatchProblem(
      line,
      `there is nothing to change in ${path}: put \`@@\` and lines that begin with a space, \`-\` or \`+\` below it.`,
    );
  return present({ kind: 'update', path, line, hunks, moveTo });
}

function readHunks(body: readonly Line[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = 0; at < body.length; ) {
    const line = body[at]!.number;
    const headings: string[] = [];
    for (; at < body.length && isHeading(body[at]!.text); at++) headings.push(...headingOf(body[at]!.text));
    const changes: Change[] = [];
    for (; at < body.length && !isHeading(body[at]!.text) && body[at]!.text.trimEnd() !== END_OF_FILE; at++)
      changes.push(changeOf(body[at]!));
    const atEnd = body[at]?.text.trimEnd() === END_OF_FILE;
    if (atEnd) at++;
    if (!changes.some(({ sign }) => sign !== ' '))
      throw new PatchProblem(line, 'this hunk changes nothing: no line of it begins with `-` or `+`.');
    hunks.push({ line, headings, changes, atEnd });
  }
  return hunks;
}

const isHeading = (text: string): boolean => /^@@( |$)/.test(text);

/** Line numbers as in a unified diff (`@@ -1,4 +1,5 @@ def run`) are no help and only their heading is kept. */
function headingOf(text: string): readonly string[] {
  const heading = text
    .slice(2)
    .replace(/^ -\d+(,\d+)? \+\d+(,\d+)? @@/, '')
    .replace(/^ /, '');
  return heading.trim() === '' || heading.trim() === '@@' ? [] : [heading.trimEnd()];
}

/** An empty line is an unchanged empty line whose space got lost. */
function changeOf({ text, number }: Line): Change {
  if (text === '') return { sign: ' ', text: '' };
  const sign = text[0]!;
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: text.slice(1) };
  throw new PatchProblem(
    number,
    `expected a line that begins with a space, \`-\`, \`+\` or \`@@\`, found \`${shown(text)}\`.`,
  );
}

function withoutBlankEnd(body: readonly Line[]): readonly Line[] {
  const last = body.findLastIndex(({ text }) => text.trim() !== '' || text.startsWith(' '));
  return body.slice(0, last + 1);
}

const shown = (text: string): string => excerpt(text, 80);
