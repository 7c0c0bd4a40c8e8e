/** Turns what the schema library reports into a problem and a fix a person can act on. */
import type { z } from 'zod';
import { formatPath, isPlainObject, type Path } from './paths.ts';
import type { JsonSchema } from './schema-hints.ts';
import { knownNames, schemasAt } from './schema-hints.ts';
import type { Issue } from './store.ts';
import { nearest } from './suggest.ts';

type Raw = z.core.$ZodIssue;

/** Values are never quoted, except a mistyped choice: the rest may be secret. */
export function issueOf(
  raw: Raw,
  { value, schema, at = [] }: { value: unknown; schema: () => JsonSchema; at?: Path },
): Issue {
  const path = [...at, ...raw.path.map(String)];
  if (raw.code === 'invalid_union') {
    const branch = deepest(raw.errors);
    if (branch) return issueOf(branch, { value, schema, at: path });
  }
  const found = typeAt(value, path);
  return { path: formatPath(path), problem: problemOf(raw, found), fix: fixOf(raw, { path, value, schema: schema() }) };
}

/** The branch of a union the person most likely meant: the one that got furthest. */
function deepest(branches: readonly (readonly Raw[])[]): Raw | undefined {
  const reached = branches
    .map((issues) => issues[0])
    .filter((issue): issue is Raw => issue !== undefined && issue.path.length > 0);
  return reached.sort((a, b) => b.path.length - a.path.length)[0];
}

function problemOf(raw: Raw, found: string): string {
  switch (raw.code) {
    case 'invalid_type':
      return found === 'nothing' ? 'is missing' : `is ${found} but must be ${typeWord(raw.expected)}`;
    case 'invalid_value':
      return found === 'text' || found === 'a number'
        ? 'is none of the values it can have'
        : `is ${found}, which it cannot be`;
    case 'too_small':
      return raw.origin === 'string' && raw.minimum === 1 ? 'is empty' : `is too small: the least is ${raw.minimum}`;
    case 'too_big':
      return `is too big: the most is ${raw.maximum}`;
    case 'invalid_union':
      return `is ${found}, which it cannot be`;
    case 'invalid_format':
      return raw.message.startsWith('Invalid') ? `is not written as ${raw.format}` : raw.message;
    default:
      return raw.message;
  }
}

function fixOf(raw: Raw, { path, value, schema }: { path: Path; value: unknown; schema: JsonSchema }): string {
  const options = schemasAt(schema, path);
  const choices = options
    .flatMap((option) => option.enum ?? (option.const === undefined ? [] : [option.const]))
    .map(String);
  if (choices.length > 0) {
    const written = valueAt(value, path);
    const meant = typeof written === 'string' ? nearest(written, choices) : undefined;
    return `${meant === undefined ? '' : `Did you mean "${meant}"? `}Use one of: ${choices.join(', ')}.`;
  }
  const misspelt = misspeltSibling(path, value, schema);
  if (misspelt !== undefined) return `Rename "${misspelt}" if that is what was meant.`;
  const wanted = [...new Set(options.map(describeType).filter((text) => text !== ''))].join(' or ');
  const about = options.map((option) => option.description).find((text) => text !== undefined);
  if (raw.code === 'custom' || wanted === '')
    return about ?? 'Correct the value, or remove the key to use the default.';
  return `Use ${wanted}${about === undefined ? '.' : ` (${about.replace(/\.$/, '')}).`}`;
}

/** What is missing may be there under a wrong name. */
function misspeltSibling(path: Path, value: unknown, schema: JsonSchema): string | undefined {
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const siblings = valueAt(value, parent);
  if (key === undefined || !isPlainObject(siblings) || Object.hasOwn(siblings, key)) return undefined;
  const known = new Set(knownNames(schema, parent));
  return nearest(
    key,
    Object.keys(siblings).filter((name) => !known.has(name)),
  );
}

function describeType(schema: JsonSchema): string {
  if (schema.type === undefined) return '';
  const number = schema.type === 'integer' || schema.type === 'number';
  if (!number) return typeWord(schema.type);
  const limits = [schema.minimum, schema.maximum].map((limit) =>
    limit === undefined || Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit,
  );
  const [least, max] = limits;
  const range =
    least !== undefined && max !== undefined
      ? ` from ${least} to ${max}`
      : least !== undefined
        ? ` of at least ${least}`
        : max !== undefined
          ? ` of at most ${max}`
          : '';
  return `${typeWord(schema.type)}${range}`;
}

function typeWord(type: string): string {
  const words: Record<string, string> = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    integer: 'a whole number',
    boolean: 'true or false',
    object: 'an object { }',
    record: 'an object { }',
    array: 'a list [ ]',
    null: 'null',
  };
  return words[type] ?? type;
}

function typeAt(value: unknown, path: Path): string {
  const found = valueAt(value, path);
  if (found === undefined) return 'nothing';
  if (found === null) return 'null';
  if (Array.isArray(found)) return 'a list';
  return (
    { string: 'text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof found as string] ??
    typeof found
  );
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    value,
  );
}
