/**
 * Checks a configuration with the plugins it names: `channels` with the channels, media vendors with the installed
 * ones. Other plugins are not loaded.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Findings } from '../config/lint-tools.ts';
import { silentLog } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import { checkChannels } from './channel-check.ts';
import { closedFolders } from './closed-folders.ts';
import type { ChannelsConfig, PluginsConfig } from './config.ts';
import { createPluginLoader } from './load.ts';
import { settingsProblems } from './plugin-features.ts';
import { checkVision, type NamesModels } from './vision-check.ts';
import { checkVendors, type NamesVendors, type Vendors } from './vendor-check.ts';

export type Joined = Parameters<typeof closedFolders>[0] &
  NamesVendors &
  NamesModels & { readonly channels: ChannelsConfig; readonly plugins: PluginsConfig };

export const configCheck =
  (env: Env) =>
  async (config: Joined): Promise<Findings> => {
    const found = [
      await channelFindings(config, env),
      await vendorFindings(config, env),
      await featureFindings(config, env),
    ];
    return { errors: found.flatMap(({ errors }) => errors), warnings: found.flatMap(({ warnings }) => warnings) };
  };

async function vendorFindings(config: Joined, env: Env): Promise<Findings> {
  const vendors = vendorsOf(config, env);
  const found = [await checkVendors(config, vendors), await checkVision(config, vendors)];
  return { errors: found.flatMap(({ errors }) => errors), warnings: found.flatMap(({ warnings }) => warnings) };
}

/** Plugins are not run for their names: with some configured a stray one is a warning. */
export function vendorsOf(config: Joined, env: Env): Vendors {
  const { plugins } = config;
  const loader = createPluginLoader({
    config: { ...plugins, load: { ...plugins.load, paths: [] } },
    log: silentLog,
    home: env.home,
    packagesFrom: env.stateDir,
    closed: closedFolders(config, env),
  });
  return {
    ids: () => loader.ids('provider'),
    load: (id: string) => loader.loadProvider(id),
    open: plugins.enabled && plugins.load.paths.length > 0,
  };
}

/** Settings of features that plugins bring, by the schemas these bring along. */
async function featureFindings(config: Joined, env: Env): Promise<Findings> {
  const { plugins } = config;
  if (!Object.values(plugins.entries).some((entry) => entry.config)) return { errors: [], warnings: [] };
  const features = await thirdParties(config, env).loadFeatures();
  return { errors: features.flatMap((feature) => settingsProblems(feature, plugins)), warnings: [] };
}

/** Broken plugins are reported when they are loaded for use. */
const thirdParties = ({ plugins, agents }: Pick<Joined, 'plugins' | 'agents'>, env: Env) =>
  createPluginLoader({
    config: plugins,
    log: silentLog,
    home: env.home,
    packagesFrom: env.stateDir,
    closed: closedFolders({ agents }, env),
  });

async function channelFindings({ channels, plugins, agents }: Joined, env: Env): Promise<Findings> {
  if (Object.keys(channels).every((id) => id === 'defaults')) return { errors: [], warnings: [] };
  const known = await thirdParties({ plugins, agents }, env).describeChannels();
  const found: Findings[] = [];
  for (const id of Object.keys(channels)) {
    await breathe(); // reading a schema for the first time takes milliseconds
    found.push(
      checkChannels(known, {
        channels: { defaults: channels['defaults'], [id]: channels[id] },
        variable: (name) => env.get(name),
      }),
    );
  }
  return { errors: found.flatMap(({ errors }) => errors), warnings: found.flatMap(({ warnings }) => warnings) };
}
