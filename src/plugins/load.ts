/**
 * Finds channels, providers and tools by their folders, also in features and channels, and third-party ones by
 * `plugins.load.paths`; imports only requested ones.
 */
import { basename } from 'node:path';
import type { ChannelPlugin } from '../core/channel.ts';
import { asAppError } from '../core/errors.ts';
import type { Provider } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import type { PluginKinds } from './contract.ts';
import { distinct } from './distinct.ts';
import type { LoaderDeps } from './loader-deps.ts';
import { ownFolders, type OwnFolders } from './own-folders.ts';
import { loadThirdParty, type LoadedPlugin } from './third-party.ts';

/** Where the plugins of a kind lie; the folders of features and channels have tools of their own. */
const FOLDERS = {
  channel: ['channels/*'],
  provider: ['providers/*'],
  tool: ['tools/*', 'features/*/tools/*', 'channels/*/tools/*'],
} as const;
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
  readonly #own: OwnFolders;
  readonly #featureTools;
  readonly #folders = new Map<FolderKind, Promise<ReadonlyMap<string, string>>>();
  readonly #loaded = new Map<string, Promise<unknown>>();
  #outside: Promise<readonly LoadedPlugin[]> | undefined;
  #everyChannel: Promise<readonly ChannelPlugin[]> | undefined;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
    this.#own = ownFolders(deps.root);
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
        feature: (await this.#own.matching('features/*')).map((folder) => basename(folder)),
      }))());
  }

  async #thirdParty<K extends FolderKind>(kind: K): Promise<readonly PluginKinds[K][]> {
    return (await this.#everyThirdParty()).flatMap((plugin) =>
      plugin.kind === kind ? [plugin.value as PluginKinds[K]] : [],
    );
  }

  /** Undefined when there is no such folder. */
  async #folder<K extends FolderKind>(kind: K, id: string): Promise<PluginKinds[K] | undefined> {
    const folder = (await this.#foldersOf(kind)).get(id);
    if (folder === undefined) return undefined;
    const loading = this.#loaded.get(folder) ?? this.#checked(kind, folder);
    this.#loaded.set(folder, loading);
    return loading as Promise<PluginKinds[K]>;
  }

  async #checked<K extends FolderKind>(kind: K, folder: string): Promise<PluginKinds[K]> {
    const value = await this.#own.load(folder);
    if (this.#own.checked) return value as PluginKinds[K];
    const { checkedAs } = await import('./contract.ts');
    return checkedAs(kind, value, folder);
  }

  async #folderIds(kind: FolderKind): Promise<readonly string[]> {
    return [...(await this.#foldersOf(kind)).keys()].toSorted();
  }

  /** Id → folder; of two with the same id the first counts. A program's own folders do not change while it runs. */
  #foldersOf(kind: FolderKind): Promise<ReadonlyMap<string, string>> {
    const known = this.#folders.get(kind) ?? this.#find(kind);
    this.#folders.set(kind, known);
    return known;
  }

  async #find(kind: FolderKind): Promise<ReadonlyMap<string, string>> {
    const found = (await Promise.all(FOLDERS[kind].map((pattern) => this.#own.matching(pattern)))).flat();
    return new Map(found.toReversed().map((folder) => [basename(folder), folder]));
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

const allOf = async <T>(loading: readonly Promise<T | undefined>[]): Promise<readonly T[]> =>
  (await Promise.all(loading)).filter((one) => one !== undefined);
