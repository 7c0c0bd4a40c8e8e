/**
 * Finds secrets by their names: assignments, JSON fields at any depth, flags, headers, URL parameters. Pure, one pass
 * each.
 */
import { isHarmless, isLikelyRandom, maskSecret } from './mask.ts';

/** Whether any name is worth a closer look. */
const HINT =
  /token|secret|passw|passphrase|pwd|credential|cookie|authorization|bearer|basic |jwt|signature|connection_?string|sas_|dsn|_(?:pass|auth|pat)\b|(?<!session)key|[?&#;](?:sig|hmac|code|auth|pass|hash|session|sid|ticket|otp|assertion)=/i;

/** Ends of names whose value is a secret, however the name begins. */
const SECRET_WORD =
  /(?:token|secret|passw(?:or)?d|passphrase|pwd|credentials?|cookie|authorization|connection_?string|jwt|signature|(?:api|access|account|private|secret|signing|encryption|master|shared|subscription|storage|auth|license)[_-]?key)(?:_?\d{1,2})?(?![\w-])/gi;
/** Variables of an environment: `OPENAI_KEY`, `DB_PASS`. */
const VARIABLE = /(?:\b|_|(?<=\\[nrt]))(?:KEY|PASS|PAT|AUTH|DSN|PWD|SAS)\b/g;
const HEADER =
  /^(?:x-[\w-]+|(?:proxy-)?authorization|(?:private|job|deploy)-token|api-key|apikey|(?:set-)?cookie|[\w-]+-(?:token|key|secret|signature))$/i;
const PASSWORD = /passw|passphrase|pwd|pass$/i;
/** Words behind a flag in a sentence about it. */
const PROSE = /^(?:to|or|and|is|for|with|in|from|of|the|a|an|was|option|flag|value|argument)$/i;

/**
 * Between a name and its value: the quote that ends the name, a sign, the quote that begins the value, each with the
 * backslashes of nested JSON.
 */
const BETWEEN = /(\\{0,15}["'`])?\s{0,8}(?:(=>|:=|[:=](?!=)|%3[dD])\s{0,8}|(,)\s{0,8}|(?<=\s))(\\{0,15})(["'`])?/y;
/** `${NAME}`, `$(command)`, `{{name}}`: they name a secret and are none. */
const REFERENCE_BEGINS = /^(?:\$[{(]|\{\{)/;
/** No sentence and no code has a word of so many characters. */
const LONGEST_WORD = 200;
const BARE = /(?:[^\s"'`\\&;<>,]|,(?=[^\s"'`\\]))+/y;

/** Removes values that stand behind names such as `password`, in any common notation. */
export function namedSecrets(text: string): string {
  if (!HINT.test(text)) return text;
  return withParameters(withNames(withNames(withCookies(withSchemes(text)), SECRET_WORD), VARIABLE));
}

interface Place {
  readonly from: number;
  readonly to: number;
}

function withNames(text: string, word: RegExp): string {
  let clean = '';
  let done = 0;
  word.lastIndex = 0;
  for (let found = word.exec(text); found; found = word.exec(text)) {
    const end = found.index + found[0].length;
    const place = valueBehind(text, end, nameBefore(text, end));
    if (!place) continue;
    clean += text.slice(done, place.from) + maskSecret(text.slice(place.from, place.to));
    done = place.to;
    word.lastIndex = done;
  }
  return done === 0 ? text : clean + text.slice(done);
}

const LONGEST_NAME = 64;

function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < LONGEST_NAME && /[\w.-]/.test(text[start - 1]!)) start -= 1;
  const escaped = start > 0 && text[start - 1] === '\\' && 'nrtbf'.includes(text[start]!); // the letter of a line break
  return text.slice(escaped ? start + 1 : start, end);
}

/** Where the value of a name stands that is to be masked; undefined when there is none. */
function valueBehind(text: string, end: number, name: string): Place | undefined {
  BETWEEN.lastIndex = end;
  const found = BETWEEN.exec(text);
  if (!found) return undefined;
  const [, closing, sign, comma, slashes = '', opening] = found;
  const from = behindItem(
    text,
    BETWEEN.lastIndex,
    closing === undefined && opening !== undefined ? slashes + opening : undefined,
  );
  if (from === undefined) return undefined;
  const flag = name.startsWith('-');
  if (comma !== undefined && !(closing && opening && (flag || HEADER.test(name)))) return undefined;
  if (sign === undefined && comma === undefined && !(flag && closing === undefined)) return undefined;
  if (opening === undefined && slashes !== '') return undefined;
  // the string around them was cut and ends here
  if (opening !== undefined && closing !== undefined && slashes.length < closing.length - 1) return undefined;
  if (REFERENCE_BEGINS.test(text.slice(from, from + 2))) return undefined;
  const to =
    opening === undefined
      ? endOfBare(text, from)
      : endOfQuoted(text, { from, quote: opening, slashes: slashes.length });
  const value = text.slice(from, to);
  if (isHarmless(value) || value === name) return undefined;
  const wanted =
    opening !== undefined ||
    value.length > LONGEST_WORD ||
    isBareSecret(value, {
      name,
      flag,
      closing,
      sign,
      tight: text[from - 1] === '=' && text[end] === '=',
      ends: /^[\s"'\\]*(?:$|\n|")/.test(text.slice(to, to + 8)),
    });
  return wanted ? { from, to } : undefined;
}

/**
 * The quote behind `"password:"` ended the item of a list, and the value is the next one; `undefined` when none
 * follows.
 */
function behindItem(text: string, from: number, quote: string | undefined): number | undefined {
  if (quote === undefined || !/^(?:\s{0,8}[,\]}:]|$)/.test(text.slice(from, from + 9))) return from;
  const [gap] = /^\s{0,8},\s{0,8}/.exec(text.slice(from, from + 20)) ?? [];
  if (gap !== undefined && text.startsWith(quote, from + gap.length)) return from + gap.length + quote.length;
  return /^\s{0,8}(?:[\]}]\s{0,8}(?:[,\]}]|$)|,\s{0,8}(?:[[{]|\d{1,20}[,\]}]))/.test(text.slice(from, from + 40))
    ? undefined
    : from;
}

interface Around {
  readonly name: string;
  readonly flag: boolean;
  readonly closing: string | undefined;
  readonly sign: string | undefined;
  readonly tight: boolean;
  readonly ends: boolean;
}

/** A value without quotes may be a word of a sentence or code. */
function isBareSecret(value: string, { name, flag, closing, sign, tight, ends }: Around): boolean {
  if (closing !== undefined) return false; // "token": 12, "token": null
  if (flag) return !PROSE.test(value) && !value.startsWith('--');
  if (sign === '%3D' || sign === '%3d') return true;
  if (/^[A-Za-z_$][\w$.]*[([]/.test(value)) return false;
  if (
    tight ||
    (sign === ':' && HEADER.test(name) && !/authorization$|cookie$/i.test(name)) ||
    (/^[A-Z0-9_]+$/.test(name) && !value.startsWith('('))
  )
    return true;
  return isLikelyRandom(value) || (PASSWORD.test(name) && sign === ':' && ends && value.length >= 4);
}

function endOfBare(text: string, from: number): number {
  BARE.lastIndex = from;
  let to = from + (BARE.exec(text)?.[0].length ?? 0);
  while (to > from && ').]}:!?'.includes(text[to - 1]!)) to -= 1;
  return to;
}

/**
 * The first quote with no more backslashes than the one that opened; a text that was cut ends where it was cut, and a
 * line of JSON where its string ends.
 */
function endOfQuoted(text: string, opened: Opened): number {
  const end = closing(text, opened);
  if (opened.quote === '"' || (end !== undefined && !/^[{[]/.test(text))) return end ?? text.length;
  const line = closing(text, { from: opened.from, quote: '"', slashes: 0 }) ?? text.length;
  return Math.min(end ?? text.length, line);
}

interface Opened {
  readonly from: number;
  readonly quote: string;
  readonly slashes: number;
}

function closing(text: string, { from, quote, slashes }: Opened): number | undefined {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let before = at;
    while (before > from && text[before - 1] === '\\') before -= 1;
    const count = at - before;
    if (count <= slashes) return before;
    if (slashes === 0 && count % 2 === 0) return at;
  }
  return undefined;
}

/** Parameters that are secrets, and those that are when they look like one: `?key=en` is a language. */
const PARAMETER = /([?&#;])([\w.~%$[\]-]{1,64})=([^\s"'`\\&#<>]+)/g;
const ALWAYS =
  /^(?:.*(?:token|secret|passw(?:or)?d|apikey|api_key|api-key)|sig|signature|hmac|x-(?:amz|goog)-(?:signature|credential|security-token)|client_assertion|sas)$/i;
const WHEN_RANDOM =
  /^(?:.*[_-])?(?:key|code|auth|authorization|pass|pwd|hash|session|sid|sessionid|jwt|ticket|otp|assertion|access|credential|hmac|authkey|accesskey|auth_key|access_key|subscription-key)$/i;

function withParameters(text: string): string {
  if (!/[?&#;][\w.~%$[\]-]{1,64}=/.test(text)) return text;
  return text.replace(PARAMETER, (match, sign: string, name: string, value: string) => {
    const secret = !isHarmless(value) && (ALWAYS.test(name) || (WHEN_RANDOM.test(name) && isLikelyRandom(value)));
    return secret ? `${sign}${name}=${maskSecret(value)}` : match;
  });
}

/** A cookie is a name and its value; all that stand in one header go. */
const COOKIE = /(cookie2?\\{0,15}["'`]?\s{0,8}[:=,]\s{0,8}\\{0,15}["'`]?)([^\s"'`\\=:]{1,100}=[^\r\n"'`\\]+)/gi;
const withCookies = (text: string): string =>
  text.replace(COOKIE, (_match, head: string, value: string) => head + (isHarmless(value) ? value : maskSecret(value)));

/** What follows a scheme is the credential: to the end of the header in one, else one word that is no word. */
const AUTHORIZATION =
  /(authorization\\{0,15}["'`]?\s{0,8}[:=,]\s{0,8}\\{0,15}["'`]?[A-Za-z][\w-]{1,40}\s{1,8})([^\r\n"'`\\]+)/gi;
const SCHEME = /((?:bearer|basic|token|bot|apikey|ssws|geniekey)\s{1,8})([A-Za-z0-9._~+/=:…-]{6,})/gi;
/** The proof of a password in a header of many fields. */
const DIGEST = /((?:response|cnonce)=\\{0,15}"?)([0-9a-f]{32,128})/gi;
const SCHEMES =
  /[:=,"'`\\\s](?:bearer|basic|token|digest|bot|apikey|api-key|key|negotiate|hawk|ssws|geniekey|hmac|aws4-hmac-sha256|sharedkey|sharedkeylite)\s{1,8}$/i;

function withSchemes(text: string): string {
  return text
    .replace(AUTHORIZATION, (match, head: string, value: string) =>
      SCHEMES.test(head.slice(-40)) && !isHarmless(value) ? head + maskSecret(value) : match,
    )
    .replace(DIGEST, (_match, head: string, value: string) => head + maskSecret(value))
    .replace(SCHEME, (match, head: string, value: string) =>
      !isHarmless(value) && (isLikelyRandom(value) || /[=]$/.test(value)) ? head + maskSecret(value) : match,
    );
}
