/** Checks a configuration against the schema: wrong values are issues, unknown names only warnings. */
import type { z } from 'zod';
import { isFamilyKey } from './known-keys.ts';
import { issueOf } from './issue-text.ts';
import { formatPath, isPlainObject, type Path } from './paths.ts';
import { knownNames, schemasAt, type JsonSchema } from './schema-hints.ts';
import type { Issue } from './store.ts';
import { type JoinedRules, NO_RULES } from './setting-rules.ts';
import { nearest } from './suggest.ts';
import { unknownSetting } from './unknown-setting.ts';

export type Validation<C> =
  | { readonly ok: true; readonly config: C; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** `describe` is asked for the JSON Schema only when there is something to tell. */
export function validate<C>(
  value: unknown,
  { schema, describe, rules = NO_RULES }: { schema: z.ZodType<C>; describe: () => JsonSchema; rules?: JoinedRules },
): Validation<C> {
  // A configuration is parsed once in a while; compiling parsers for it would cost more than half of the start.
  const result = schema.safeParse(value, { jitless: true });
  if (!result.success)
    return { ok: false, issues: result.error.issues.map((raw) => issueOf(raw, { value, schema: describe })) };
  const dropped = droppedPaths(value, result.data, []);
  const family = dropped.filter((path) => isFamilyKey(path, rules));
  const unknown = unknownKeys(
    dropped.filter((path) => !isFamilyKey(path, rules)),
    describe,
  );
  return { ok: true, config: result.data, warnings: family.length === 0 ? unknown : [...unknown, unused(family)] };
}

/** Keys the schema let go: written by the person, absent from the result. */
function droppedPaths(input: unknown, output: unknown, path: Path): Path[] {
  if (Array.isArray(input) && Array.isArray(output))
    return input.flatMap((item, index) => droppedPaths(item, output[index], [...path, String(index)]));
  if (!isPlainObject(input) || !isPlainObject(output)) return [];
  return Object.entries(input).flatMap(([key, value]) => {
    const at = [...path, key];
    return Object.hasOwn(output, key) ? droppedPaths(value, output[key], at) : value === undefined ? [] : [at];
  });
}

/** Nobody reads more; looking for the nearest name of thousands would hold the event loop. */
const MAX_UNKNOWN = 50;

function unknownKeys(paths: readonly Path[], describe: () => JsonSchema): Issue[] {
  const shown = paths.slice(0, MAX_UNKNOWN).map((path) => unknownKey(path, describe()));
  const more = paths.length - shown.length;
  return more === 0 ? shown : [...shown, { path: '', problem: `${more} more unknown settings; they have no effect` }];
}

function unknownKey(path: Path, schema: JsonSchema): Issue {
  const parent = path.slice(0, -1);
  const key = path.at(-1)!;
  const meant = nearest(key, knownNames(schema, parent)) ?? elsewhere(schema, parent, key);
  const problem = unknownSetting(key);
  return {
    path: formatPath(path),
    problem,
    fix:
      meant === undefined
        ? 'Remove it, or look up its name with `config schema`.'
        : `Did you mean "${formatPath([...parent, ...meant.split('.')])}"?`,
  };
}

/** The right name one level too high: `gateway.token` for `gateway.auth.token`. */
function elsewhere(schema: JsonSchema, parent: Path, key: string): string | undefined {
  const sections = schemasAt(schema, parent).flatMap((at) => Object.entries(at.properties ?? {}));
  return sections
    .filter(([, section]) => section.properties && Object.hasOwn(section.properties, key))
    .map(([name]) => `${name}.${key}`)[0];
}

function unused(paths: readonly Path[]): Issue {
  return {
    path: '',
    problem: `settings this version does not use: ${paths.map(formatPath).join(', ')}`,
    fix: 'They can stay; they have no effect here.',
  };
}
