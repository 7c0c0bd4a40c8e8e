/** Reads JSON Schema for the reference pages: one row per field. */

/**
 * Every leaf below `schema` as `{ path, type, fallback, description, required }`; `[]` stands for items, `<name>` for
 * free keys.
 */
export function fields(schema, path = '', required = false) {
  const here =
    path === ''
      ? []
      : [
          {
            path,
            type: typeName(schema),
            fallback: 'default' in schema && !isObject(schema.default) ? JSON.stringify(schema.default) : '',
            description: schema.description ?? '',
            required,
          },
        ];
  const inner = children(schema, path);
  // A folder of settings is a row of its own only when somebody wrote what it is for.
  return [...(inner.length > 0 && !schema.description ? [] : here), ...inner];
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function children(schema, path) {
  const join = (key) => (path === '' ? key : `${path}.${key}`);
  const required = new Set(schema.required ?? []);
  const named = Object.entries(schema.properties ?? {}).flatMap(([key, child]) =>
    fields(child, join(key), required.has(key) && !('default' in child)),
  );
  const free = isSchema(schema.additionalProperties) ? nested(schema.additionalProperties, join('<name>')) : [];
  const items = isSchema(schema.items) ? nested(schema.items, `${path}[]`) : [];
  const options = (schema.anyOf ?? schema.oneOf ?? [])
    .filter((option) => option.properties)
    .flatMap((option) => children(option, path));
  return [...named, ...free, ...items, ...options];
}

/** Plain strings and numbers inside a list or record say nothing beyond the type of their parent. */
const nested = (schema, path) =>
  children(schema, path).length > 0 ? fields(schema, path).filter((row) => row.path !== path) : [];

const isSchema = (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

export function typeName(schema) {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeName))].join(' | ');
  if (schema.type === 'array') return `${isSchema(schema.items) ? typeName(schema.items) : 'any'}[]`;
  return Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any');
}
