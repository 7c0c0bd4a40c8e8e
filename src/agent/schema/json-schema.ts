/** The JSON Schema type of this folder, and functions that read untrusted schemas safely. */

export type JsonSchema = { readonly [keyword: string]: unknown };

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const schemaOf = (value: unknown): JsonSchema => (isSchema(value) ? value : {});

export const schemasOf = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

export const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The types a schema names, `null` included. */
export const typesOf = ({ type }: JsonSchema): readonly string[] =>
  typeof type === 'string' ? [type] : stringsOf(type);

/** Applies `change` to every schema inside a map of schemas; the names are data and stay as they are. */
export const mapNamed = (value: unknown, change: (schema: JsonSchema) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemaOf(value)).map(([name, schema]) => [name, change(schemaOf(schema))]));

/** The schema without these keywords. */
export function omit(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
