/** From files to a checked configuration: read, include, bring up to date, substitute, validate. */
import type { z } from 'zod';
import { AppError } from '../core/errors.ts';
import { withVars, type Env } from '../platform/env.ts';
import { readTextIfExists, statIfExists } from '../platform/files.ts';
import { sha256Hex } from '../platform/ids.ts';
import { substituteEnv } from './env-substitute.ts';
import { deepFreeze } from './freeze.ts';
import { resolveIncludes, type ReadText } from './include.ts';
import { withEnvSettings } from './env-settings.ts';
import { configVars } from './env-vars.ts';
import { migrate, type Move } from './migrate.ts';
import { getAt } from './paths.ts';
import type { JsonSchema } from './schema-hints.ts';
import type { Findings } from './lint-tools.ts';
import { plainValue, type Sourced } from './sourced.ts';
import type { Issue } from './store.ts';
import { unreadRestrictions } from './restrictions.ts';
import { type JoinedRules, NO_RULES } from './setting-rules.ts';
import { validate } from './validate.ts';

export interface SchemaSource<C> {
  readonly schema: z.ZodType<C>;
  /** The JSON Schema of it, made on first use. */
  readonly describe: () => JsonSchema;
  /**
   * What is allowed but surely not meant: a binding to an agent that does not exist. Its errors are told, the file is
   * in force all the same.
   */
  readonly lint?: (config: C) => Findings;
  /** The same, for what plugins alone know of their sections. */
  readonly check?: (config: C) => Promise<Findings>;
  /** What is known of settings beside the schema. */
  readonly rules?: JoinedRules;
  /** A variable that is missing here may be set where the gateway runs: warn, do not refuse. */
  readonly lenient?: boolean;
}

/** What a written configuration comes to. */
export interface Reading<C> {
  /** Frozen; undefined when the file is refused. */
  readonly config: C | undefined;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly moves: readonly Move[];
  /** In present names, before `${NAME}`. */
  readonly migrated: unknown;
  /** Dotted path (present names) → variables its text takes. */
  readonly references: ReadonlyMap<string, readonly string[]>;
}

export interface Loaded<C> extends Reading<C> {
  readonly path: string;
  readonly exists: boolean;
  readonly raw: string;
  readonly hash: string;
  /** Changes when any of the files does. */
  readonly closureHash: string;
  readonly files: readonly string[];
  readonly root: Sourced;
  readonly parsed: unknown;
  /** False when a file is missing, unreadable or no JSON5: then there is nothing to edit safely. */
  readonly readable: boolean;
}

/** Reads a regular file; anything else that has a name (a pipe, a device) would hang or lie. */
export const readRegularFile: ReadText = async (path) => {
  const found = await statIfExists(path);
  if (found === undefined) return undefined;
  if (found.kind !== 'file') throw new AppError('storage', `${path} is not a regular file.`);
  return readTextIfExists(path);
};

/** Never throws for what stands in the files: that becomes issues. */
export async function loadConfig<C>({
  path,
  env,
  source,
  read = readRegularFile,
}: {
  path: string;
  env: Env;
  source: SchemaSource<C>;
  read?: ReadText;
}): Promise<Loaded<C>> {
  const { root, files, issues } = await resolveIncludes(path, { read, home: env.home });
  const parsed = plainValue(root);
  const reading = interpret(parsed, { env, source });
  const raw = files.get(path);
  const found = reading.config === undefined ? undefined : await source.check?.(reading.config);
  return {
    ...reading,
    ...(found && { issues: [...reading.issues, ...found.errors], warnings: [...reading.warnings, ...found.warnings] }),
    ...(issues.length > 0 && { config: undefined, issues: [...issues, ...reading.issues] }),
    path,
    exists: raw !== undefined,
    raw: raw ?? '',
    hash: raw === undefined ? '' : sha256Hex(raw),
    closureHash: sha256Hex(JSON.stringify([...files])),
    files: [...files.keys()],
    root,
    parsed,
    readable: issues.length === 0,
  };
}

/** The same for a value that has been read already. */
export function interpret<C>(parsed: unknown, { env, source }: { env: Env; source: SchemaSource<C> }): Reading<C> {
  const { rules = NO_RULES } = source;
  const { value: migrated, moves, warnings } = migrate(parsed, rules);
  const own = configVars(substituteEnv(getAt(migrated, ['env']), env).value);
  const { value: written, issues: missing, references } = substituteEnv(migrated, withVars(env, own));
  const { value, warnings: odd } = withEnvSettings(written, withVars(env, own), rules);
  const issues = [...(source.lenient ? [] : missing), ...unreadRestrictions(written, rules)];
  const early = [...warnings, ...(source.lenient ? missing : []), ...odd];
  const checked = validate(value, source);
  const base = { moves, migrated, references };
  if (!checked.ok) {
    // One complaint for each setting: the missing variable explains the wrong value.
    const further = checked.issues.filter((issue) => !issues.some((known) => known.path === issue.path));
    return { ...base, config: undefined, issues: [...issues, ...further], warnings: early };
  }
  const found = source.lint?.(checked.config) ?? { errors: [], warnings: [] };
  const config = issues.length > 0 ? undefined : deepFreeze(checked.config);
  return {
    ...base,
    config,
    issues: [...issues, ...found.errors],
    warnings: [...early, ...checked.warnings, ...found.warnings],
  };
}
