/**
 * The part of the configuration, or of its schema, that is asked for: what fits into an answer, and the names of the
 * rest. Pure.
 */
import { cut, excerpt, present } from '../../sdk/index.ts';

/** The part of JSON Schema that is used here. */
export interface Schema {
  readonly type?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Characters of an answer: a model reads more only at the cost of everything else. */
export const MAX = 20_000;

/** `a.b[0]["c.d"]` → its keys. */
export function keysOf(path: string): readonly string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[([^[\]]*)\]|([^.[\]]+)/g)].map(
    ([, quoted, bracketed, plain]) => quoted ?? bracketed ?? plain ?? '',
  );
}

/** The value at a path; undefined when there is none. */
export function valueAt(root: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined,
    root,
  );
}

/** What it holds, or, when that is too much, its names with how much each holds. */
export function bounded(value: unknown): unknown {
  const size = lengthOf(value);
  if (size <= MAX) return value;
  if (typeof value === 'string') return `${excerpt(value, MAX)} (${size - MAX} more characters)`;
  const parts = Object.entries(value as object).map(([key, part]) => [key, `${lengthOf(part)} characters`] as const);
  return {
    tooLarge: `${size} characters; name one of these with path`,
    parts: Object.fromEntries(parts.slice(0, 200)),
  };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/**
 * The schema below a path. Without one, and where that is too much, a line for each setting. Undefined: there is no
 * such setting.
 */
export function schemaPart(root: Schema, path: string): unknown {
  let level = branches(root);
  for (const key of keysOf(path)) level = level.flatMap((schema) => below(schema, key)).flatMap(branches);
  const [first] = level;
  if (first === undefined) return undefined;
  if (path !== '' && lengthOf(first) <= MAX) return first;
  return present({ description: first.description || undefined, settings: linesOf(level) });
}

const branches = (schema: Schema): readonly Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(branches),
];

function below(schema: Schema, key: string): readonly Schema[] {
  if (schema.properties && Object.hasOwn(schema.properties, key)) return [schema.properties[key]!];
  if (schema.items && /^(?:\d+|\*)$/.test(key)) return [schema.items];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

function linesOf(level: readonly Schema[]): Readonly<Record<string, string>> {
  const named = level.flatMap((schema) => [
    ...Object.entries(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0
      ? [['*', schema.additionalProperties] as const]
      : []),
    ...(schema.items ? [['[*]', schema.items] as const] : []),
  ]);
  return Object.fromEntries(named.slice(0, 200).map(([key, schema]) => [key, lineOf(schema)]));
}

function lineOf(schema: Schema): string {
  const said = schema.description ?? branches(schema).find(({ description }) => description)?.description;
  const names = branches(schema).flatMap(({ properties }) => Object.keys(properties ?? {}));
  const text =
    said ??
    (names.length > 0
      ? `${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`
      : typeof schema.type === 'string'
        ? schema.type
        : 'a value');
  return cut(text, 160);
}
