/**
 * Finds channels, providers and tools by their folders, also in features and channels, and third-party ones by
 * `plugins.load.paths`; imports only requested ones.
 */
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChannelPlugin } from '../core/channel.ts';
import { asAppError } from '../core/errors.ts';
import type { Provider } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import { listDir, statIfExists } from '../platform/files.ts';
import { checkedAs, type PluginKinds } from './contract.ts';
import { distinct } from './distinct.ts';
import type { LoaderDeps } from './loader-deps.ts';
import { loadThirdParty, type LoadedPlugin } from './third-party.ts';

/** `.ts` from source, `.js` from dist. */
const INDEX = `index${extname(import.meta.filename)}`;
const SOURCE = join(import.meta.dirname, '..');
const FOLDERS = { channel: 'channels', provider: 'providers', tool: 'tools' } as const;
type FolderKind = keyof typeof FOLDERS;

export interface PluginLoader {
  /** In display order. A third-party channel that is broken is logged and left out. */
  loadChannels(enabled: (id: string) => boolean): Promise<readonly ChannelPlugin[]>;
  /**
   * Every channel there is, configured or not, in display order. One that is broken, or claims a name another has, is
   * logged and left out.
   */
  describeChannels(): Promise<readonly ChannelPlugin[]>;
  /** Undefined when nobody provides it; a broken one rejects with `AppError('invalid')`. */
  loadProvider(id: string): Promise<Provider | undefined>;
  /** All tools, or those named; a tool's folder is called like the tool. Names nobody provides are left out. */
  loadTools(names?: readonly string[]): Promise<readonly Tool[]>;
  /** Tools of third-party plugins: tool name → id of the plugin, as `plugins.allow` names it. */
  toolOrigins(): Promise<ReadonlyMap<string, string>>;
  /** Features of third parties, their shape checked, in the order they are named. */
  loadFeatures(): Promise<readonly LoadedFeature[]>;
  /** Names that exist, without importing what this product brings along. */
  ids(kind: FolderKind): Promise<readonly string[]>;
}

export type LoadedFeature = Extract<LoadedPlugin, { kind: 'feature' }>;

export function createPluginLoader(deps: LoaderDeps): PluginLoader {
  return new FolderLoader(deps);
}

class FolderLoader implements PluginLoader {
  readonly #deps: LoaderDeps;
  readonly #root;
  readonly #featureTools;
  readonly #folders = new Map<string, Promise<unknown>>();
  #outside: Promise<readonly LoadedPlugin[]> | undefined;
  #everyChannel: Promise<readonly ChannelPlugin[]> | undefined;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
    this.#root = deps.root ?? SOURCE;
    this.#featureTools = deps.featureTools ?? [];
  }

  describeChannels(): Promise<readonly ChannelPlugin[]> {
    return (this.#everyChannel ??= (async () => {
      const own = (await Promise.all((await this.#folderIds('channel')).map((id) => this.#described(id)))).flat();
      const { kept, clashes } = distinct([...own, ...(await this.#thirdParty('channel'))]);
      for (const clash of clashes) this.#deps.log.error('plugin.broken', { ...clash });
      return kept.toSorted(byOrder);
    })());
  }

  async loadChannels(enabled: (id: string) => boolean): Promise<readonly ChannelPlugin[]> {
    const ids = (await this.#folderIds('channel')).filter(enabled);
    const own = await allOf(ids.map((id) => this.#folder('channel', id)));
    const others = (await this.#thirdParty('channel')).filter(({ id }) => enabled(id) && !ids.includes(id));
    return [...own, ...others].sort(byOrder);
  }

  async loadProvider(id: string): Promise<Provider | undefined> {
    return (
      (isName(id) && (await this.#folder('provider', id))) ||
      (await this.#thirdParty('provider')).find((provider) => provider.id === id)
    );
  }

  async loadTools(names?: readonly string[]): Promise<readonly Tool[]> {
    const ids = (await this.#folderIds('tool')).filter((id) => !names || names.includes(id));
    const own = await allOf(ids.map((id) => this.#folder('tool', id)));
    return [...own, ...this.#featureTools, ...(await this.#thirdParty('tool'))].filter(
      ({ name }) => !names || names.includes(name),
    );
  }

  async toolOrigins(): Promise<ReadonlyMap<string, string>> {
    return new Map(
      (await this.#everyThirdParty()).flatMap(({ kind, value, from }) =>
        kind === 'tool' ? [[value.name, from] as const] : [],
      ),
    );
  }

  async loadFeatures(): Promise<readonly LoadedFeature[]> {
    return (await this.#everyThirdParty()).filter((plugin) => plugin.kind === 'feature');
  }

  async ids(kind: FolderKind): Promise<readonly string[]> {
    const others =
      kind === 'tool'
        ? (await this.#thirdParty('tool')).map(({ name }) => name)
        : (await this.#thirdParty(kind)).map(({ id }) => id);
    return [...new Set([...(await this.#folderIds(kind)), ...others])].sort();
  }

  #everyThirdParty(): Promise<readonly LoadedPlugin[]> {
    return (this.#outside ??= (async () =>
      loadThirdParty(this.#deps, {
        tool: [...(await this.#folderIds('tool')), ...this.#featureTools.map(({ name }) => name)],
        provider: await this.#folderIds('provider'),
        feature: (await listDir(join(this.#root, 'features'))).map(({ name }) => name),
      }))());
  }

  async #thirdParty<K extends FolderKind>(kind: K): Promise<readonly PluginKinds[K][]> {
    return (await this.#everyThirdParty()).flatMap((plugin) =>
      plugin.kind === kind ? [plugin.value as PluginKinds[K]] : [],
    );
  }

  /** Undefined when there is no such folder. Looked up once: a program's own folders do not change while it runs. */
  #folder<K extends FolderKind>(kind: K, id: string): Promise<PluginKinds[K] | undefined> {
    const key = `${kind}/${id}`;
    const found = this.#folders.get(key) ?? loadFolder(this.#root, kind, id);
    this.#folders.set(key, found);
    return found as Promise<PluginKinds[K] | undefined>;
  }

  async #folderIds(kind: FolderKind): Promise<readonly string[]> {
    const found = await Promise.all((await parentsOf(this.#root, kind)).map(withIndex));
    return found.flat().toSorted();
  }

  /** A broken folder costs that channel, not the gateway. */
  async #described(id: string): Promise<readonly ChannelPlugin[]> {
    try {
      const channel = await this.#folder('channel', id);
      return channel ? [channel] : [];
    } catch (error) {
      const { code, message } = asAppError(error, 'invalid');
      this.#deps.log.error('plugin.broken', { plugin: `channels/${id}`, code, problem: message });
      return [];
    }
  }
}

const byOrder = (a: ChannelPlugin, b: ChannelPlugin): number =>
  (a.order ?? 1000) - (b.order ?? 1000) || (a.id < b.id ? -1 : 1);

const isName = (id: string): boolean => /^[a-z0-9][a-z0-9-]*$/.test(id);

/** What has tools of its own, in folders beside its code. */
const WITH_TOOLS = ['features', FOLDERS.channel] as const;

/** The folders whose folders are plugins of a kind. */
async function parentsOf(root: string, kind: FolderKind): Promise<readonly string[]> {
  const own = join(root, FOLDERS[kind]);
  if (kind !== 'tool') return [own];
  const owners = await Promise.all(
    WITH_TOOLS.map(async (kindOf) =>
      (await listDir(join(root, kindOf))).map(({ name }) => join(root, kindOf, name, FOLDERS.tool)),
    ),
  );
  return [own, ...owners.flat()];
}

/** The names of the folders in it that hold a plugin. */
async function withIndex(parent: string): Promise<readonly string[]> {
  const found = (await listDir(parent)).map(async ({ name, kind }) =>
    kind === 'directory' && (await exists(parent, name)) ? [name] : [],
  );
  return (await Promise.all(found)).flat();
}

const exists = async (parent: string, id: string): Promise<boolean> =>
  (await statIfExists(join(parent, id, INDEX))) !== undefined;

const allOf = async <T>(loading: readonly Promise<T | undefined>[]): Promise<readonly T[]> =>
  (await Promise.all(loading)).filter((one) => one !== undefined);

async function loadFolder<K extends FolderKind>(
  root: string,
  kind: K,
  id: string,
): Promise<PluginKinds[K] | undefined> {
  for (const parent of await parentsOf(root, kind)) {
    if (!(await exists(parent, id))) continue;
    const { default: value } = (await import(pathToFileURL(join(parent, id, INDEX)).href)) as { default?: unknown };
    return checkedAs(kind, value, `${FOLDERS[kind]}/${id}`);
  }
  return undefined;
}
