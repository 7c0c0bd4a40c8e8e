/** Builds the live configuration: finds something to run on, follows the files, applies edits, tells who listens. */
import type { z } from 'zod';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import { ensureDir } from '../platform/files.ts';
import { configPath } from './config-path.ts';
import { changedPaths } from './diff.ts';
import { applyEdits, editsOfPatch, editsOfTexts, replaceDocument, type EditContext } from './edit.ts';
import { explainPath } from './explain.ts';
import { deepFreeze } from './freeze.ts';
import { lastGoodPath, loadLastGood, safeMode, saveLastGood } from './last-good.ts';
import { loadConfig, type Loaded, type Reading, type SchemaSource } from './load.ts';
import { redactSnapshot } from './redact.ts';
import { jsonSchema, uiHints, type JsonSchema } from './schema-hints.ts';
import type { ConfigSnapshot, ConfigStore } from './store.ts';
import { watchConfig } from './watch.ts';

export interface ConfigStoreOptions<C> {
  readonly schema: z.ZodType<C>;
  readonly env: Env;
  readonly log: Log;
  readonly clock?: Clock;
  /** Follow changes of the files; default false. */
  readonly watch?: boolean;
  /** Milliseconds of quiet before a changed file is read; default 250. */
  readonly settleMs?: number;
  /** Sections that hold in safe mode when they are right by themselves; default `gateway` and `logging`. */
  readonly keepInSafeMode?: readonly string[];
  /** Warnings beyond the schema. */
  readonly lint?: SchemaSource<C>['lint'];
}

/** What runs now and why. */
interface State<C> {
  readonly loaded: Loaded<C>;
  readonly config: C;
  readonly source: ConfigSnapshot<C>['source'];
  readonly safeMode: boolean;
  /** What `config` was read from; undefined for pure defaults. */
  readonly inForce: { readonly reading: Reading<C>; readonly file: string } | undefined;
}

type Listener<C> = (next: C, previous: C, changed: readonly string[]) => void;

/** Loads and, if asked to, watches. An invalid file is no error here: see the snapshot. Rejects only when the machine fails. */
export async function createConfigStore<C>(options: ConfigStoreOptions<C>): Promise<ConfigStore<C>> {
  const { env, log, schema, keepInSafeMode = ['gateway', 'logging'] } = options;
  const source: SchemaSource<C> = { schema, describe: once((): JsonSchema => jsonSchema(schema)), ...(options.lint && { lint: options.lint }) };
  const path = await configPath(env);
  const listeners = new Set<Listener<C>>();
  let saving: Promise<void> = Promise.resolve();
  let state = await firstState(await loadConfig({ path, env, source }), { env, source, kept: keepInSafeMode });
  let work: Promise<unknown> = Promise.resolve();

  /** One reload or edit at a time. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const mine = work.then(run);
    work = mine.catch((error: unknown) => log.debug('config.work.failed', { error }));
    return mine;
  };
  const settle = (previous?: State<C>): void => {
    tell(log, state, previous);
    const { loaded } = state;
    if (loaded.exists && loaded.config !== undefined) saving = saving.then(() => saveLastGood(env, loaded)).catch((error: unknown) => log.warn('config.last_good.failed', { error }));
  };
  const readAgain = async (): Promise<ConfigSnapshot<C>> => {
    const previous = state;
    const loaded = await loadConfig({ path, env, source });
    if (loaded.closureHash !== previous.loaded.closureHash || loaded.issues.length !== previous.loaded.issues.length) {
      state = nextState(loaded, previous);
      settle(previous);
      announce(changedPaths(previous.config, state.config), previous.config);
    }
    await watcher?.follow(loaded.files);
    return snapshotOf(state);
  };
  const announce = (changed: readonly string[], previous: C): void => {
    if (changed.length === 0) return;
    log.info('config.changed', { paths: changed });
    for (const listener of listeners) {
      try {
        listener(state.config, previous, changed);
      } catch (error) {
        // One part that cannot follow a change must not keep the others from hearing of it.
        log.error('config.listener.failed', { error });
      }
    }
  };
  const reload = (): Promise<ConfigSnapshot<C>> => inTurn(readAgain);
  const write = (baseHash: string | undefined, run: (context: EditContext<C>) => Promise<void>): Promise<ConfigSnapshot<C>> => inTurn(async () => {
    await run({ path, env, source, baseHash });
    return readAgain();
  });

  const watcher = options.watch
    ? watchConfig({
      clock: options.clock ?? systemClock,
      log,
      ...(options.settleMs !== undefined && { settleMs: options.settleMs }),
      onSettled: () => void reload().catch((error: unknown) => log.error('config.reload.failed', { error })),
    })
    : undefined;
  if (watcher) {
    await ensureDir(env.stateDir);
    await watcher.follow(state.loaded.files);
  }
  settle();

  return {
    current: () => state.config,
    snapshot: () => snapshotOf(state),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload,
    edit: (edits, baseHash) => write(baseHash, (context) => applyEdits(editsOfTexts(edits), context)),
    replace: (raw, baseHash) => write(baseHash, (context) => replaceDocument(raw, context)),
    patch: (mergePatch, baseHash) => write(baseHash, async (context) => {
      const { migrated } = await loadConfig(context);
      await applyEdits(editsOfPatch(mergePatch, migrated), context);
    }),
    explain: (text) => explainPath(text, { snapshot: snapshotOf(state), loaded: state.loaded, inForce: state.inForce, defaults: defaultsOf(source), schema: source.describe() }),
    schema: () => ({ schema: source.describe(), uiHints: uiHints(source.describe()) }),
    redacted: () => redactSnapshot(snapshotOf(state), source.describe()),
    async [Symbol.asyncDispose]() {
      watcher?.[Symbol.dispose]();
      await work;
      await saving;
    },
  };
}

/** At start: the file, else the last good one, else safe mode. */
async function firstState<C>(loaded: Loaded<C>, { env, source, kept }: { env: Env; source: SchemaSource<C>; kept: readonly string[] }): Promise<State<C>> {
  if (loaded.config !== undefined) return validState(loaded, loaded.config);
  const good = await loadLastGood(env, loaded, source);
  if (good) return { loaded, config: good.config, source: 'last-good', safeMode: false, inForce: { reading: good, file: lastGoodPath(env) } };
  return { loaded, config: safeMode(loaded, { env, source, kept }), source: 'defaults', safeMode: true, inForce: undefined };
}

/** While running: an invalid file changes nothing. */
function nextState<C>(loaded: Loaded<C>, previous: State<C>): State<C> {
  if (loaded.config !== undefined) return validState(loaded, loaded.config);
  return { ...previous, loaded, source: previous.source === 'file' ? 'last-good' : previous.source };
}

function validState<C>(loaded: Loaded<C>, config: C): State<C> {
  return { loaded, config, source: loaded.exists ? 'file' : 'defaults', safeMode: false, inForce: { reading: loaded, file: loaded.path } };
}

function snapshotOf<C>({ loaded, config, source, safeMode: safe }: State<C>): ConfigSnapshot<C> {
  const { path, exists, raw, hash, parsed, issues, warnings } = loaded;
  return deepFreeze({ path, exists, raw, hash, parsed, valid: loaded.config !== undefined, config, source, safeMode: safe, issues, warnings });
}

/** Says what a reading came to; warnings only once. */
function tell<C>(log: Log, { loaded, source, safeMode: safe }: State<C>, previous: State<C> | undefined): void {
  const told = new Set(previous?.loaded.warnings.map((warning) => warning.path + warning.problem));
  for (const warning of loaded.warnings) if (!told.has(warning.path + warning.problem)) log.warn('config.warning', { ...warning });
  if (loaded.config !== undefined) return log.info('config.loaded', { path: loaded.path, exists: loaded.exists });
  for (const issue of loaded.issues) log.error('config.invalid', { ...issue });
  const runsOn = safe ? 'safe mode: defaults, no channels' : source === 'last-good' ? 'the last good configuration' : 'defaults';
  log.error('config.fallback', { path: loaded.path, runsOn, fix: 'Correct the settings named above; the file is read again when it changes.' });
}

function defaultsOf<C>({ schema }: SchemaSource<C>): unknown {
  const result = schema.safeParse({}, { jitless: true });
  return result.success ? result.data : {};
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
