/** Finds pictures that a text names in Markdown, `![alt](https://…)`, and takes them out of it. Pure, linear. */
import { codeLookup, codeRanges, type Range } from './code-ranges.ts';
import { createLineJoiner } from './line-joiner.ts';

/** A picture by its address, from its `!` to its closing parenthesis. */
export interface PictureLink extends Range {
  readonly url: string;
}

/** A longer line is text, and so is what comes after so many pictures in one. */
const MAX_LINE = 20_000;
const MAX_IN_LINE = 50;
/** Characters of one picture, and beginnings that are looked at in a text. */
const MAX_PICTURE = 3000;
const MAX_TRIES = 500;
const START = /!\[/g;
/** Without line ends; brackets within it are escaped or in pairs. */
const ALT = /^!\[(?:[^[\]\\\n]|\\[^\n]|\[(?:[^[\]\\\n]|\\[^\n]){0,200}\]){0,1000}\]\([ \t]*/;
const TITLE = /^(?:[ \t]+(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\((?:[^()\\\n]|\\.)*\)))?[ \t]*\)/;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Inline pictures with an https address, outside code and links, in their order. */
export function pictureLinks(text: string): readonly PictureLink[] {
  if (!text.includes('![')) return [];
  const isCode = codeLookup(codeRanges(text).ranges);
  const found: PictureLink[] = [];
  const room = { tries: MAX_TRIES };
  let from = 0;
  for (const line of text.split('\n')) {
    if (line.length <= MAX_LINE && line.includes('!['))
      found.push(...picturesIn(line, { offset: from, room }).filter((one) => !isCode(one.from)));
    from += line.length + 1;
  }
  return found;
}

function picturesIn(
  line: string,
  { offset, room }: { readonly offset: number; readonly room: { tries: number } },
): readonly PictureLink[] {
  const found: PictureLink[] = [];
  START.lastIndex = 0;
  for (let start = START.exec(line); start && found.length < MAX_IN_LINE; start = START.exec(line)) {
    if (room.tries-- <= 0) break;
    const at = start.index;
    // Escaped, or the words of a link: without it the link would have none.
    if (/(?:^|[^\\])(?:\\\\)*\\$|\[$/.test(line.slice(Math.max(0, at - 20), at))) continue;
    const picture = pictureIn(line.slice(at, at + MAX_PICTURE));
    if (!picture) continue;
    found.push({ from: offset + at, to: offset + at + picture.to, url: picture.url });
    START.lastIndex = at + picture.to;
  }
  return found;
}

/** The picture that the text begins with. */
function pictureIn(line: string): { readonly to: number; readonly url: string } | undefined {
  const alt = ALT.exec(line);
  if (!alt) return undefined;
  const begins = alt[0].length;
  const end = line[begins] === '<' ? closedBy(line, begins) : balanced(line, begins);
  const title = end === undefined ? undefined : TITLE.exec(line.slice(end));
  if (end === undefined || !title) return undefined;
  const written = line[begins] === '<' ? line.slice(begins + 1, end - 1) : line.slice(begins, end);
  const url = written.replace(ESCAPED, '$1');
  return /^https:\/\/\S+$/i.test(url) ? { to: end + title[0].length, url } : undefined;
}

function closedBy(line: string, from: number): number | undefined {
  const [whole] = /^<(?:[^<>\\\n]|\\.)*>/.exec(line.slice(from)) ?? [];
  return whole === undefined ? undefined : from + whole.length;
}

/** Up to a blank or the parenthesis that closes more than was opened. */
function balanced(line: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    const character = line[at]!;
    if (character === '\\') at += 1;
    else if (/\s/.test(character)) return at > from && depth === 0 ? at : undefined;
    else if (character === '(') depth += 1;
    else if (character === ')' && depth-- === 0) return at > from ? at : undefined;
  }
  return undefined;
}

/** The words without these pictures: a line that held nothing else goes, and one of two blanks around one. */
export function withoutPictures(text: string, pictures: readonly Range[]): string {
  if (pictures.length === 0) return text;
  const lines = createLineJoiner();
  let at = 0;
  const add = (words: string): void =>
    words.split('\n').forEach((part, index) => {
      if (index > 0) lines.end();
      lines.add(part);
    });
  for (const { from, to } of pictures) {
    add(text.slice(at, from));
    lines.gap();
    at = to;
  }
  add(text.slice(at));
  return lines.text();
}
