/** Loads the plugins of `plugins.load.paths`: imported once allowed, each under its own name. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError, asAppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { statIfExists } from '../platform/files.ts';
import { orTimeout } from '../platform/timeout.ts';
import type { Plugin } from './contract.ts';
import { unclaimed } from './distinct.ts';
import type { LoaderDeps } from './loader-deps.ts';
import { locatePlugin } from './locate.ts';
import { isPluginId, mayLoad, pluginId } from './named.ts';
import { checkOrigin } from './origin.ts';

const TIMEOUT_MS = 30_000;
const ENDINGS = ['.ts', '.js', '.mjs'];

/** A plugin's place: the entry that names it, what it is called by that, and its real folder when it has one. */
export interface PluginPlace {
  readonly path: string;
  readonly from: string;
  readonly folder?: string;
}

export type LoadedPlugin = Plugin & PluginPlace;

type Deps = Pick<LoaderDeps, 'config' | 'log' | 'home' | 'packagesFrom' | 'closed' | 'timeoutMs'>;

/** One that is denied is not even imported; one that is broken is logged, and the gateway goes on without it. */
export async function loadThirdParty(
  deps: Deps,
  own: Parameters<typeof unclaimed>[1],
): Promise<readonly LoadedPlugin[]> {
  const loaded = await eachPlace(deps, async (place, file) => {
    const exported = await imported<{ default?: unknown }>(file, place, deps);
    const { readPlugins } = await import('./contract.ts');
    return readPlugins(exported.default, `The plugin ${place.path}`).map((plugin) => named({ ...plugin, ...place }));
  });
  const { kept, clashes } = unclaimed(loaded, own);
  for (const clash of clashes) deps.log.error('plugin.broken', { ...clash });
  return kept;
}

/** The modules called `name` in the folders of plugins. */
export const loadBeside = <T>(deps: Deps, name: string): Promise<readonly (PluginPlace & { readonly module: T })[]> =>
  eachPlace(deps, async (place) => {
    const { folder } = place;
    if (folder === undefined) return [];
    const paths = ENDINGS.map((ending) => join(folder, `${name}${ending}`));
    const found = await Promise.all(paths.map(async (path) => ((await statIfExists(path)) ? [path] : [])));
    const first = found.flat()[0];
    return first === undefined ? [] : [{ ...place, module: await imported<T>(first, place, deps) }];
  });

/** A feature is called like its place, so that its settings, paths and methods are found by one name. */
function named(plugin: LoadedPlugin): LoadedPlugin {
  const { kind, value, from, path } = plugin;
  if (kind === 'feature' && value.id !== from)
    throw new AppError(
      'invalid',
      `The plugin ${path} has the id "${from}" but its feature has the id "${value.id}". Give both the same id.`,
    );
  return plugin;
}

/** Every entry that may be loaded, one after the other where they lie; what one throws is logged. */
async function eachPlace<T>(
  deps: Deps,
  load: (place: PluginPlace, file: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const { config, log } = deps;
  const paths = config.load.paths.filter((path) => mayLoad(config, path));
  const loaded = await Promise.all(
    paths.map(async (path, at) => {
      try {
        const from = usableName(path, paths.slice(0, at));
        const { home, packagesFrom, closed } = deps;
        const located = await locatePlugin(path, { home, packagesFrom });
        const { file, real } = await checkOrigin(located, path, closed);
        if (!mayLoad(config, path, real)) return [];
        return await load(present({ path, from, folder: located.folder !== undefined ? real : undefined }), file);
      } catch (error) {
        const { code, message } = asAppError(error);
        log.error('plugin.broken', { plugin: path, code, problem: message });
        return [];
      }
    }),
  );
  return loaded.flat();
}

function usableName(path: string, before: readonly string[]): string {
  const from = pluginId(path);
  if (!isPluginId(from))
    throw new AppError(
      'invalid',
      `plugins.load.paths: "${path}" has no usable name. Use letters, digits, dots and dashes.`,
    );
  const first = before.find((other) => pluginId(other) === from);
  if (first !== undefined)
    throw new AppError(
      'conflict',
      `plugins.load.paths: ${first} also has the id "${from}", so ${path} is ignored. Rename it.`,
    );
  return from;
}

/** A plugin may wait for what never comes; the gateway does not wait with it. */
async function imported<T>(file: string, { path }: PluginPlace, { timeoutMs = TIMEOUT_MS }: Deps): Promise<T> {
  try {
    return await orTimeout(import(pathToFileURL(file).href) as Promise<T>, {
      ms: timeoutMs,
      error: () => new Error(`it did not start within ${timeoutMs / 1000} s`),
    });
  } catch (cause) {
    throw new AppError(
      'invalid',
      `The plugin ${path} (${file}) could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
