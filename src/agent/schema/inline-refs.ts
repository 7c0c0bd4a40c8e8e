/** Replaces local `$ref`s with the schema they refer to; a recursive schema becomes `{}`. Pure. */
import { isSchema, omit, schemaOf, type JsonSchema } from './json-schema.ts';

/** Enough for any honest schema, an end for one that doubles at each level. */
const MAX_NODES = 5_000;

export function inlineRefs(root: JsonSchema): JsonSchema {
  let nodes = 0;

  const visit = (value: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, open));
    if (!isSchema(value)) return value;
    if (++nodes > MAX_NODES) return {};
    const ref = value['$ref'];
    if (typeof ref !== 'string') return walk(value, open);
    if (open.includes(ref)) return {};
    const target = schemaOf(lookup(root, ref));
    return visit({ ...target, ...omit(value, '$ref') }, [...open, ref]);
  };

  function walk(schema: JsonSchema, open: readonly string[]): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [
        keyword,
        NAMED.includes(keyword) ? eachNamed(value, open) : DATA.includes(keyword) ? value : visit(value, open),
      ]),
    );
  }

  function eachNamed(value: unknown, open: readonly string[]): JsonSchema {
    return Object.fromEntries(Object.entries(schemaOf(value)).map(([name, schema]) => [name, visit(schema, open)]));
  }

  return omit(schemaOf(visit(root, [])), '$defs', 'definitions');
}

/** Keywords whose keys are names chosen by the author: `$ref` may be one of them. */
const NAMED: readonly string[] = ['properties', 'patternProperties', '$defs', 'definitions'];
/** Keywords that hold values, not schemas. */
const DATA: readonly string[] = ['enum', 'const', 'default', 'examples', 'required'];

/** JSON Pointer (RFC 6901) inside the document; addresses elsewhere are never fetched. */
function lookup(root: JsonSchema, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return {};
  const steps = ref
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>(
    (value, step) => (isSchema(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    root,
  );
}
