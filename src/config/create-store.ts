/** Builds the live configuration: finds something to run on, follows the files, applies edits, tells who listens. */
import type { z } from 'zod';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import { ensureDir } from '../platform/files.ts';
import { createSerialQueue } from '../platform/keyed-queue.ts';
import { configPath } from './config-path.ts';
import { changedPaths } from './diff.ts';
import { applyEdits, editsOfPatch, editsOfTexts, replaceDocument, type EditContext } from './edit.ts';
import { explainPath } from './explain.ts';
import { saveLastGood } from './last-good.ts';
import { loadConfig, type SchemaSource } from './load.ts';
import { redactSnapshot } from './redact.ts';
import type { Findings } from './lint-tools.ts';
import { overlaid, withOverride, type Overrides } from './overlay.ts';
import { jsonSchema, uiHints, type JsonSchema } from './schema-hints.ts';
import { firstState, isGone, nextState, reportConfig, snapshotOf, unlessGone, type State } from './state.ts';
import type { ConfigSnapshot, ConfigStore, Vet } from './store.ts';
import { watchConfig } from './watch.ts';

export interface ConfigStoreOptions<C> {
  readonly schema: z.ZodType<C>;
  readonly env: Env;
  readonly log: Log;
  readonly clock?: Clock;
  /** Follow changes of the files; default false. */
  readonly watch?: boolean;
  /** Whether a changed file is read by itself; default yes. Asked for at each change. */
  readonly follows?: (config: C) => boolean;
  /** Milliseconds of quiet before a changed file is read; default 250. Asked for at each change. */
  readonly settleMs?: (config: C) => number;
  /** Sections that hold in safe mode when they are right by themselves; default `gateway` and `logging`. */
  readonly keepInSafeMode?: readonly string[];
  /** Errors and warnings beyond the schema. */
  readonly lint?: (config: C) => Findings;
  /** What plugins say of their own sections. */
  readonly check?: (config: C) => Promise<Findings>;
  /** Asked before a change is written. */
  readonly vet?: Vet<C>;
  /**
   * `warn`: for commands, whose environment is not the gateway's. Default `refuse`: a missing variable makes the file
   * invalid.
   */
  readonly missingVariables?: 'refuse' | 'warn';
}

/** Editors write in several steps. */
const SETTLE_MS = 250;

type Listener<C> = (next: C, previous: C, changed: readonly string[]) => void;

/**
 * Loads and, if asked to, watches. An invalid file is no error here: see the snapshot. Rejects only when the machine
 * fails.
 */
export async function createConfigStore<C>(options: ConfigStoreOptions<C>): Promise<ConfigStore<C>> {
  const { env, log, schema, keepInSafeMode = ['gateway', 'logging'] } = options;
  const source: SchemaSource<C> = {
    schema,
    describe: once((): JsonSchema => jsonSchema(schema)),
    ...present({ lint: options.lint, check: options.check }),
    lenient: options.missingVariables === 'warn',
  };
  const path = await configPath(env);
  const listeners = new Set<Listener<C>>();
  const saves = createSerialQueue();
  let state = await firstState(await loadConfig({ path, env, source }), { env, source, kept: keepInSafeMode });
  let overrides: Overrides = {};

  /** One reload or edit at a time. */
  const work = createSerialQueue();
  const inTurn = work.run;
  const settle = (previous?: State<C>): void => {
    reportConfig(log, snapshotOf(state), previous && snapshotOf(previous));
    const { loaded } = state;
    if (loaded.exists && loaded.config !== undefined && !source.lenient)
      saves
        .run(() => saveLastGood(env, loaded))
        .catch((error: unknown) => log.warn('config.last_good.failed', { error }));
  };
  const readAgain = async (): Promise<ConfigSnapshot<C>> => {
    const previous = state;
    const loaded = unlessGone(await loadConfig({ path, env, source }), previous, env);
    if (loaded.closureHash !== previous.loaded.closureHash || loaded.issues.length !== previous.loaded.issues.length) {
      state = withOverrides(nextState(loaded, previous));
      settle(previous);
      announce(changedPaths(previous.config, state.config), previous.config);
    }
    await watcher?.follow(loaded.files);
    return snapshotOf(state);
  };
  /** An override the changed file does not go together with gives way to it. */
  const withOverrides = (next: State<C>): State<C> => {
    if (Object.keys(overrides).length === 0 || next.loaded.config === undefined) return next;
    try {
      return { ...next, config: overlaid(next.loaded, overrides, { env, source }) };
    } catch (error) {
      log.warn('config.override.dropped', { error });
      overrides = {};
      return next;
    }
  };
  const overlay = (change: (now: Overrides) => Overrides): Promise<ConfigSnapshot<C>> =>
    inTurn(async () => {
      const { loaded, config: before } = state;
      if (loaded.config === undefined)
        throw new AppError(
          'invalid',
          'The configuration file is not in force, so nothing can be laid over it. Correct the file first.',
        );
      const next = change(overrides);
      const config = Object.keys(next).length === 0 ? loaded.config : overlaid(loaded, next, { env, source });
      overrides = next;
      state = { ...state, config };
      announce(changedPaths(before, config), before);
      return snapshotOf(state);
    });
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
  const write = (
    under: Pick<EditContext<C>, 'baseHash' | 'guard' | 'knownOnly'> & { readonly unvetted?: boolean | undefined },
    run: (context: EditContext<C>) => Promise<void>,
  ): Promise<ConfigSnapshot<C>> =>
    inTurn(async () => {
      const { unvetted, ...rest } = under;
      await run({ path, env, source, ...(unvetted ? {} : { vet: options.vet }), ...rest });
      return readAgain();
    });
  /** A few settings must not become the whole of a file that is gone. */
  const changeFile = async (run: () => Promise<void>): Promise<void> => {
    const loaded = unlessGone(await loadConfig({ path, env, source }), state, env);
    if (isGone(loaded))
      throw new AppError(
        'invalid',
        `The configuration cannot be edited: ${loaded.issues.at(-1)!.problem}. ${loaded.issues.at(-1)!.fix}`,
      );
    await run();
  };

  const watcher = options.watch
    ? watchConfig({
        clock: options.clock ?? systemClock,
        log,
        settleMs: () => options.settleMs?.(state.config) ?? SETTLE_MS,
        onSettled: () => {
          if (options.follows?.(state.config) ?? true)
            reload().catch((error: unknown) => log.error('config.reload.failed', { error }));
        },
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
    edit: (edits, baseHash, { knownOnly, unvetted } = {}) =>
      write({ baseHash, knownOnly, unvetted }, (context) => changeFile(() => applyEdits(editsOfTexts(edits), context))),
    replace: (raw, baseHash, guard) => write({ baseHash, guard }, (context) => replaceDocument(raw, context)),
    patch: (mergePatch, baseHash, guard) =>
      write({ baseHash, guard }, (context) =>
        changeFile(async () => {
          const { migrated } = await loadConfig(context);
          await applyEdits(editsOfPatch(mergePatch, migrated), context);
        }),
      ),
    overrides: () => overrides,
    override: (at, value) => overlay((now) => withOverride(now, at, value)),
    resetOverrides: () => overlay(() => ({})),
    explain: (text) =>
      explainPath(text, {
        env,
        snapshot: snapshotOf(state),
        loaded: state.loaded,
        inForce: state.inForce,
        defaults: defaultsOf(source),
        schema: source.describe(),
      }),
    schema: () => ({ schema: source.describe(), uiHints: uiHints(source.describe()) }),
    redacted: () => redactSnapshot(snapshotOf(state), source.describe()),
    async [Symbol.asyncDispose]() {
      watcher?.[Symbol.dispose]();
      await work.idle();
      await saves.idle();
    },
  };
}

function defaultsOf<C>({ schema }: SchemaSource<C>): unknown {
  const result = schema.safeParse({}, { jitless: true });
  return result.success ? result.data : {};
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
