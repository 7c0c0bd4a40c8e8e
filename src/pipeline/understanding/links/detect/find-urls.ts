/** The http and https addresses in a run of plain text, as written, without the punctuation around them. */
import { LinkifyIt } from 'linkify-it';
import { excerpt } from '../../../../core/cut.ts';
import { trimUrl } from './trim-url.ts';

/** `reason`: why it is not used; `url` then shows no credentials and is short. */
export interface FoundUrl {
  readonly url: string;
  /** WHATWG form: punycode host in lower case, no default port. Absent when it is no valid URL. */
  readonly href?: string;
  readonly reason?: string;
}

/** Characters; longer ones go into no argument list of ours. */
export const MAX_URL = 8192;

const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, urlAuth: false, maxLength: MAX_URL });

/** A scheme with no word before it. Scripts that put no spaces between words may stand right before it. */
const SCHEME = /(?<![[\p{L}\p{N}_]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]])https?:\/\//giv;
/** Where an address ends in any case: white space, angle brackets, CJK punctuation, invisible characters. */
const END = /[\s\p{Cc}<>、。，．！？；：（）「」『』【】〔〕〖〗《》〈〉“”‘’｡､｢｣｜…\p{Cf}\p{Zs}]/v;
const RUN = new RegExp(`(?:(?!${END.source}).){0,${MAX_URL + 1}}`, 'vy');
const REST_OF_RUN = new RegExp(`(?:(?!${END.source}).)*`, 'vy');
/** User, host and port. What no host may hold and no path begins with ends the address. */
const AUTHORITY = /^[^/?#\\|^`]*/;
const NO_PATH = /[|^`]/;
/** `example..org` is a slip of the pen, `example...` an ellipsis. */
const MISSING_LABEL = /^\.\.[\p{L}\p{N}]/v;
const INVISIBLE_THEN_WORD = /^\p{Cf}+[\p{L}\p{N}.\-]/v;

/**
 * In order, duplicates included. Linear: every character is part of one run, and a run is looked at from each scheme in
 * it only as far as its host goes.
 */
export function* findUrls(text: string): Generator<FoundUrl> {
  const scheme = new RegExp(SCHEME);
  for (let match = scheme.exec(text); match; match = scheme.exec(text)) {
    const run = matchAt(RUN, text, match.index);
    if (run.length > MAX_URL) {
      scheme.lastIndex = match.index + matchAt(REST_OF_RUN, text, match.index).length;
      yield { url: shorten(run), reason: `longer than ${MAX_URL} characters` };
      continue;
    }
    const { used, found } = readUrl(
      run,
      match[0].length,
      text.slice(match.index + run.length, match.index + run.length + 8),
    );
    scheme.lastIndex = match.index + used;
    if (found) yield found;
  }
}

/** `used`: characters of the run that are spoken for. */
function readUrl(whole: string, schemeLength: number, behind: string): { used: number; found?: FoundUrl } {
  const authority = AUTHORITY.exec(whole.slice(schemeLength))![0];
  const run = NO_PATH.test(whole[schemeLength + authority.length] ?? '')
    ? whole.slice(0, schemeLength + authority.length)
    : whole;
  if (authority.includes('@'))
    return {
      used: run.length,
      found: {
        url: `${run.slice(0, schemeLength)}…@${shorten(authority.slice(authority.lastIndexOf('@') + 1))}`,
        reason: 'it contains a user name',
      },
    };
  const end = endOfUrl(run, schemeLength, authority);
  // The end of an entity (`&quot;`) counts in, so that the entity is seen whole.
  const written = run.slice(0, run[end] === ';' ? end + 1 : end);
  const url = trimUrl(written);
  if (url.length <= schemeLength) return { used: schemeLength };
  const used = Math.max(written.length, schemeLength);
  const { href } = URL.parse(url) ?? {};
  if (href === undefined || MISSING_LABEL.test(run.slice(end)))
    return { used, found: { url: shorten(url), reason: 'it is not a valid URL' } };
  // What people see there as one name would be cut to another.
  if (url.length === schemeLength + authority.length && url.length === whole.length && INVISIBLE_THEN_WORD.test(behind))
    return { used: run.length, found: { url, reason: 'an invisible character is in its host name' } };
  return { used, found: { url, href } };
}

/** Up to the last two labels of a host: there an underscore may stand. */
function withoutUnderscores(authority: string): string {
  const lastDot = authority.lastIndexOf('.');
  const end = authority.lastIndexOf('.', lastDot - 1);
  return lastDot <= 0 || end < 0 ? authority : authority.slice(0, end).replaceAll('_', 'x') + authority.slice(end);
}

/**
 * Where linkify-it sees the end, told in two points what GFM says: labels before the last two may hold `_`, and
 * `(a))+b` goes on.
 */
function endOfUrl(run: string, schemeLength: number, authority: string): number {
  let text = run.slice(0, schemeLength) + withoutUnderscores(authority) + run.slice(schemeLength + authority.length);
  for (let goingOn = 0; ; goingOn++) {
    const length = linkify.testSchemaAt(text, 'http:', schemeLength - 2);
    const end = length === 0 ? 0 : schemeLength - 2 + length;
    if (
      goingOn === 3 ||
      text[end] !== ')' ||
      !/[+&=/#?%]/.test(text[end + 1] ?? '') ||
      !text.slice(0, end).includes('(')
    )
      return end;
    text = `${text.slice(0, end)}x${text.slice(end + 1)}`;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const shorten = (text: string): string => excerpt(text, 200);
