/** Converts the root of a tool's schema to one flat object, the only form that every vendor accepts. Pure. */
import { present } from '../../core/present.ts';
import { omit, schemaOf, schemasOf, stringsOf, type JsonSchema } from './json-schema.ts';

/**
 * A union of objects at the root becomes one object: properties united, enums of the same property merged, required
 * what
 * the base or every variant requires.
 */
export function rootObject(source: JsonSchema): JsonSchema {
  const schema = omit(source, 'enum', 'items', 'nullable');
  const variants = schemasOf(schema['anyOf']);
  if (variants.length === 0) return { ...schema, type: 'object', properties: schemaOf(schema['properties']) };
  const properties: Record<string, JsonSchema> = { ...(schemaOf(schema['properties']) as Record<string, JsonSchema>) };
  for (const variant of variants)
    for (const [name, property] of Object.entries(schemaOf(variant['properties'])))
      properties[name] = Object.hasOwn(properties, name)
        ? merged(properties[name]!, schemaOf(property))
        : schemaOf(property);
  const always = stringsOf(variants[0]?.['required']).filter((name) =>
    variants.every((variant) => stringsOf(variant['required']).includes(name)),
  );
  const required = [...new Set([...stringsOf(schema['required']), ...always])];
  return {
    ...omit(schema, 'anyOf'),
    type: 'object',
    properties,
    ...present({ required: required.length > 0 ? required : undefined }),
    additionalProperties: true,
  };
}

/** The same property in two variants: enums are united; when only one side is limited, the wider one holds. */
function merged(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (Array.isArray(a['enum']) && Array.isArray(b['enum']))
    return { ...a, enum: [...new Set([...(a['enum'] as unknown[]), ...(b['enum'] as unknown[])])] };
  return Array.isArray(a['enum']) ? b : a;
}
