/**
 * Finds secrets by their format: keys with a vendor's prefix, signed tokens, private keys. Data, and one pass over it.
 */
import { maskSecret } from './mask.ts';

/** What every shape begins with or holds; several quick looks cost less than one for everything. */
const HINTS: readonly RegExp[] = [
  /(?<=sk|[rp]k|gh[opsur]|_pat|gsk|npm|hsec|hf|lin|ntn|cret|v1|shp\w\w|r8|figd|gems|sbp|glsa|sntry[su]|pcsk)_/,
  /(?<=sk|xox[a-z]|xapp|pplx|gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|ffct|oas)|xai|pypi|key|sq0\w\w\w|KEY|GOCSPX|nvapi|tskey|tvly|PMAK|eysib)-/,
  /(?<=ya29|SG|hv[sbr]|xox[a-z]|mfa)\./,
  /eyJ|PRIVATE|Private-L|A(?:Iza|KIA|SIA|ROA|IDA|TATT3)/,
  /\d\d:[A-Za-z0-9_-]{30}/,
  /\.[\w-]{6,7}\.[\w-]{27}/,
  /SK[0-9a-f]{32}|dapi[0-9a-f]{32}|1\/\/0[\w-]{20}/,
];

/** Each pattern's first group is the secret; a private key has none and goes as a whole. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.()-]|\\+[nr])+?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|(?![A-Za-z0-9+/=\s:,.()-]|\\+[nr]))/g,
  /Private-Lines: \d+(?:\s|\\+[nr])+(?:[A-Za-z0-9+/=]|\s|\\+[nr])+/g,
  /(sk-(?=[A-Za-z_-]{0,200}\d|[\w-]{20})[\w-]{8,})/g,
  /([sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|sk_[0-9a-f]{32,}|whsec_[A-Za-z0-9+/=]{16,})/g,
  /(gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|ffct|oas)-[\w.-]{16,})/g,
  /(xox[a-z][-.][\w.%-]{8,}|xapp-[\w-]{8,}|mfa\.[\w-]{20,})/g,
  /(gsk_[\w-]{8,}|pplx-[\w-]{8,}|hf_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|nvapi-[\w-]{20,}|tvly-[\w-]{16,}|pcsk_\w{20,})/g,
  /(AIza[\w-]{16,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|1\/\/0[\w-]{20,})/g,
  /((?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16})(?![A-Za-z0-9])/g,
  /(npm_[A-Za-z0-9]{20,}|pypi-[\w-]{16,}|rubygems_[0-9a-f]{32,}|dckr_pat_[\w-]{16,})/g,
  /(SG\.[\w-]{10,}\.[\w-]{10,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|xkeysib-[0-9a-f]{32,})/g,
  /(do[por]_v1_[a-f0-9]{32,}|hv[sbr]\.[\w-]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|tskey-[a-z]{1,20}-[\w-]{10,}|dapi[0-9a-f]{32}|sbp_[0-9a-f]{32,})/g,
  /(lin_(?:api|oauth)_[A-Za-z0-9]{16,}|ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{30,}|figd_[\w-]{20,}|ATATT3[\w=-]{20,}|PMAK-[\w-]{20,}|glsa_\w{20,}|sntry[su]_[\w=+/]{20,})/g,
  /(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{16,}|sq0(?:atp|csp|idp)-[\w-]{20,})/g,
  /(eyJ[\w-]{10,600}\.[\w-]{10,}(?:\.[\w-]*){0,3})/g,
  // A Discord bot's three parts
  /([MNO][\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,})/g,
  // A Telegram bot's, also right behind "bot" in an address
  /(?<!\d)(\d{6,}:[A-Za-z0-9_-]{30,})/g,
];
/** The 40 characters that belong to the id before them. */
const BESIDE_ID =
  /((?:AKIA|ASIA)[A-Z0-9]{16}[\s:,;|"'\\]{1,8}(?:\w{1,40}[\s:="']{1,8})?)([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/g;

/** Removes keys and tokens that are known by their shape, e.g. `sk-…`. */
export function keyShapes(text: string): string {
  if (!HINTS.some((hint) => hint.test(text))) return text;
  let clean = text.replace(BESIDE_ID, (_match, id: string, secret: string) => id + maskSecret(secret));
  for (const pattern of SHAPES) {
    clean = clean.replace(pattern, (match: string, ...rest: unknown[]) => {
      if (typeof rest[0] !== 'string') return '[private key]';
      return begins(rest.at(-1) as string, rest.at(-2) as number) ? maskSecret(match) : match;
    });
  }
  return clean;
}

/** Not in the middle of a word; the letter of an escaped line break or of `%3D` is no word. */
function begins(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9]/.test(text[at - 1]!)) return true;
  if (/\d{6}/.test(text.slice(at, at + 6))) return true;
  return /(?:\\[nrtbf]|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, at - 3), at));
}
