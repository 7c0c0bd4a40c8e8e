/** The tools there are, and which of them a place has. */
import type { AppDeps } from './app-deps.ts';
import type { loadPlugins } from './app-plugins.ts';
import { createToolbox, type Toolbox, type ToolboxDeps } from '../agent/toolbox/toolbox.ts';

export interface AppToolboxParts {
  readonly deps: Pick<AppDeps, 'config'>;
  readonly found: Awaited<ReturnType<typeof loadPlugins>>;
  readonly channels: NonNullable<ToolboxDeps['channels']>;
}

export async function createAppToolbox({ deps, found, channels }: AppToolboxParts): Promise<Toolbox> {
  const { plugins, described, tools } = found;
  return createToolbox({
    config: () => deps.config.current(),
    tools,
    origins: await plugins.toolOrigins(),
    channelIds: await plugins.ids('channel'),
    channels,
    idForms: (channel) => described.find(({ id }) => id === channel)?.capabilities.ids,
  });
}
