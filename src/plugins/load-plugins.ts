/** Loads the plugins the configuration names: channels, tools and features. */
import type { Log } from '../core/log.ts';
import { adoptPlugin } from '../host/adopt-plugin.ts';
import type { Feature } from '../host/feature.ts';
import type { Env } from '../platform/env.ts';
import { closedFolders } from './closed-folders.ts';
import type { PluginsConfig } from './config.ts';
import { createPluginLoader } from './load.ts';
import { readyFeatures, type ReadyDeps } from './plugin-features.ts';

export interface LoadPluginsDeps extends Pick<ReadyDeps, 'pages'> {
  /** As it is when the gateway begins. */
  readonly config: { readonly plugins: PluginsConfig } & Parameters<typeof closedFolders>[0];
  readonly env: Env;
  readonly log: Log;
  /** Those of this product. */
  readonly features: readonly Feature[];
  /** Names of the gateway's own methods and events. */
  readonly names: readonly string[];
}

export async function loadPlugins({ config, env, log, features: own, names, pages }: LoadPluginsDeps) {
  const plugins = createPluginLoader({
    config: config.plugins,
    log,
    home: env.home,
    packagesFrom: env.stateDir,
    closed: closedFolders(config, env),
    featureTools: own.flatMap((feature) => feature.tools ?? []),
  });
  const described = await plugins.describeChannels();
  const taken = [...names, ...own.flatMap(({ methods, events }) => Object.keys({ ...methods, ...events }))];
  const loaded = await plugins.loadFeatures();
  const ready = await readyFeatures(loaded, { config: config.plugins, log, taken, pages });
  const unready = loaded.filter(({ value }) => !ready.some((one) => one.value === value));
  const lost = new Set(unready.flatMap(({ value }) => value.tools ?? []));
  const tools = (await plugins.loadTools()).filter((tool) => !lost.has(tool));
  return { plugins, described, tools, features: [...own, ...ready.map((found) => adoptPlugin(found))] };
}
