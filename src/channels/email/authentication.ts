/**
 * Who really sent a mail, as far as the own server checked it (Authentication-Results, RFC 8601). A From header proves
 * nothing: anybody writes anything there. Pure.
 */
import { domainOf } from './addresses.ts';

/** `proven`: the own server confirmed the domain of the sender; else why it did not. */
export type SenderProof = { readonly proven: true } | { readonly proven: false; readonly why: string };

/** Characters of one header; a longer one says nothing. */
const MAX_LENGTH = 4000;
const MAX_HEADERS = 20;

const refused = (why: string): SenderProof => ({ proven: false, why });

/**
 * `results`: the Authentication-Results of the mail, from the top; `authservIds`: the names of the own server. A sender
 * writes such headers too, but cannot take away those of the server: all that bear its name must agree, and the topmost
 * header must bear it.
 */
export function proveSender(from: string, results: readonly string[], authservIds: readonly string[]): SenderProof {
  const own = new Set(authservIds.map((id) => id.toLowerCase()));
  const read = results.slice(0, MAX_HEADERS).map(readResults);
  const top = read[0];
  if (top === undefined) return refused('the mail server added no Authentication-Results');
  if (!own.has(top.server)) return refused(`its sender checks are by ${printable(top.server)}, not by your server`);
  const methods = read.filter(({ server }) => own.has(server)).flatMap(({ checks }) => checks);
  const domain = domainOf(from);
  const dmarc = methods.filter(({ method }) => method === 'dmarc');
  if (dmarc.length > 0) {
    const isProven = dmarc.every(({ result, of }) => result === 'pass' && of['header.from'] === domain);
    return isProven ? { proven: true } : refused(`DMARC does not confirm ${domain}`);
  }
  const signed = methods.some(({ method, result, of }) => method === 'dkim' && result === 'pass' && signs(of, domain));
  return signed ? { proven: true } : refused(`neither DMARC nor a DKIM signature confirms ${domain}`);
}

/** The signing domain is the sender's, or one above it. */
function signs(of: Check['of'], domain: string): boolean {
  const signer = of['header.d'] ?? of['header.i']?.replace(/^.*@/, '');
  return signer !== undefined && signer.includes('.') && (domain === signer || domain.endsWith(`.${signer}`));
}

const printable = (text: string): string => text.replace(/[^\w.-]/g, '').slice(0, 60) || 'nobody';

interface Check {
  readonly method: string;
  readonly result: string;
  /** Properties by name, lower case. */
  readonly of: Readonly<Record<string, string>>;
}

interface Results {
  readonly server: string;
  readonly checks: readonly Check[];
}

/** Words of a sender stand in it too, in quotes or comments: they are kept in one piece, or left out. */
function readResults(header: string): Results {
  if (header.length > MAX_LENGTH) return { server: '', checks: [] };
  const [first = '', ...rest] = splitOutside(header);
  const server = words(first)[0]?.toLowerCase() ?? '';
  return { server, checks: rest.flatMap((text) => readCheck(words(text))) };
}

function readCheck([first = '', ...properties]: readonly string[]): readonly Check[] {
  const named = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(first);
  if (!named) return [];
  const of: Record<string, string> = {};
  for (const property of properties) {
    const [, name, value] = /^([a-z]+\.[a-z0-9_-]+)=(.*)$/i.exec(property) ?? [];
    const key = name?.toLowerCase();
    // Said twice, it is not known which one is true.
    if (key !== undefined) of[key] = key in of ? '' : value!.toLowerCase();
  }
  return [{ method: named[1]!.toLowerCase(), result: named[2]!.toLowerCase(), of }];
}

/** The parts between semicolons, comments left out; a semicolon in quotes parts nothing. */
function splitOutside(text: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    const escaped = sign === '\\' && (quoted || depth > 0);
    if (sign === '"' && depth === 0) quoted = !quoted;
    if (sign === '(' && !quoted) depth += 1;
    if (depth === 0) {
      if (sign === ';' && !quoted) parts.push('');
      else parts[parts.length - 1] += escaped ? sign + (text[at + 1] ?? '') : sign;
    }
    if (sign === ')' && !quoted && depth > 0) depth -= 1;
    if (escaped) at += 1;
  }
  return parts;
}

/** Parted by white space outside quotes; the quotes are taken away. */
const words = (text: string): readonly string[] =>
  [
    ...text
      .replace(/\s+/g, ' ')
      .replace(/ ?= ?/g, '=')
      .matchAll(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g),
  ].map(([word]) => word.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => inner.replace(/\s/g, '_')));
