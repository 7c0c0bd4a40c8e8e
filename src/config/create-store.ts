/** Creates the live configuration: loads it, watches the files, applies edits and notifies listeners. */
import type { z } from 'zod';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import { ensureDir } from '../platform/files.ts';
import { createSerialQueue } from '../platform/keyed-queue.ts';
import { earlierTexts } from './backups.ts';
import { configPath } from './config-path.ts';
import { changedPaths } from './diff.ts';
import { applyEdits, editsOfPatch, editsOfTexts, replaceDocument, type EditContext } from './edit.ts';
import { explainPath } from './explain.ts';
import { saveLastGood } from './last-good.ts';
import { loadConfig, type SchemaSource } from './load.ts';
import { redactRaw, redactSnapshot } from './redact.ts';
import type { Findings } from './lint-tools.ts';
import { overlaid, withOverride, type Overrides } from './overlay.ts';
import { jsonSchema, uiHints, type JsonSchema } from './schema-hints.ts';
import { firstState, isGone, nextState, reportConfig, snapshotOf, keepWhenGone, type State } from './state.ts';
import type { ConfigSnapshot, ConfigStore, ConfigVersion, ChangeCheck } from './store.ts';
import { type JoinedRules, NO_RULES } from './setting-rules.ts';
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
  /** What is known of settings beside the schema. */
  readonly rules?: JoinedRules;
  /** Errors and warnings beyond the schema. */
  readonly lint?: (config: C) => Findings;
  /** What plugins say of their own sections. */
  readonly check?: (config: C) => Promise<Findings>;
  /** Asked before a change is written. */
  readonly vet?: ChangeCheck<C>;
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
  const { env, schema, keepInSafeMode = ['gateway', 'logging'] } = options;
  const source: SchemaSource<C> = {
    schema,
    describe: once((): JsonSchema => jsonSchema(schema)),
    ...present({ lint: options.lint, check: options.check, rules: options.rules }),
    lenient: options.missingVariables === 'warn',
  };
  const path = await configPath(env);
  const state = await firstState(await loadConfig({ path, env, source }), { env, source, kept: keepInSafeMode });
  const store = new LiveConfig({ options, source, path, state });
  if (options.watch) await store.watch();
  return store;
}

interface LiveConfigParts<C> {
  readonly options: ConfigStoreOptions<C>;
  readonly source: SchemaSource<C>;
  /** Absolute path of the configuration file. */
  readonly path: string;
  /** As loaded at the start. */
  readonly state: State<C>;
}

/** Under which conditions a file is written. */
type WriteRules<C> = Pick<EditContext<C>, 'baseHash' | 'guard' | 'knownOnly'> & {
  readonly unvetted?: boolean | undefined;
};

class LiveConfig<C> implements ConfigStore<C> {
  readonly #options: ConfigStoreOptions<C>;
  /** What loading needs. */
  readonly #load: { readonly path: string; readonly env: Env; readonly source: SchemaSource<C> };
  readonly #listeners = new Set<Listener<C>>();
  #state: State<C>;
  #overrides: Overrides = {};
  #watcher: ReturnType<typeof watchConfig> | undefined;
  readonly #saves = createSerialQueue();
  /** One reload or edit at a time. */
  readonly #work = createSerialQueue();

  constructor({ options, source, path, state }: LiveConfigParts<C>) {
    this.#options = options;
    this.#load = { path, env: options.env, source };
    this.#state = state;
    this.#settle();
  }

  get rules(): JoinedRules {
    return this.#load.source.rules ?? NO_RULES;
  }

  current(): C {
    return this.#state.config;
  }

  snapshot(): ConfigSnapshot<C> {
    return snapshotOf(this.#state);
  }

  subscribe(listener: Listener<C>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  reload(): Promise<ConfigSnapshot<C>> {
    return this.#work.run(() => this.#readAgain());
  }

  /** Follows the files from now on. */
  async watch(): Promise<void> {
    const { env, log, clock = systemClock, settleMs, follows } = this.#options;
    this.#watcher = watchConfig({
      clock,
      log,
      settleMs: () => settleMs?.(this.#state.config) ?? SETTLE_MS,
      onSettled: () => {
        if (follows?.(this.#state.config) ?? true)
          this.reload().catch((error: unknown) => log.error('config.reload.failed', { error }));
      },
    });
    await ensureDir(env.stateDir);
    await this.#watcher.follow(this.#state.loaded.files);
  }

  edit(
    ...[edits, baseHash, { knownOnly, unvetted } = {}]: Parameters<ConfigStore<C>['edit']>
  ): Promise<ConfigSnapshot<C>> {
    return this.#write({ baseHash, knownOnly, unvetted }, (context) =>
      this.#changeFile(() => applyEdits(editsOfTexts(edits), context)),
    );
  }

  replace(...[raw, baseHash, guard]: Parameters<ConfigStore<C>['replace']>): Promise<ConfigSnapshot<C>> {
    return this.#write({ baseHash, guard }, (context) => replaceDocument(raw, context));
  }

  async versions(): Promise<readonly ConfigVersion[]> {
    const schema = this.#load.source.describe();
    const { hash } = this.snapshot();
    return (await earlierTexts(this.#load.path))
      .filter((one) => one.hash !== hash)
      .map((one) => ({ ...one, raw: redactRaw(one.raw, schema) }));
  }

  restore(...[version, baseHash]: Parameters<ConfigStore<C>['restore']>): Promise<ConfigSnapshot<C>> {
    return this.#write({ baseHash }, async (context) => {
      const found = (await earlierTexts(context.path)).find(({ hash }) => hash === version);
      if (!found) throw new AppError('not_found', 'This version of the configuration is not kept any more.');
      await replaceDocument(found.raw, context);
    });
  }

  patch(...[mergePatch, baseHash, guard]: Parameters<ConfigStore<C>['patch']>): Promise<ConfigSnapshot<C>> {
    return this.#write({ baseHash, guard }, (context) =>
      this.#changeFile(async () => {
        const { migrated } = await loadConfig(context);
        await applyEdits(editsOfPatch(mergePatch, migrated), context);
      }),
    );
  }

  overrides(): Overrides {
    return this.#overrides;
  }

  override(...[at, value]: Parameters<ConfigStore<C>['override']>): Promise<ConfigSnapshot<C>> {
    return this.#overlay((now) => withOverride(now, at, value));
  }

  resetOverrides(): Promise<ConfigSnapshot<C>> {
    return this.#overlay(() => ({}));
  }

  explain(text: string): ReturnType<ConfigStore<C>['explain']> {
    const { env, source } = this.#load;
    return explainPath(text, {
      env,
      snapshot: this.snapshot(),
      loaded: this.#state.loaded,
      inForce: this.#state.inForce,
      defaults: defaultsOf(source),
      schema: source.describe(),
      rules: this.rules,
    });
  }

  schema(): ReturnType<ConfigStore<C>['schema']> {
    const schema = this.#load.source.describe();
    return { schema, uiHints: uiHints(schema) };
  }

  redacted(): ReturnType<ConfigStore<C>['redacted']> {
    return redactSnapshot(this.snapshot(), this.#load.source.describe());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher?.[Symbol.dispose]();
    await this.#work.idle();
    await this.#saves.idle();
  }

  /** A state that holds is reported, and kept as the last good one. */
  #settle(previous?: State<C>): void {
    const { env, log } = this.#options;
    reportConfig(log, this.snapshot(), previous && snapshotOf(previous));
    const { loaded } = this.#state;
    if (loaded.exists && loaded.config !== undefined && !this.#load.source.lenient)
      this.#saves
        .run(() => saveLastGood(env, loaded))
        .catch((error: unknown) => log.warn('config.last_good.failed', { error }));
  }

  async #readAgain(): Promise<ConfigSnapshot<C>> {
    const previous = this.#state;
    const loaded = keepWhenGone(await loadConfig(this.#load), previous, this.#load.env);
    if (loaded.closureHash !== previous.loaded.closureHash || loaded.issues.length !== previous.loaded.issues.length) {
      this.#state = this.#withOverrides(nextState(loaded, previous));
      this.#settle(previous);
      this.#announce(changedPaths(previous.config, this.#state.config), previous.config);
    }
    await this.#watcher?.follow(loaded.files);
    return this.snapshot();
  }

  /** An override the changed file does not go together with gives way to it. */
  #withOverrides(next: State<C>): State<C> {
    if (Object.keys(this.#overrides).length === 0 || next.loaded.config === undefined) return next;
    try {
      return { ...next, config: overlaid(next.loaded, this.#overrides, this.#load) };
    } catch (error) {
      this.#options.log.warn('config.override.dropped', { error });
      this.#overrides = {};
      return next;
    }
  }

  #overlay(change: (now: Overrides) => Overrides): Promise<ConfigSnapshot<C>> {
    return this.#work.run(async () => {
      const { loaded, config: before } = this.#state;
      if (loaded.config === undefined)
        throw new AppError(
          'invalid',
          'The configuration file is not in force, so nothing can be laid over it. Correct the file first.',
        );
      const next = change(this.#overrides);
      const config = Object.keys(next).length === 0 ? loaded.config : overlaid(loaded, next, this.#load);
      this.#overrides = next;
      this.#state = { ...this.#state, config };
      this.#announce(changedPaths(before, config), before);
      return this.snapshot();
    });
  }

  #announce(changed: readonly string[], previous: C): void {
    if (changed.length === 0) return;
    this.#options.log.info('config.changed', { paths: changed });
    for (const listener of this.#listeners) {
      try {
        listener(this.#state.config, previous, changed);
      } catch (error) {
        // One part that cannot follow a change must not keep the others from hearing of it.
        this.#options.log.error('config.listener.failed', { error });
      }
    }
  }

  #write(
    { unvetted, ...rules }: WriteRules<C>,
    run: (context: EditContext<C>) => Promise<void>,
  ): Promise<ConfigSnapshot<C>> {
    return this.#work.run(async () => {
      await run({ ...this.#load, ...(unvetted ? {} : { vet: this.#options.vet }), ...rules });
      return this.#readAgain();
    });
  }

  /** A few settings must not become the whole of a file that is gone. */
  async #changeFile(run: () => Promise<void>): Promise<void> {
    const loaded = keepWhenGone(await loadConfig(this.#load), this.#state, this.#load.env);
    if (isGone(loaded)) {
      const { problem, fix } = loaded.issues.at(-1)!;
      throw new AppError('invalid', `The configuration cannot be edited: ${problem}. ${fix}`);
    }
    await run();
  }
}

function defaultsOf<C>({ schema }: SchemaSource<C>): unknown {
  const result = schema.safeParse({}, { jitless: true });
  return result.success ? result.data : {};
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
