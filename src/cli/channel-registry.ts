/** The channels of this installation, bundled and from plugins, without a gateway. */
import { channelKey } from '../config/channel-key.ts';
import { nearest } from '../config/suggest.ts';
import type { ConfigStore } from '../config/store.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import { AppError } from '../core/errors.ts';
import { silentLog, type Log } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import type { ChannelSources } from '../plugins/channel-accounts.ts';
import type { Config } from '../schema.ts';
import type { Option } from './command.ts';
import { openConfig } from './config-file.ts';

export interface Registry extends AsyncDisposable {
  readonly store: ConfigStore<Config>;
  /** In display order; surfaces inside the product are left out. */
  readonly channels: readonly ChannelPlugin[];
  readonly sources: ChannelSources;
  /** Plugins that could not be loaded, one sentence each. */
  readonly broken: readonly string[];
  /** The variables that hold the key of a provider or of a vendor one of them knows. */
  keyVariables(provider: string): Promise<readonly string[]>;
}

export async function openRegistry(env: Env): Promise<Registry> {
  const store = await openConfig(env);
  const [{ createPluginLoader }, { closedFolders }] = await Promise.all([
    import('../plugins/load.ts'),
    import('../plugins/closed-folders.ts'),
  ]);
  const broken: string[] = [];
  const log: Log = {
    ...silentLog,
    error: (_event, fields) => void broken.push(String(fields?.['problem'] ?? fields?.['plugin'])),
  };
  const plugins = createPluginLoader({
    config: store.current().plugins,
    log,
    home: env.home,
    packagesFrom: env.stateDir,
    closed: closedFolders(store.current(), env),
  });
  const all = await plugins.describeChannels();
  return {
    store,
    broken,
    channels: all.filter(({ capabilities }) => capabilities.deliverable),
    async keyVariables(id) {
      const known = await Promise.all((await plugins.ids('provider')).map((one) => plugins.loadProvider(one)));
      return known.flatMap((one) =>
        one?.id === id ? (one.envKeys ?? []) : (one?.vendors?.find((vendor) => vendor.id === id)?.envKeys ?? []),
      );
    },
    sources: { channels: store.current().channels, variable: (name) => env.get(name) },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The channel a person means, by id or alias; `invalid` says what there is. */
export function pickChannel(name: string, channels: readonly ChannelPlugin[]): ChannelPlugin {
  const wanted = name.trim().toLowerCase();
  const found = channels.find(({ id, aliases }) => id === wanted || aliases?.includes(wanted));
  if (found) return found;
  const near = nearest(
    wanted,
    channels.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  );
  throw new AppError(
    'invalid',
    `Unknown channel "${name}".${near === undefined ? '' : ` Did you mean ${near}?`} Channels: ` +
      `${channels.map(({ id }) => id).join(', ') || 'none'}.`,
  );
}

/** `--channel` with the choices there are, and what each channel needs. */
export async function channelOptions(env: Env): Promise<Readonly<Record<string, Option>>> {
  await using registry = await openRegistry(env);
  const ids = registry.channels.map(({ id }) => id);
  const options: Record<string, Option> = {
    channel: { kind: 'text', value: `<${ids.join('|') || 'id'}>`, help: 'Which channel.', required: true },
  };
  for (const plugin of registry.channels) {
    for (const { key, label, fileKey } of plugin.credentials ?? []) {
      add(options, key, `${plugin.label}: ${label}; \`-\` reads it from standard input.`);
      if (fileKey !== undefined) add(options, fileKey, `${plugin.label}: file that holds the ${label}.`);
    }
    for (const { key, label, list, flag } of plugin.setup ?? [])
      add(options, flag ?? key, `${plugin.label}: ${label}${list ? '; several are separated by commas' : ''}.`);
  }
  return options;
}

/** They mean the same on every channel, and the table says what. */
const COMMON = new Set(['token', 'token-file', 'account', 'name']);

/** Two channels may share a key. */
function add(options: Record<string, Option>, key: string, help: string): void {
  const name = channelKey(key);
  if (COMMON.has(name)) return;
  const known = options[name];
  options[name] = { kind: 'text', value: `<${name.split('-').at(-1)!}>`, help: known ? `${known.help} ${help}` : help };
}
