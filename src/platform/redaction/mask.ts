/** Masks secrets, and recognizes values next to a secret's name that are not secrets. Pure. */

/** Long secrets keep their first 6 and last 4 characters, so that two keys can be distinguished. */
export function maskSecret(secret: string): string {
  // Cut through an escaped character, the text around it would no longer be JSON.
  return secret.length >= 18 && !/["'\\\r\n]/.test(secret) ? `${secret.slice(0, 6)}…${secret.slice(-4)}` : '***';
}

/** What was masked before; masking it again would only lose the part kept on purpose. */
const isMasked = (text: string): boolean =>
  text.startsWith('***') ||
  (text.length === 11 && text[6] === '…') ||
  text === '[private key]' ||
  text.includes('_REDACTED__');

/** `${TOKEN}`, `$TOKEN`, `$(pass show x)`, `%TOKEN%`, `{{token}}`, `<token>`: they name a secret and are none. */
const REFERENCE = /^(?:\$\{|\$\(|\$[A-Z_][A-Z0-9_]*$|%[A-Z_][A-Z0-9_]*%$|\{\{|<[^<>]*>?$)/;
const WORD =
  /^(?:true|false|null|undefined|none|yes|no|on|off|set|unset|missing|present|required|optional|string|number|boolean|object|any|unknown|\d{1,4})$/i;

/** Nothing to hide: masked already, a reference, or a word that says what kind of value stands there. */
export const isHarmless = (value: string): boolean =>
  value === '' || isMasked(value) || REFERENCE.test(value) || WORD.test(value);

const CODE = /[(){}[\]<>]|:\/\/|\.\.\.|^[./]|^agent(?::|%3a)|^[a-z_$]+(?:\.[a-z_$]+)+$/i;

/** Made by a program or to be guessed by nobody, as far as its look tells: no word, no number, no path, no code. */
export function isLikelyRandom(value: string): boolean {
  if (value.length < 8 || CODE.test(value) || !/[A-Za-z]/.test(value)) return false;
  return /\d/.test(value) || (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/\s/.test(value));
}
