/**
 * What the schema says about every setting: JSON Schema for tools, hints for the settings form, descriptions for
 * `explain`.
 */
import { z } from 'zod';
import { present } from '../core/present.ts';
import { formatPath, type Path } from './paths.ts';
import type { ConfigHint } from './store.ts';

/** The part of JSON Schema zod writes. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Names of settings whose text is a secret; a description saying "Secret." marks the others. */
const SECRET_NAME =
  /(?:token|secrets?|passw(?:or)?ds?|passphrase|pwd|credentials?|authorization|cookies?|jwt|connection_?string|(?:api|access|account|private|secret|signing|encryption|master|shared|subscription|auth)[_-]?keys?)$/i;
/** Names of variables. */
const SECRET_VARIABLE = /(?:^|_)(?:KEY|PASS|PAT|AUTH|DSN|PWD)$/;
const namesSecret = (key: string): boolean => SECRET_NAME.test(key) || SECRET_VARIABLE.test(key);

/** What people may write: defaults are optional. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
}

/** Every schema that applies at a path; several where the setting is a union, none where it is unknown. */
export function schemasAt(root: JsonSchema, path: Path): readonly JsonSchema[] {
  let level = branches(root);
  for (const key of path) level = level.flatMap((schema) => childrenOf(schema, key)).flatMap(branches);
  return level;
}

/** Names a setting at this place may have. */
export function knownNames(root: JsonSchema, path: Path): readonly string[] {
  return schemasAt(root, path).flatMap((schema) => Object.keys(schema.properties ?? {}));
}

/** True when the value at this path is, or is part of, a secret. */
export function isSensitive(root: JsonSchema, path: Path): boolean {
  return path.some((key, index) => namesSecret(key) || saysSecret(schemasAt(root, path.slice(0, index + 1))));
}

/** One hint per setting; `*` stands for any key or index. */
export function uiHints(root: JsonSchema): Readonly<Record<string, ConfigHint>> {
  const hints: Record<string, ConfigHint> = {};
  const visit = (schema: JsonSchema, path: Path, order: number): void => {
    const at = formatPath(path);
    if (path.length > 0) hints[at] = { ...hint(schema, path, order), ...hints[at] };
    for (const branch of branches(schema)) {
      Object.entries(branch.properties ?? {}).forEach(([key, child], index) => visit(child, [...path, key], index));
      if (typeof branch.additionalProperties === 'object') visit(branch.additionalProperties, [...path, '*'], 0);
      if (branch.items) visit(branch.items, [...path, '*'], 0);
    }
  };
  visit(root, [], 0);
  return hints;
}

function hint(schema: JsonSchema, path: Path, order: number): ConfigHint {
  const key = path.at(-1)!;
  const sensitive = namesSecret(key) || saysSecret([schema]);
  return present({
    label: key !== '*' ? labelOf(key) : undefined,
    help: schema.description,
    group: path[0]!,
    order,
    sensitive: sensitive || undefined,
    placeholder:
      schema.default !== undefined && typeof schema.default !== 'object' ? String(schema.default) : undefined,
  });
}

/** `debounceMs` → `Debounce ms`. */
function labelOf(key: string): string {
  const words = key.replaceAll(
    /([a-z0-9])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function saysSecret(schemas: readonly JsonSchema[]): boolean {
  return schemas.some((schema) => /\bSecret\.$/.test(schema.description ?? ''));
}

function branches(schema: JsonSchema): readonly JsonSchema[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return parts.length === 0 ? [schema] : [schema, ...parts.flatMap(branches)];
}

function childrenOf(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const property = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  if (property) return [property];
  if (schema.items && /^(\d+|\*)$/.test(key)) return [schema.items];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}
