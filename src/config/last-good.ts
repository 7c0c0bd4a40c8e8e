/** Keeps a copy of the last configuration that was valid, and finds something to run on when the file is not. */
import { parseJson } from '../core/parse-json.ts';
import { dirname, join } from 'node:path';
import { ensureDir, quarantine, readTextIfExists, writeFileAtomic } from '../platform/files.ts';
import type { Env } from '../platform/env.ts';
import { deepFreeze } from './freeze.ts';
import { interpret, type Loaded, type Reading, type SchemaSource } from './load.ts';
import { isPlainObject } from './paths.ts';

export function lastGoodPath(env: Env): string {
  return join(env.stateDir, 'config', 'last-good.json');
}

/** Writes the copy unless it is the same already. It holds what the person wrote, `${NAME}` unresolved. */
export async function saveLastGood(env: Env, loaded: Loaded<unknown>): Promise<void> {
  const path = lastGoodPath(env);
  const kept = parseCopy(await readTextIfExists(path));
  if (kept?.hash === loaded.closureHash) return;
  await ensureDir(dirname(path));
  await writeFileAtomic(
    path,
    `${JSON.stringify({ hash: loaded.closureHash, from: loaded.path, config: loaded.parsed }, null, 2)}\n`,
  );
}

/**
 * The last good configuration read anew; undefined when there is none or it is good no longer. A damaged copy is set
 * aside.
 */
export async function loadLastGood<C>(
  env: Env,
  loaded: Loaded<C>,
  source: SchemaSource<C>,
): Promise<(Reading<C> & { readonly config: C }) | undefined> {
  const path = lastGoodPath(env);
  const text = await readTextIfExists(path);
  const kept = parseCopy(text);
  if (!kept) {
    if (text !== undefined) await quarantine(path);
    return undefined;
  }
  // A copy of another file says nothing about this one.
  if (kept.from !== loaded.path) return undefined;
  const reading = interpret(kept.config, { env, source });
  return reading.config === undefined ? undefined : { ...reading, config: reading.config };
}

/**
 * Defaults, with those of the `kept` sections of the invalid file that are right by themselves: the gateway stays where
 * people look for it.
 */
export function safeMode<C>(
  loaded: Loaded<C>,
  { env, source, kept }: { env: Env; source: SchemaSource<C>; kept: readonly string[] },
): C {
  const written = loaded.readable && isPlainObject(loaded.migrated) ? loaded.migrated : {};
  let chosen: Record<string, unknown> = {};
  for (const section of ['env', ...kept]) {
    if (!Object.hasOwn(written, section)) continue;
    const attempt = { ...chosen, [section]: written[section] };
    if (interpret(attempt, { env, source }).config !== undefined) chosen = attempt;
  }
  return interpret(chosen, { env, source }).config ?? deepFreeze(source.schema.parse({}, { jitless: true }));
}

function parseCopy(
  text: string | undefined,
): { readonly hash: unknown; readonly from: unknown; readonly config: unknown } | undefined {
  if (text === undefined) return undefined;
  const copy = parseJson(text);
  return isPlainObject(copy) && isPlainObject(copy['config'])
    ? { hash: copy['hash'], from: copy['from'], config: copy['config'] }
    : undefined;
}
