/** The http and https addresses in a run of plain text, as written, without the punctuation around them. */
import { LinkifyIt } from 'linkify-it';
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
const INVISIBLE_THEN_WORD = /^\p{Cf}+[\p{L}\p{N}.\-]/v;

/** In order, duplicates included. Linear: every character is part of one run, and a run is looked at from each scheme in it only as far as its host goes. */
export function* findUrls(text: string): Generator<FoundUrl> {
  const scheme = new RegExp(SCHEME);
  for (let match = scheme.exec(text); match; match = scheme.exec(text)) {
    const run = matchAt(RUN, text, match.index);
    if (run.length > MAX_URL) {
      scheme.lastIndex = match.index + matchAt(REST_OF_RUN, text, match.index).length;
      yield { url: shorten(run), reason: `longer than ${MAX_URL} characters` };
      continue;
    }
    const { used, found } = readUrl(run, match[0].length, text.slice(match.index + run.length, match.index + run.length + 8));
    scheme.lastIndex = match.index + Math.max(used, match[0].length);
    if (found) yield found;
  }
}

/** `used`: characters of the run that are spoken for. */
function readUrl(run: string, schemeLength: number, behind: string): { used: number; found?: FoundUrl } {
  const authority = /^[^/?#\\]*/.exec(run.slice(schemeLength))![0];
  if (authority.includes('@')) return { used: run.length, found: { url: `${run.slice(0, schemeLength)}…@${shorten(authority.slice(authority.lastIndexOf('@') + 1))}`, reason: 'it carries a user name' } };
  const tail = linkify.testSchemaAt(run, 'http:', schemeLength - 2);
  const written = run.slice(0, schemeLength - 2 + tail);
  const url = trimUrl(written);
  if (url.length <= schemeLength) return { used: schemeLength };
  const { href } = URL.parse(url) ?? {};
  if (href === undefined) return { used: written.length, found: { url: shorten(url), reason: 'it is no valid address' } };
  // What people see there as one name would be cut to another.
  if (url.length === schemeLength + authority.length && url.length === run.length && INVISIBLE_THEN_WORD.test(behind)) return { used: run.length, found: { url, reason: 'an invisible character is in its host name' } };
  return { used: written.length, found: { url, href } };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
