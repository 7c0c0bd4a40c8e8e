/** Creates the toolbox of a place with the tools of channels and plugins. */
import { createToolbox, type Toolbox, type ToolboxDeps } from '../agent/toolbox/toolbox.ts';
import type { Tool } from '../core/tool.ts';
import type { PluginLoader } from '../plugins/load.ts';
import type { Config } from '../schema.ts';
import type { ChannelRegistry } from './channel-registry.ts';
import { createReachable } from './sending/channel-service.ts';

export interface ChannelToolboxDeps {
  config(): Config;
  readonly plugins: Pick<PluginLoader, 'toolOrigins' | 'ids'>;
  readonly channels: Pick<ChannelRegistry, 'active' | 'accountIds' | 'plugin'>;
}

/** Makes the toolbox once it is known which tools there are. */
export async function toolboxMaker({
  config,
  plugins,
  channels,
}: ChannelToolboxDeps): Promise<(tools: readonly Tool[]) => Toolbox> {
  const facts: Omit<ToolboxDeps, 'tools'> = {
    config,
    origins: await plugins.toolOrigins(),
    channelIds: await plugins.ids('channel'),
    channels: createReachable({
      plugins: channels.active,
      accounts: channels.accountIds,
      config: () => config().channels,
    }),
    idForms: (channel) => channels.plugin(channel)?.capabilities.ids,
  };
  return (tools) => createToolbox({ ...facts, tools });
}
