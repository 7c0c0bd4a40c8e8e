/**
 * Copies into a new schema only what Gemini is known to accept. It is an allowlist, so an unknown keyword is dropped.
 */
import { present } from '../../core/present.ts';
import { isSchema, mapNamed, schemaOf, schemasOf, stringsOf, typesOf, type JsonSchema } from './json-schema.ts';

/** Keeps type, description, enum, properties, required, items, nullable. Expects a simplified schema. */
export function geminiSchema(schema: JsonSchema): JsonSchema {
  const flat = firstVariant(schema);
  const type = typesOf(flat).find((name) => name !== 'null') ?? guessType(flat);
  const values = enumOf(flat);
  return {
    ...present({
      type,
      description: typeof flat['description'] === 'string' ? flat['description'] : undefined,
      nullable: flat['nullable'] === true ? true : undefined,
    }),
    ...(type === 'object' && objectPart(flat)),
    ...present({
      items: type === 'array' ? (isSchema(flat['items']) ? inner(flat['items']) : { type: 'string' }) : undefined,
    }),
    ...(values.length > 0 && { type: 'string', enum: values }),
  };
}

/** Enums are strings there; what comes back is made a number again by `coerce`. */
const enumOf = ({ enum: values }: JsonSchema): readonly string[] =>
  Array.isArray(values) ? [...new Set(values.filter((value) => value !== null).map(String))] : [];

function objectPart(schema: JsonSchema): JsonSchema {
  const properties = mapNamed(schema['properties'], inner);
  const required = stringsOf(schema['required']).filter((name) => Object.hasOwn(properties, name));
  return present({ properties, required: required.length > 0 ? required : undefined });
}

/** A union inside the schema: Gemini is shown its first variant, validation accepts them all. */
function firstVariant(schema: JsonSchema): JsonSchema {
  const [first] = schemasOf(schema['anyOf']);
  return first
    ? {
        ...first,
        ...present({ description: schema['description'], nullable: schema['nullable'] === true ? true : undefined }),
      }
    : schema;
}

function guessType(schema: JsonSchema): string | undefined {
  if (Object.keys(schemaOf(schema['properties'])).length > 0) return 'object';
  return isSchema(schema['items']) ? 'array' : undefined;
}

/**
 * A schema below the root. "Anything" has no spelling there, nor has an object whose properties are not known
 * beforehand: a string is what
 * a model can always write, and `coerce` reads an object out of it.
 */
function inner(schema: JsonSchema): JsonSchema {
  const shown = geminiSchema(schema);
  if (shown['type'] === undefined) return { type: 'string', ...shown };
  if (shown['type'] !== 'object' || Object.keys(schemaOf(shown['properties'])).length > 0) return shown;
  const { description, nullable } = shown;
  return present({
    type: 'string',
    description: typeof description === 'string' ? `${description} (a JSON object)` : 'A JSON object',
    nullable: nullable === true ? nullable : undefined,
  });
}
