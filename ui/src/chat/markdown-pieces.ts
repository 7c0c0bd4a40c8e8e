/** Splits long Markdown blocks: a list by its items, a table by its rows, a text by its lines. Pure. */
import type { Token, Tokens } from 'marked';

/** Items or rows per piece, and characters of a text. */
const ITEMS = 50;
const CHARS = 20_000;

export interface Piece {
  readonly token: Token;
  /** The source text. */
  readonly source: string;
}

export function piecesOf(token: Token): readonly Piece[] {
  if (token.type === 'list') return listPieces(token as Tokens.List);
  if (token.type === 'table') return tablePieces(token as Tokens.Table);
  return [{ token, source: token.raw }];
}

/** The numbering continues. */
const listPieces = (list: Tokens.List): readonly Piece[] =>
  list.items.length <= ITEMS
    ? [{ token: list, source: list.raw }]
    : groups(list.items, ITEMS).map((items, index) => ({
        token: { ...list, items, start: list.ordered ? Number(list.start) + index * ITEMS : list.start } as Tokens.List,
        source: items.map(({ raw }) => raw).join(''),
      }));

/** Each piece repeats the header, so that the columns keep their names. */
const tablePieces = (table: Tokens.Table): readonly Piece[] =>
  table.rows.length <= ITEMS
    ? [{ token: table, source: table.raw }]
    : groups(table.rows, ITEMS).map((rows) => ({
        token: { ...table, rows },
        source: rows.map((row) => row.map(({ text }) => text).join(' | ')).join('\n'),
      }));

/** Splits at the end of a line, unless a line is longer than a piece; never within a character. */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length || from === 0; ) {
    const feed = text.lastIndexOf('\n', from + CHARS);
    const full = text.length - from <= CHARS ? text.length : feed > from ? feed + 1 : from + CHARS;
    const splits = full < text.length && /[\uD800-\uDBFF]/.test(text[full - 1]!);
    const to = splits ? full + 1 : full;
    pieces.push(text.slice(from, to));
    from = to;
    if (to === 0) break;
  }
  return pieces;
}

function groups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
