/** Finds the token that means "nothing needs you" at the start or end of an answer, in any formatting. Pure. */
import { HEARTBEAT_OK } from './trigger.ts';

/** An answer without the word by which an agent says that nothing needs attention. */
export interface StrippedAck {
  /** It stood at the beginning or the end. */
  readonly found: boolean;
  /** The answer without it. */
  readonly text: string;
}

/**
 * Markup around the word: emphasis, code, quotes, brackets, list and heading marks, tags, and blanks in every spelling.
 */
const BEFORE =
  /^(?:`{3}[a-z]{1,20}\n|[\s*_~`"'“”„‘’«»([{>#•+-]|<[a-z][^<>]{0,200}>|&nbsp;|\u200b|\p{Extended_Pictographic}|\ufe0f){0,60}$/iu;
const AFTER =
  /^(?:[\s*_~`"'“”‘’«»)\]}.,:;!?…|–—-]|<\/?[a-z][^<>]{0,200}>|&nbsp;|\u200b|\p{Extended_Pictographic}|\ufe0f){0,60}/iu;
const CLOSES: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
};
const PAIRED = /[*_~`"'“„‘«([{]|<[a-z][^<>]{0,200}>/giu;

/** Characters around the token that are checked; more markup than that counts as text. */
const EDGE = 400;
/** Who says it more often than this says something else. */
const MAX_TIMES = 10;

/**
 * Takes `HEARTBEAT_OK` off both ends of an answer, however it is dressed up in markup, so that only what was said
 * besides is left.
 */
export function stripAck(answer: string): StrippedAck {
  let text = answer.trim();
  for (let times = 0; times < MAX_TIMES; times++) {
    const rest = withoutFirst(text) ?? withoutLast(text);
    if (rest === undefined) return { found: times > 0, text };
    text = rest;
  }
  return { found: true, text };
}

/**
 * True for the token alone, or with so little text beside it that nobody needs to read it; files and pictures always
 * count as content.
 */
export function isAck(answer: string, ackMaxChars: number): boolean {
  const { found, text } = stripAck(answer);
  return found && !/^[^\S\n\r\u2028\u2029]*MEDIA\s*:/im.test(text) && visible(text).length <= ackMaxChars;
}

/** What a person would see of it. */
const visible = (text: string): string =>
  text
    .replace(/<\/?[a-z][^<>]{0,200}>|&nbsp;/gi, ' ')
    .replace(/[*_~`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** At `at` stands the word, and not a part of a longer one. */
function isWord(text: string, at: number): boolean {
  return (
    !/[\p{L}\p{N}]$|[\p{L}\p{N}]_$/u.test(text.slice(Math.max(0, at - 3), at)) &&
    !/^_?[\p{L}\p{N}]/u.test(text.slice(at + HEARTBEAT_OK.length, at + HEARTBEAT_OK.length + 3))
  );
}

function withoutFirst(text: string): string | undefined {
  const at = text.slice(0, EDGE).toUpperCase().indexOf(HEARTBEAT_OK);
  if (at === -1 || !isWord(text, at) || !BEFORE.test(text.slice(0, at))) return undefined;
  const before = text.slice(0, at);
  const tail = text.slice(at + HEARTBEAT_OK.length);
  const { open, rest } = closing(before, tail);
  // on the line of the word alone: a list below it keeps its mark
  const trimmed = rest.replace(/^[^\S\n]*[.,:;!?…|–—-]*\s*/, '');
  return trimmed === '' || isOnlyMarkup(trimmed) ? '' : (open + trimmed).trim();
}

/**
 * What was opened before the word and closed right behind it goes with it; what is still open belongs to the text that
 * follows.
 */
function closing(before: string, tail: string): { readonly open: string; readonly rest: string } {
  const opened = before.match(PAIRED) ?? [];
  let rest = tail.replace(/^[.!?…]+/, '');
  let open = '';
  for (const mark of opened.toReversed()) {
    const close = mark.startsWith('<') ? `</${/^<([a-z][\w-]*)/i.exec(mark)?.[1] ?? ''}>` : (CLOSES[mark] ?? mark);
    if (open === '' && rest.trimStart().toLowerCase().startsWith(close.toLowerCase()))
      rest = rest.trimStart().slice(close.length);
    else open = mark + open;
  }
  return { open, rest };
}

function withoutLast(text: string): string | undefined {
  const start = Math.max(0, text.length - EDGE);
  const at = start + text.slice(start).toUpperCase().lastIndexOf(HEARTBEAT_OK);
  if (at < start || !isWord(text, at)) return undefined;
  const tail = text.slice(at + HEARTBEAT_OK.length);
  if (AFTER.exec(tail)?.[0].length !== tail.length) return undefined;
  const before = text.slice(0, at);
  const opened = /(?:[*_~`"'“„‘«([{]|<[a-z][^<>]{0,200}>|[^\S\n]){0,40}$/iu.exec(before.slice(-EDGE))?.[0] ?? '';
  // Markup that was opened for the word goes with it; what closes behind it and was opened earlier stays.
  const closed = opened.match(PAIRED) ?? [];
  const stays = leftClosing(tail, closed.length);
  return (before.slice(0, before.length - opened.length).trimEnd() + stays).trim();
}

/** The closing marks behind the word beyond the first `own`, which were the word's. */
function leftClosing(tail: string, own: number): string {
  const marks = tail.match(/[*_~`"'”’»)\]}]|<\/[a-z][^<>]{0,200}>/giu) ?? [];
  return marks.slice(own).join('');
}

const isOnlyMarkup = (text: string): boolean =>
  visible(text).replace(/["'“”„‘’«»()[\]{}.,:;!?…|–—•+\s-]|\p{Extended_Pictographic}|[\ufe0f\u200b]/gu, '') === '';
