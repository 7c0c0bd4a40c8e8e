/**
 * Simplifies a schema without changing its meaning: literals as enums, no null variants, plain numbers, one schema for
 * tuple items. Pure.
 */
import { present } from '../../core/present.ts';
import { isSchema, mapNamed, omit, schemaOf, schemasOf, typesOf, type JsonSchema } from './json-schema.ts';

/** A dropped null leaves `nullable: true` behind, for those who can use it. Expects a schema without `$ref`. */
export function simplify(schema: JsonSchema): JsonSchema {
  return singleType(asNumber(tuple(variants(children(constant(schema))))));
}

function children(schema: JsonSchema): JsonSchema {
  const out: Record<string, unknown> = { ...schema };
  if ('properties' in schema) out['properties'] = mapNamed(schema['properties'], simplify);
  if (isSchema(schema['additionalProperties'])) out['additionalProperties'] = simplify(schema['additionalProperties']);
  for (const keyword of ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf']) {
    const value = schema[keyword];
    if (Array.isArray(value)) out[keyword] = schemasOf(value).map(simplify);
    else if (isSchema(value)) out[keyword] = simplify(value);
  }
  return out;
}

/** `const: x` is `enum: [x]`. */
function constant(schema: JsonSchema): JsonSchema {
  if (!('const' in schema)) return schema;
  return schema['const'] === null
    ? { ...omit(schema, 'const'), type: 'null' }
    : { ...omit(schema, 'const'), enum: [schema['const']] };
}

/**
 * Unions: null goes, literals become one enum, a single variant becomes the schema itself, parts of `allOf` are joined.
 */
function variants(schema: JsonSchema): JsonSchema {
  if ('allOf' in schema) return variants(schemasOf(schema['allOf']).reduce<JsonSchema>(joined, omit(schema, 'allOf')));
  if (!('anyOf' in schema || 'oneOf' in schema)) return schema;
  const all = [...schemasOf(schema['anyOf']), ...schemasOf(schema['oneOf'])];
  const real = all.filter((variant) => !isNull(variant));
  const rest = {
    ...omit(schema, 'anyOf', 'oneOf'),
    ...present({ nullable: real.length < all.length ? true : undefined }),
  };
  if (real.length > 0 && real.every((variant) => Array.isArray(variant['enum']))) return { ...literals(real), ...rest };
  if (real.length === 1) return joined(real[0]!, rest);
  return real.length === 0 ? rest : { ...rest, anyOf: real };
}

const isNull = (schema: JsonSchema): boolean => typesOf(schema).join() === 'null';

function literals(variants: readonly JsonSchema[]): JsonSchema {
  const values = [...new Set(variants.flatMap((variant) => variant['enum'] as unknown[]))];
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  return { ...(types.size === 1 && { type: only }), enum: values };
}

/** Both at once; the second wins where they cannot both hold. */
function joined(a: JsonSchema, b: JsonSchema): JsonSchema {
  const required = [...new Set([...schemaList(a['required']), ...schemaList(b['required'])])];
  return {
    ...a,
    ...b,
    ...present({
      properties:
        'properties' in a || 'properties' in b
          ? { ...schemaOf(a['properties']), ...schemaOf(b['properties']) }
          : undefined,
      required: required.length > 0 ? required : undefined,
    }),
  };
}

const schemaList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Places in a tuple become one schema for all items: the first one's, when they agree on the type. */
function tuple(schema: JsonSchema): JsonSchema {
  const places =
    'prefixItems' in schema
      ? schemasOf(schema['prefixItems'])
      : Array.isArray(schema['items'])
        ? schemasOf(schema['items'])
        : undefined;
  if (!places) return schema;
  const types = new Set(places.map((place) => typesOf(place).join()));
  return { ...omit(schema, 'prefixItems', 'additionalItems'), items: types.size === 1 && places[0] ? places[0] : {} };
}

/** Gemini refuses `integer`; everybody understands `number`. */
function asNumber(schema: JsonSchema): JsonSchema {
  if (!typesOf(schema).includes('integer')) return schema;
  const types = [...new Set(typesOf(schema).map((type) => (type === 'integer' ? 'number' : type)))];
  const safe = schema['minimum'] === Number.MIN_SAFE_INTEGER ? omit(schema, 'minimum') : schema;
  const bounded = safe['maximum'] === Number.MAX_SAFE_INTEGER ? omit(safe, 'maximum') : safe;
  return { ...bounded, type: types.length === 1 ? types[0] : types };
}

function singleType(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  if (types.length < 2 || !types.includes('null')) return schema;
  const real = types.filter((type) => type !== 'null');
  return { ...schema, type: real.length === 1 ? real[0] : real, nullable: true };
}
