/** The configuration without its secrets, for eyes that need to see the settings only. */
import { redactText } from '../platform/redact.ts';
import { isLikelyRandom } from '../platform/redaction/mask.ts';
import { namesVariable, REFERENCE } from './env-substitute.ts';
import { deepFreeze } from './freeze.ts';
import { parseJson5 } from './json5.ts';
import { isSecretReference } from './migrate.ts';
import { isPlainObject, type Path } from './paths.ts';
import { isSensitive, type JsonSchema } from './schema-hints.ts';
import type { ConfigSnapshot } from './store.ts';

/** Stands where a secret was; a file that contains it is never written. */
export const REDACTED = '__CLAWDBOT_REDACTED__';

/** True when the marker stands anywhere in the value. */
export function holdsMarker(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(REDACTED);
  if (Array.isArray(value)) return value.some(holdsMarker);
  return (
    isPlainObject(value) && Object.entries(value).some(([key, item]) => key.includes(REDACTED) || holdsMarker(item))
  );
}

/** What may stand beside a reference to a variable without being a secret itself: `Bearer ${TOKEN}`. */
const SCHEME = /^\s*(?:(?:bearer|basic|bot|token)\s*)?$/i;
/** An address that carries a password. */
const LOGIN_IN_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:[^\s/?#]+@/i;
/** What programs are given in these is often a secret whose name does not tell. */
const PASSED_TO_PROGRAMS = /^(?:env|environment|vars|headers)$/i;

const isReference = (text: string): boolean => namesVariable(text) && SCHEME.test(text.replaceAll(REFERENCE, ''));

/** Whether a text carries a secret, whatever it is called. */
const isLikelySecret = (text: string, path: Path): boolean =>
  !isReference(text) &&
  (LOGIN_IN_ADDRESS.test(text) ||
    redactText(text) !== text ||
    (text.length >= 16 && PASSED_TO_PROGRAMS.test(path.at(-2) ?? '') && isLikelyRandom(text)));

/** A copy with every secret text replaced. `${NAME}` and its object spelling stay: they name a secret and are none. */
export function redactValue(value: unknown, schema: JsonSchema, path: Path = []): unknown {
  if (Array.isArray(value))
    return redactList(value, '').map((item, index) => redactValue(item, schema, [...path, String(index)]));
  if (isSecretReference(value)) return value;
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        redactValue(key === 'args' && Array.isArray(item) ? redactList(item, value['command']) : item, schema, [
          ...path,
          key,
        ]),
      ]),
    );
  if (typeof value === 'string' && value !== REDACTED && isLikelySecret(value, path)) return REDACTED;
  const secret = (typeof value === 'string' && value !== '' && !isReference(value)) || typeof value === 'number';
  return secret && isSensitive(schema, path) ? REDACTED : value;
}

/**
 * Arguments are judged side by side, behind their program: in `["--token", "x"]` the first tells what the second is.
 */
function redactList(items: readonly unknown[], command: unknown): readonly unknown[] {
  if (!items.every((item) => typeof item === 'string')) return items;
  const input = [typeof command === 'string' ? command : '', ...items];
  const shown = parseJson5(redactText(JSON.stringify(input)));
  if (!shown.ok || !Array.isArray(shown.value) || shown.value.length !== input.length) return items.map(() => REDACTED);
  const [, ...clean] = shown.value as readonly string[];
  return items.map((item, index) => (clean[index] === item || isReference(item) ? item : REDACTED));
}

/** The snapshot with `raw`, `parsed` and `config` cleaned. */
export function redactSnapshot<C>(snapshot: ConfigSnapshot<C>, schema: JsonSchema): ConfigSnapshot<unknown> {
  return deepFreeze({
    ...snapshot,
    raw: redactRaw(snapshot.raw, schema),
    parsed: redactValue(snapshot.parsed, schema),
    config: redactValue(snapshot.config, schema),
  });
}

/**
 * The text keeps its layout where every secret can be found in it; otherwise the cleaned value is written out afresh.
 */
function redactRaw(raw: string, schema: JsonSchema): string {
  if (raw.trim() === '') return raw;
  const parsed = parseJson5(raw);
  if (!parsed.ok) return '';
  const clean = redactValue(parsed.value, schema);
  let text = withoutComments(raw);
  for (const secret of [...secretsOf(parsed.value, clean)].sort((a, b) => b.length - a.length))
    text = text.replaceAll(secret, REDACTED);
  const again = parseJson5(text);
  const faithful = again.ok && JSON.stringify(again.value) === JSON.stringify(clean);
  return faithful ? text : `${JSON.stringify(clean, null, 2)}\n`;
}

/** The texts that were replaced. */
function secretsOf(value: unknown, clean: unknown): Set<string> {
  if (clean === REDACTED) return new Set([String(value)]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, item]) => [...secretsOf(item, (clean as Record<string, unknown>)[key])]),
  );
}

/** A text in quotes, or a comment. */
const QUOTED_OR_COMMENT =
  /("(?:[^"\\\r\n]|\\[\s\S])*(?:"|$|(?=[\r\n]))|'(?:[^'\\\r\n]|\\[\s\S])*(?:'|$|(?=[\r\n])))|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Commented-out settings are where old keys are forgotten. */
function withoutComments(raw: string): string {
  return raw.replaceAll(
    QUOTED_OR_COMMENT,
    (comment: string, quoted: string | undefined) =>
      quoted ?? (comment.startsWith('//') ? `// ${REDACTED}` : `/* ${REDACTED} */`),
  );
}

/**
 * A text that was shown without its comments gets them back, where all of them still stand in it: which are meant by a
 * few, nobody can tell.
 */
export function withComments(document: string, raw: string): string {
  const commentsIn = (text: string): readonly string[] =>
    [...text.matchAll(QUOTED_OR_COMMENT)].flatMap(([comment, quoted]) => (quoted === undefined ? [comment] : []));
  const there = commentsIn(raw);
  if (commentsIn(document).filter(holdsMarker).length !== there.length) return document;
  let next = 0;
  return document.replaceAll(QUOTED_OR_COMMENT, (text: string, quoted: string | undefined) =>
    quoted === undefined && holdsMarker(text) ? there[next++]! : text,
  );
}
