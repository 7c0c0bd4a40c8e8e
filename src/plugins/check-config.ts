/** Has the `channels` sections of a configuration checked by the channels themselves; loads none of them when nothing is configured. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Findings } from '../config/lint-tools.ts';
import { silentLog } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import { checkChannels } from './channel-check.ts';
import { closedFolders } from './closed-folders.ts';
import type { ChannelsConfig, PluginsConfig } from './config.ts';
import { createPluginLoader } from './load.ts';

type Joined = Parameters<typeof closedFolders>[0] & { readonly channels: ChannelsConfig; readonly plugins: PluginsConfig };

export const channelCheck = (env: Env) => async ({ channels, plugins, agents }: Joined): Promise<Findings> => {
  if (Object.keys(channels).every((id) => id === 'defaults')) return { errors: [], warnings: [] };
  // Which plugins are broken is told when they are loaded to be used.
  const loader = createPluginLoader({ config: plugins, log: silentLog, home: env.home, packagesFrom: env.stateDir, closed: closedFolders({ agents }, env) });
  const known = await loader.describeChannels();
  const found: Findings[] = [];
  for (const id of Object.keys(channels)) {
    await breathe(); // reading a schema for the first time takes milliseconds
    found.push(checkChannels(known, { channels: { defaults: channels['defaults'], [id]: channels[id] }, variable: (name) => env.get(name) }));
  }
  return { errors: found.flatMap(({ errors }) => errors), warnings: found.flatMap(({ warnings }) => warnings) };
};
