/** The plugins as the configuration names them: channels that are described, models, tools. */
import { createModels } from '../agent/models/create-models.ts';
import type { RoutedChannel } from '../pipeline/routing/match.ts';
import { closedFolders } from '../plugins/closed-folders.ts';
import { createPluginLoader } from '../plugins/load.ts';
import { readyFeatures } from '../plugins/plugin-features.ts';
import { adoptPlugin } from '../host/adopt-plugin.ts';
import { methodTable } from '../gateway/methods/table.ts';
import { EVENTS } from '../protocol/events.ts';
import { PAGE_NAMES } from '../config/reserved-paths.ts';
import type { Config } from '../schema.ts';
import type { AppDeps } from './app-deps.ts';

export async function loadPlugins(deps: Pick<AppDeps, 'config' | 'env' | 'log' | 'clock' | 'features'>) {
  const { env, log, clock } = deps;
  const config = (): Config => deps.config.current();
  const plugins = createPluginLoader({
    config: config().plugins,
    log,
    home: env.home,
    packagesFrom: env.stateDir,
    closed: closedFolders(config(), env),
    featureTools: deps.features.flatMap((feature) => feature.tools ?? []),
  });
  const described = await plugins.describeChannels();
  const channelPlugins = new Map(described.map((plugin) => [plugin.id, plugin]));
  const channelFacts = new Map(
    [...channelPlugins].map(
      ([
        id,
        {
          aliases,
          capabilities: { threadWord },
        },
      ]): [string, RoutedChannel] => [id, { aliases, threadWord }],
    ),
  );
  const models = createModels({
    config,
    env: env.vars,
    log,
    loadProvider: (id) => plugins.loadProvider(id),
    providerIds: () => plugins.ids('provider'),
    now: () => clock.monotonic(),
  });
  const taken = [
    ...methodTable({ methods: {} }).names,
    ...Object.keys(EVENTS),
    ...deps.features.flatMap(({ methods, events }) => Object.keys({ ...methods, ...events })),
  ];
  const loaded = await plugins.loadFeatures();
  const ready = await readyFeatures(loaded, {
    config: config().plugins,
    log,
    taken,
    pages: PAGE_NAMES,
  });
  const unready = loaded.filter(({ value }) => !ready.some((one) => one.value === value));
  const lost = new Set(unready.flatMap(({ value }) => value.tools ?? []));
  const tools = (await plugins.loadTools()).filter((tool) => !lost.has(tool));
  const features = [...deps.features, ...ready.map((found) => adoptPlugin(found))];
  return { plugins, described, channelPlugins, channelFacts, models, tools, features };
}
