/** Edits the configuration files with minimal changes, validated before writing. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../core/errors.ts';
import type { Env } from '../platform/env.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { backUp } from './backups.ts';
import { parseJson5 } from './json5.ts';
import { loadConfig, readRegularFile, type Loaded, type SchemaSource } from './load.ts';
import { migrate } from './migrate.ts';
import { formatPath, getAt, isPlainObject, parsePath, startsWith, withEdit, type Edit, type Path } from './paths.ts';
import { planEdit } from './plan-edit.ts';
import { holdsMarker, withComments } from './redact.ts';
import { schemasAt, type JsonSchema } from './schema-hints.ts';
import { restorations, restoreAt, shownPlace } from './restore.ts';
import { NO_RULES } from './setting-rules.ts';
import type { ChangeGuard, ConfigReading, Issue, ChangeCheck } from './store.ts';
import { isUnknownSetting } from './unknown-setting.ts';

export interface EditContext<C> {
  readonly path: string;
  readonly env: Env;
  readonly source: SchemaSource<C>;
  readonly baseHash: string | undefined;
  readonly guard?: ChangeGuard | undefined;
  /** Names nobody knows are refused. */
  readonly knownOnly?: boolean | undefined;
  readonly vet?: ChangeCheck<C> | undefined;
}

/**
 * Applies the edits one after the other and writes the files they touch. Rejects with `conflict`, `invalid`,
 * `unsupported` or `storage`; then nothing is written.
 */
export async function applyEdits<C>(edits: readonly Edit[], context: EditContext<C>): Promise<void> {
  const { changeText } = await import('./json5-text.ts');
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<string | undefined> => {
    const text = texts.get(path) ?? (await readRegularFile(path));
    return text?.trim() === '' ? '{}\n' : text;
  };
  const load = (source: SchemaSource<C>): Promise<Loaded<C>> => loadConfig({ ...context, source, read });
  const {
    source,
    source: { check, ...alone },
  } = context;
  const { rules = NO_RULES } = source;
  checkBase(await loadConfig({ ...context, source: alone }), context.baseHash);
  const before = await load(source);
  if (!before.readable)
    throw invalid('The configuration cannot be read, so it cannot be edited in place.', before.issues);

  let now = before;
  let wanted = before.migrated;
  const place = edits.some(({ value }) => holdsMarker(value))
    ? shownPlace(before.migrated, context.source.describe())
    : undefined;
  for (const requested of edits) {
    const edit = place ? { ...requested, value: restoreAt(requested.value, place, requested.path) } : requested;
    checkEdit(edit);
    // A setting may be named as the file names it.
    wanted = now.moves.some(({ from }) => startsWith(edit.path, from))
      ? migrate(withEdit(now.parsed, edit), rules).value
      : withEdit(wanted, edit);
    for (const { file, change } of planEdit(now, edit, {
      kept: edit.value === undefined ? keptBlocks(source.describe(), edit.path) : 0,
      rules,
    }))
      texts.set(file, changeText((await read(file)) ?? '', change));
    now = await load(alone);
  }
  if (!isDeepStrictEqual(trimmed(now.migrated), trimmed(migrate(wanted, rules).value))) {
    throw new AppError(
      'unsupported',
      'This change cannot be made in place without changing other settings; edit the file in an editor.',
    );
  }
  checkResult(before, now);
  context.guard?.({ before: readingOf(before), after: readingOf(now) });
  // Plugins are asked last: to ask one is to run it, and nobody runs what a refused change names.
  const checked = check ? await load(source) : now;
  checkResult(before, checked);
  if (context.knownOnly) checkNames(before, checked);
  await vetted(before, checked, context);
  await writeAll(texts);
}

/** Replaces the whole document. Rejects as `applyEdits` does. */
export async function replaceDocument<C>(document: string, context: EditContext<C>): Promise<void> {
  const before = await loadConfig(context);
  checkBase(before, context.baseHash);
  const raw = await withHidden(document, before, context);
  if (holdsMarker(raw)) throw hiddenValue('The text');
  const {
    source: { check, ...alone },
  } = context;
  const after = await loadConfig({
    ...context,
    source: alone,
    read: async (path) => (path === context.path ? raw : readRegularFile(path)),
  });
  if (after.issues.length > 0) throw invalid('The new configuration is not valid.', after.issues);
  context.guard?.({ before: readingOf(before), after: readingOf(after) });
  const { errors = [] } = (after.config === undefined ? undefined : await check?.(after.config)) ?? {};
  if (errors.length > 0) throw invalid('The new configuration is not valid.', errors);
  await vetted(before, after, context);
  await writeAll(new Map([[context.path, raw]]));
}

/**
 * What was hidden in the text that was shown goes back to where it stands, under the names of the file or of today; of
 * hidden comments all or none may be left in it.
 */
async function withHidden<C>(document: string, before: Loaded<C>, { source }: EditContext<C>): Promise<string> {
  const present = holdsMarker(document) ? parseJson5(before.raw) : undefined;
  if (!present?.ok) return document;
  const { changeText } = await import('./json5-text.ts');
  const text = withComments(document, before.raw);
  return [present.value, before.migrated].reduce<string>(
    (text, place) =>
      restorations(text, shownPlace(place, source.describe())).reduce(
        (now, { path, value }) => changeText(now, { kind: 'set', path, value }),
        text,
      ),
    text,
  );
}

/** A JSON merge patch (RFC 7396) as edits: `null` removes, objects merge, everything else replaces. */
export function editsOfPatch(patch: unknown, present: unknown, path: Path = []): readonly Edit[] {
  if (patch === null) return [{ path, value: undefined }];
  if (!isPlainObject(patch)) return [{ path, value: patch }];
  const there = isPlainObject(path.length === 0 ? present : getAt(present, path));
  if (!there && path.length > 0) return [{ path, value: withoutNulls(patch) }];
  return Object.entries(patch).flatMap(([key, value]) => editsOfPatch(value, present, [...path, key]));
}

function withoutNulls(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}

const readingOf = ({ config, migrated, parsed, moves, raw }: Loaded<unknown>): ConfigReading => ({
  config,
  written: migrated,
  parsed,
  moves,
  raw,
});

function checkBase(before: Loaded<unknown>, baseHash: string | undefined): void {
  if (baseHash === undefined || baseHash === before.hash) return;
  throw new AppError('conflict', 'The configuration changed since it was read; read it again and repeat the change.', {
    details: { hash: before.hash },
  });
}

function checkEdit({ path, value }: Edit): void {
  if (path.length === 0)
    throw new AppError('invalid', 'An edit needs the path of a setting; replace the document to change it as a whole.');
  if (path.includes('__proto__') || path.includes('$include'))
    throw new AppError('invalid', `"${formatPath(path)}" is no setting.`);
  if (holdsMarker(value)) throw hiddenValue(formatPath(path));
}

function hiddenValue(where: string): AppError {
  return new AppError(
    'invalid',
    `${where} holds the marker that hides a secret; send only the settings that changed, or the secret itself.`,
  );
}

/** A file that was invalid may be repaired step by step, but never made worse. */
/**
 * How many blocks of a path are not taken along when they are empty: lists by name and what is in them, and what nobody
 * describes.
 */
function keptBlocks(schema: JsonSchema, path: Path): number {
  const depths = path.map((_key, index) => index);
  return (
    1 +
    (depths.findLast((depth) => {
      const found = schemasAt(schema, path.slice(0, depth));
      return (
        found.length === 0 ||
        found.some(
          ({ additionalProperties, properties }) =>
            typeof additionalProperties === 'object' && !(properties && Object.hasOwn(properties, path[depth] ?? '')),
        )
      );
    }) ?? -1)
  );
}

function checkResult(before: Loaded<unknown>, after: Loaded<unknown>): void {
  if (after.issues.length === 0) return;
  const known = new Set(before.issues.map(textOf));
  const fresh = after.issues.filter((issue) => !known.has(textOf(issue)));
  const worse = fresh.length > 0 || (after.config === undefined && after.issues.length >= before.issues.length);
  if (worse)
    throw invalid('The change would leave the configuration invalid.', fresh.length > 0 ? fresh : after.issues);
}

async function vetted<C>(before: Loaded<C>, after: Loaded<C>, { vet }: Pick<EditContext<C>, 'vet'>): Promise<void> {
  if (after.config !== undefined) await vet?.({ before: before.config, after: after.config });
}

function checkNames(before: Loaded<unknown>, after: Loaded<unknown>): void {
  const known = new Set(before.warnings.map(textOf));
  const fresh = after.warnings.filter((issue) => isUnknownSetting(issue) && !known.has(textOf(issue)));
  if (fresh.length > 0)
    throw new AppError('invalid', `There is no such setting; nothing was changed. ${fresh.map(sentenceOf).join(' ')}`, {
      details: { issues: fresh, unknown: true },
    });
}

function textOf(issue: Issue): string {
  return `${issue.path}: ${issue.problem}`;
}

function invalid(summary: string, issues: readonly Issue[]): AppError {
  return new AppError('invalid', [summary, ...issues.map(sentenceOf)].join(' '), { details: { issues } });
}

const sentenceOf = ({ path, problem, fix }: Issue): string =>
  `${path === '' ? '' : `${path} `}${problem}.${fix === undefined ? '' : ` ${fix}`}`;

async function writeAll(texts: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of texts) {
    if (text === (await readRegularFile(path))) continue;
    await backUp(path);
    await writeFileAtomic(path, text);
  }
}

/** Without empty objects: removing the last key of an old name takes its object along. */
function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, trimmed(item)] as const);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== undefined && !(isPlainObject(item) && Object.keys(item).length === 0)),
  );
}

/** Edits as the store takes them. */
export function editsOfTexts(edits: readonly { readonly path: string; readonly value: unknown }[]): readonly Edit[] {
  return edits.map(({ path, value }) => ({ path: parsePath(path), value }));
}
