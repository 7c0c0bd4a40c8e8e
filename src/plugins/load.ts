/** Finds channels, providers and tools by their folders, and third-party ones by `plugins.load.paths`; imports only what is asked for. */
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ChannelPlugin } from '../core/channel.ts';
import { AppError, asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Provider } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import { listDir, statIfExists } from '../platform/files.ts';
import type { PluginsConfig } from './config.ts';
import { checkedAs, readPlugins, type Plugin, type PluginKind, type PluginKinds } from './contract.ts';
import { distinct, unclaimed } from './distinct.ts';
import { locatePlugin } from './locate.ts';
import { isPluginId, mayLoad, pluginId } from './named.ts';
import { judgeOrigin } from './origin.ts';

/** `.ts` from source, `.js` from dist. */
const INDEX = `index${extname(import.meta.filename)}`;
const SOURCE = join(import.meta.dirname, '..');
const PATIENCE_MS = 30_000;
const FOLDERS = { channel: 'channels', provider: 'providers', tool: 'tools' } as const;

export interface PluginLoader {
  /** In display order. A third-party channel that is broken is logged and left out. */
  loadChannels(enabled: (id: string) => boolean): Promise<readonly ChannelPlugin[]>;
  /** Every channel there is, configured or not, in display order. One that is broken, or claims a name another has, is logged and left out. */
  describeChannels(): Promise<readonly ChannelPlugin[]>;
  /** Undefined when nobody provides it; a broken one rejects with `AppError('invalid')`. */
  loadProvider(id: string): Promise<Provider | undefined>;
  /** All tools, or those named; a tool's folder is called like the tool. Names nobody provides are left out. */
  loadTools(names?: readonly string[]): Promise<readonly Tool[]>;
  /** Tools of third-party plugins: tool name → id of the plugin, as `plugins.allow` names it. */
  toolOrigins(): Promise<ReadonlyMap<string, string>>;
  /** Names that exist, without importing what this product brings along. */
  ids(kind: PluginKind): Promise<readonly string[]>;
}

export interface LoaderDeps {
  readonly config: PluginsConfig;
  readonly log: Log;
  /** For `~/` in paths. */
  readonly home: string;
  /** Where npm packages are looked for: a folder with `node_modules`. */
  readonly packagesFrom?: string;
  /** Folders that others put files into: no code comes from there. */
  readonly closed: readonly string[];
  /** Milliseconds a plugin may take to load; default 30 s. */
  readonly patienceMs?: number;
  /** Where `channels/`, `providers/` and `tools/` are. */
  readonly root?: string;
}

/** `from`: the id of the third-party plugin it came with. */
type LoadedPlugin = Plugin & { readonly from: string };

export function createPluginLoader(deps: LoaderDeps): PluginLoader {
  const root = deps.root ?? SOURCE;
  const folders = new Map<string, Promise<unknown>>();
  let outside: Promise<readonly LoadedPlugin[]> | undefined;
  let everyChannel: Promise<readonly ChannelPlugin[]> | undefined;
  const everyThirdParty = (): Promise<readonly LoadedPlugin[]> => (outside ??= (async () => loadThirdParty(deps, { tool: await folderIds('tool'), provider: await folderIds('provider') }))());
  const thirdParty = async <K extends PluginKind>(kind: K): Promise<readonly PluginKinds[K][]> => {
    return (await everyThirdParty()).flatMap((plugin) => (plugin.kind === kind ? [plugin.value as PluginKinds[K]] : []));
  };
  /** Undefined when there is no such folder. Looked up once: a program's own folders do not change while it runs. */
  const folder = <K extends PluginKind>(kind: K, id: string): Promise<PluginKinds[K] | undefined> => {
    const key = `${kind}/${id}`;
    const found = folders.get(key) ?? loadFolder(root, kind, id);
    folders.set(key, found);
    return found as Promise<PluginKinds[K] | undefined>;
  };
  const folderIds = async (kind: PluginKind): Promise<readonly string[]> => {
    const entries = await listDir(join(root, FOLDERS[kind]));
    const found = await Promise.all(entries.map(async ({ name, kind: type }) => (type === 'directory' && (await exists(root, kind, name)) ? [name] : [])));
    return found.flat();
  };

  /** A broken folder costs that channel, not the gateway. */
  const described = async (id: string): Promise<readonly ChannelPlugin[]> => {
    try {
      const channel = await folder('channel', id);
      return channel ? [channel] : [];
    } catch (error) {
      const { code, message } = asAppError(error, 'invalid');
      deps.log.error('plugin.broken', { plugin: `channels/${id}`, code, problem: message });
      return [];
    }
  };

  return {
    describeChannels: () => (everyChannel ??= (async () => {
      const own = (await Promise.all((await folderIds('channel')).map(described))).flat();
      const { kept, clashes } = distinct([...own, ...(await thirdParty('channel'))]);
      for (const clash of clashes) deps.log.error('plugin.broken', { ...clash });
      return kept.toSorted(byOrder);
    })()),
    async loadChannels(enabled) {
      const ids = (await folderIds('channel')).filter(enabled);
      const own = await allOf(ids.map((id) => folder('channel', id)));
      const others = (await thirdParty('channel')).filter(({ id }) => enabled(id) && !ids.includes(id));
      return [...own, ...others].sort(byOrder);
    },
    async loadProvider(id) {
      return (isName(id) && (await folder('provider', id))) || (await thirdParty('provider')).find((provider) => provider.id === id);
    },
    async loadTools(names) {
      const ids = (await folderIds('tool')).filter((id) => !names || names.includes(id));
      const own = await allOf(ids.map((id) => folder('tool', id)));
      return [...own, ...(await thirdParty('tool'))].filter(({ name }) => !names || names.includes(name));
    },
    async toolOrigins() {
      return new Map((await everyThirdParty()).flatMap(({ kind, value, from }) => (kind === 'tool' ? [[value.name, from] as const] : [])));
    },
    async ids(kind) {
      const others = kind === 'tool' ? (await thirdParty('tool')).map(({ name }) => name) : (await thirdParty(kind)).map(({ id }) => id);
      return [...new Set([...(await folderIds(kind)), ...others])].sort();
    },
  };
}

const byOrder = (a: ChannelPlugin, b: ChannelPlugin): number => (a.order ?? 1000) - (b.order ?? 1000) || (a.id < b.id ? -1 : 1);

const isName = (id: string): boolean => /^[a-z0-9][a-z0-9-]*$/.test(id);

const exists = async (root: string, kind: PluginKind, id: string): Promise<boolean> => (await statIfExists(join(root, FOLDERS[kind], id, INDEX))) !== undefined;

const allOf = async <T>(loading: readonly Promise<T | undefined>[]): Promise<readonly T[]> => (await Promise.all(loading)).filter((one) => one !== undefined);

async function loadFolder<K extends PluginKind>(root: string, kind: K, id: string): Promise<PluginKinds[K] | undefined> {
  if (!(await exists(root, kind, id))) return undefined;
  const path = join(root, FOLDERS[kind], id, INDEX);
  const { default: value } = (await import(pathToFileURL(path).href)) as { default?: unknown };
  return checkedAs(kind, value, `${FOLDERS[kind]}/${id}`);
}

/** One that is denied is not even imported; one that is broken is logged, and the gateway goes on without it. */
async function loadThirdParty(deps: LoaderDeps, own: Parameters<typeof unclaimed>[1]): Promise<readonly LoadedPlugin[]> {
  const { config, log } = deps;
  const named = config.load.paths.filter((path) => mayLoad(config, path));
  const loaded = await Promise.all(named.map(async (path, at) => {
    try {
      const from = pluginId(path);
      if (!isPluginId(from)) throw new AppError('invalid', `plugins.load.paths: "${path}" has no name that can be used. Call it by letters, digits, dots and dashes.`);
      const first = named.findIndex((other) => pluginId(other) === from);
      if (first < at) throw new AppError('conflict', `plugins.load.paths: ${named[first]!} is called "${from}" too, so ${path} is left out. Rename it.`);
      return (await loadPath(path, deps)).map((plugin) => ({ ...plugin, from }));
    } catch (error) {
      const { code, message } = asAppError(error);
      log.error('plugin.broken', { plugin: path, code, problem: message });
      return [];
    }
  }));
  const { kept, clashes } = unclaimed(loaded.flat(), own);
  for (const clash of clashes) log.error('plugin.broken', { ...clash });
  return kept;
}

async function loadPath(path: string, { home, packagesFrom, closed, config, patienceMs = PATIENCE_MS }: LoaderDeps): Promise<readonly Plugin[]> {
  const { file, real } = await judgeOrigin(await locatePlugin(path, { home, packagesFrom }), path, closed);
  if (!mayLoad(config, path, real)) return [];
  try {
    const { default: exported } = await inTime(import(pathToFileURL(file).href) as Promise<{ default?: unknown }>, patienceMs);
    return readPlugins(exported, `The plugin ${path}`);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid', `The plugin ${path} (${file}) could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** A plugin may wait for what never comes; the gateway does not wait with it. */
async function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  const done = new AbortController();
  const late = pause(patienceMs, undefined, { signal: done.signal }).then(() => { throw new Error(`it was not ready after ${patienceMs / 1000} s`); });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
