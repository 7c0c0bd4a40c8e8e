/** What the gateway runs on and why: the file, the last good one, or safe mode. */
import type { Log } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import { deepFreeze } from './freeze.ts';
import { lastGoodPath, loadLastGood, safeMode } from './last-good.ts';
import type { Loaded, Reading, SchemaSource } from './load.ts';
import type { ConfigSnapshot } from './store.ts';

export interface State<C> {
  readonly loaded: Loaded<C>;
  readonly config: C;
  readonly source: ConfigSnapshot<C>['source'];
  readonly safeMode: boolean;
  /** What `config` was read from; undefined for pure defaults. */
  readonly inForce: { readonly reading: Reading<C>; readonly file: string } | undefined;
}

/** At start: the file, else the last good one, else defaults where there never was a file, else safe mode. */
export async function firstState<C>(
  loaded: Loaded<C>,
  { env, source, kept }: { env: Env; source: SchemaSource<C>; kept: readonly string[] },
): Promise<State<C>> {
  if (loaded.config !== undefined && loaded.exists) return validState(loaded, loaded.config);
  const good = await loadLastGood(env, loaded, source);
  if (good)
    return {
      loaded: loaded.exists ? loaded : gone(loaded, env),
      config: good.config,
      source: 'last-good',
      safeMode: false,
      inForce: { reading: good, file: lastGoodPath(env) },
    };
  if (loaded.config !== undefined) return validState(loaded, loaded.config);
  return {
    loaded,
    config: safeMode(loaded, { env, source, kept }),
    source: 'defaults',
    safeMode: true,
    inForce: undefined,
  };
}

/**
 * What was read, after what was there before: a file that is gone is no decision, and must not change who may come in.
 */
export const keepWhenGone = <C>(loaded: Loaded<C>, previous: State<C>, env: Env): Loaded<C> =>
  loaded.exists || (previous.loaded.config !== undefined && !previous.loaded.exists) ? loaded : gone(loaded, env);

/** True when there was a file and nothing stands in its place. */
export const isGone = ({ exists, config }: Loaded<unknown>): boolean => !exists && config === undefined;

function gone<C>(loaded: Loaded<C>, env: Env): Loaded<C> {
  const fix =
    `Put it back; what was good last is in ${lastGoodPath(env)} under "config", and stays in force meanwhile. ` +
    'To begin anew, stop the gateway and delete that copy too.';
  return {
    ...loaded,
    config: undefined,
    issues: [...loaded.issues, { path: '', problem: `${loaded.path} is gone`, fix }],
  };
}

/** While running: an invalid file changes nothing. */
export function nextState<C>(loaded: Loaded<C>, previous: State<C>): State<C> {
  if (loaded.config !== undefined) return validState(loaded, loaded.config);
  return { ...previous, loaded, source: previous.source === 'file' ? 'last-good' : previous.source };
}

function validState<C>(loaded: Loaded<C>, config: C): State<C> {
  return {
    loaded,
    config,
    source: loaded.exists ? 'file' : 'defaults',
    safeMode: false,
    inForce: { reading: loaded, file: loaded.path },
  };
}

export function snapshotOf<C>({ loaded, config, source, safeMode: safe }: State<C>): ConfigSnapshot<C> {
  const { path, exists, raw, hash, parsed, issues, warnings } = loaded;
  return deepFreeze({
    path,
    exists,
    raw,
    hash,
    parsed,
    valid: loaded.config !== undefined,
    config,
    source,
    safeMode: safe,
    issues,
    warnings,
  });
}

/** Logs the result of reading; warnings that were logged with `previous` are not repeated. */
export function reportConfig(log: Log, snapshot: ConfigSnapshot<unknown>, previous?: ConfigSnapshot<unknown>): void {
  const known = new Set(previous?.warnings.map((warning) => warning.path + warning.problem));
  for (const warning of snapshot.warnings)
    if (!known.has(warning.path + warning.problem)) log.warn('config.warning', { ...warning });
  for (const issue of snapshot.issues) log.error('config.invalid', { ...issue });
  if (snapshot.valid) return log.info('config.loaded', { path: snapshot.path, exists: snapshot.exists });
  const runsOn = snapshot.safeMode
    ? 'safe mode: defaults, no channels'
    : snapshot.source === 'last-good'
      ? 'the last good configuration'
      : 'defaults';
  log.error('config.fallback', {
    path: snapshot.path,
    runsOn,
    fix: 'Correct the settings named above; the file is read again when it changes.',
  });
}
