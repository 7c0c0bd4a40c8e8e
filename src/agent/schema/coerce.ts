/**
 * Corrects common mistakes in tool arguments before validation: "5" for 5, null for absent, one value for a list. Pure.
 */
import { isSchema, schemaOf, schemasOf, stringsOf, typesOf, type JsonSchema } from './json-schema.ts';

/** Answers a new value, never changes the given one. What cannot be mended stays as it is. */
export function coerce(value: unknown, schema: JsonSchema): unknown {
  const union = schemasOf(schema['anyOf']);
  if (union.length > 0) return union.some((variant) => fits(value, variant)) ? value : coerce(value, union[0]!);
  if (Array.isArray(schema['enum'])) return likeOneOf(schema['enum'], value);
  const [type] = typesOf(schema);
  switch (type) {
    case 'number':
      return typeof value === 'string' && /^\s*-?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
        ? Number(value)
        : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'array':
      return coerceArray(value, schemaOf(schema['items']));
    case 'object':
      return coerceObject(value, schema);
    default:
      return value;
  }
}

function coerceArray(value: unknown, items: JsonSchema): unknown {
  const list = fromJson(value, Array.isArray) ?? value;
  if (Array.isArray(list)) return list.map((item) => coerce(item, items));
  return typeof list === 'string' || typeof list === 'number' || typeof list === 'boolean'
    ? [coerce(list, items)]
    : list;
}

function coerceObject(value: unknown, schema: JsonSchema): unknown {
  const object = fromJson(value, isSchema) ?? value;
  if (!isSchema(object)) return object;
  const properties = schemaOf(schema['properties']);
  const required = stringsOf(schema['required']);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, item]) => {
      const property = Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined;
      if (item === null && property && property['nullable'] !== true && !required.includes(name)) return [];
      return [[name, property && item !== null ? coerce(item, property) : item]];
    }),
  );
}

/** The literal that is written the same. An object is never asked how it is written: its `toString` is the model's. */
function likeOneOf(literals: readonly unknown[], value: unknown): unknown {
  if (
    literals.includes(value) ||
    (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
  )
    return value;
  return literals.find((literal) => String(literal) === String(value)) ?? value;
}

function fits(value: unknown, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (types.length === 0) return true;
  return types.includes(Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
}

/** A value the model wrote as text although it was asked for structure. */
function fromJson<T>(value: unknown, accept: (parsed: unknown) => parsed is T): T | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return accept(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
