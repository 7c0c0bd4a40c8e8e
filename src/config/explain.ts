/** Explains where a setting's value comes from. */
import { present } from '../core/present.ts';
import type { Env } from '../platform/env.ts';
import { envSettingAt } from './env-settings.ts';
import { formatPath, getAt, parsePath, startsWith, type Path } from './paths.ts';
import type { Loaded, Reading } from './load.ts';
import { REDACTED, redactValue } from './redact.ts';
import { isSensitive, schemasAt, type JsonSchema } from './schema-hints.ts';
import type { JoinedRules } from './setting-rules.ts';
import { nodeAt } from './sourced.ts';
import type { ConfigExplanation, ConfigSnapshot, Issue } from './store.ts';

export interface ExplainInput<C> {
  readonly snapshot: ConfigSnapshot<C>;
  readonly loaded: Loaded<C>;
  /** What the running configuration was read from, and the file it stands in. */
  readonly inForce: { readonly reading: Reading<C>; readonly file: string } | undefined;
  readonly defaults: unknown;
  readonly schema: JsonSchema;
  readonly rules: JoinedRules;
  /** Of this process; that of a gateway started elsewhere may be another. */
  readonly env: Env;
}

/** Secret values are shown as the marker. The path may be spelled as the file spells it. */
export function explainPath<C>(text: string, input: ExplainInput<C>): ConfigExplanation {
  const path = presentPath(parsePath(text), input);
  const value = getAt(input.snapshot.config, path);
  const preset = getAt(input.defaults, path);
  const description = schemasAt(input.schema, path)
    .map((schema) => schema.description)
    .find((found) => found !== undefined);
  const problem = problemAt(path, [...input.snapshot.issues, ...input.snapshot.warnings]);
  return {
    path: formatPath(path),
    value: getAt(redactValue(input.snapshot.config, input.schema), path),
    ...originOf(path, input, value !== undefined),
    ...environmentOf(path, input),
    ...(preset !== undefined && { default: getAt(redactValue(input.defaults, input.schema), path) }),
    ...present({ description, problem }),
  };
}

function presentPath<C>(path: Path, { loaded }: ExplainInput<C>): Path {
  const move = loaded.moves.find(({ from }) => startsWith(path, from));
  return move ? [...move.to, ...path.slice(move.from.length)] : path;
}

/** What a variable that is set says in place of the file or the default; and which variable could. */
function environmentOf<C>(path: Path, { env, schema, inForce, rules }: ExplainInput<C>): Partial<ConfigExplanation> {
  const found = envSettingAt(formatPath(path), env, rules);
  if (!found) return {};
  const { variable, value, wins } = found;
  const counts = value !== undefined && (wins || getAt(inForce?.reading.migrated, path) === undefined);
  return {
    variables: [variable],
    ...(counts &&
      present({
        from: 'env',
        source: variable,
        value: wins ? (isSensitive(schema, path) ? REDACTED : value) : undefined,
      })),
  };
}

function originOf<C>(
  path: Path,
  { loaded, inForce }: ExplainInput<C>,
  present: boolean,
): Pick<ConfigExplanation, 'from' | 'source'> {
  const reading = inForce?.reading;
  if (!reading || getAt(reading.migrated, path) === undefined) return { from: present ? 'default' : 'unset' };
  const variables = reading.references.get(formatPath(path));
  if (variables) return { from: 'env', source: variables.join(', ') };
  const move = reading.moves.find((candidate) => startsWith(path, candidate.to));
  const written = move ? [...move.from, ...path.slice(move.to.length)] : path;
  if (move) return { from: 'migrated', source: formatPath(written) };
  if (inForce.file !== loaded.path) return { from: 'file', source: inForce.file };
  const file = nodeAt(loaded.root, written)?.origins[0]?.file ?? loaded.path;
  return { from: file === loaded.path ? 'file' : 'include', source: file };
}

function problemAt(path: Path, issues: readonly Issue[]): Issue | undefined {
  const own = formatPath(path);
  return (
    issues.find((issue) => issue.path === own) ??
    issues.find((issue) => issue.path !== '' && startsWith(parsePath(issue.path), path))
  );
}
