/**
 * Finds channels, providers and tools by their folders, those of features among them, and third-party ones by
 * `plugins.load.paths`; imports only what is asked for.
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
  const { root = SOURCE, featureTools = [] } = deps;
  const folders = new Map<string, Promise<unknown>>();
  let outside: Promise<readonly LoadedPlugin[]> | undefined;
  let everyChannel: Promise<readonly ChannelPlugin[]> | undefined;
  const everyThirdParty = (): Promise<readonly LoadedPlugin[]> =>
    (outside ??= (async () =>
      loadThirdParty(deps, {
        tool: [...(await folderIds('tool')), ...featureTools.map(({ name }) => name)],
        provider: await folderIds('provider'),
        feature: (await listDir(join(root, 'features'))).map(({ name }) => name),
      }))());
  const thirdParty = async <K extends FolderKind>(kind: K): Promise<readonly PluginKinds[K][]> => {
    return (await everyThirdParty()).flatMap((plugin) =>
      plugin.kind === kind ? [plugin.value as PluginKinds[K]] : [],
    );
  };
  /** Undefined when there is no such folder. Looked up once: a program's own folders do not change while it runs. */
  const folder = <K extends FolderKind>(kind: K, id: string): Promise<PluginKinds[K] | undefined> => {
    const key = `${kind}/${id}`;
    const found = folders.get(key) ?? loadFolder(root, kind, id);
    folders.set(key, found);
    return found as Promise<PluginKinds[K] | undefined>;
  };
  const folderIds = async (kind: FolderKind): Promise<readonly string[]> => {
    const found = await Promise.all((await parentsOf(root, kind)).map(withIndex));
    return found.flat().toSorted();
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
    describeChannels: () =>
      (everyChannel ??= (async () => {
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
      return (
        (isName(id) && (await folder('provider', id))) ||
        (await thirdParty('provider')).find((provider) => provider.id === id)
      );
    },
    async loadTools(names) {
      const ids = (await folderIds('tool')).filter((id) => !names || names.includes(id));
      const own = await allOf(ids.map((id) => folder('tool', id)));
      return [...own, ...featureTools, ...(await thirdParty('tool'))].filter(
        ({ name }) => !names || names.includes(name),
      );
    },
    async toolOrigins() {
      return new Map(
        (await everyThirdParty()).flatMap(({ kind, value, from }) =>
          kind === 'tool' ? [[value.name, from] as const] : [],
        ),
      );
    },
    loadFeatures: async () => (await everyThirdParty()).filter((plugin) => plugin.kind === 'feature'),
    async ids(kind) {
      const others =
        kind === 'tool'
          ? (await thirdParty('tool')).map(({ name }) => name)
          : (await thirdParty(kind)).map(({ id }) => id);
      return [...new Set([...(await folderIds(kind)), ...others])].sort();
    },
  };
}

const byOrder = (a: ChannelPlugin, b: ChannelPlugin): number =>
  (a.order ?? 1000) - (b.order ?? 1000) || (a.id < b.id ? -1 : 1);

const isName = (id: string): boolean => /^[a-z0-9][a-z0-9-]*$/.test(id);

/** The folders whose folders are plugins of a kind; features have tools of their own. */
async function parentsOf(root: string, kind: FolderKind): Promise<readonly string[]> {
  const own = join(root, FOLDERS[kind]);
  if (kind !== 'tool') return [own];
  const features = await listDir(join(root, 'features'));
  return [own, ...features.map(({ name }) => join(root, 'features', name, FOLDERS.tool))];
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
