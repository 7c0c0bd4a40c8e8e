/** Understanding put together from the parts of the app: who it asks, where files come from. */
import type { Origins } from '../host/origin-traits.ts';
import type { Config } from '../schema.ts';
import { createChannelDownload } from '../channel-host/channel-download.ts';
import { modelOverride } from '../sessions/model-override.ts';
import { createUnderstanding } from '../pipeline/understander/create-understander.ts';
import type { Models } from '../agent/models/create-models.ts';
import type { PluginLoader } from '../plugins/load.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppDeps } from './app-deps.ts';
import type { ChannelRegistry } from '../channel-host/channel-registry.ts';
import { present } from '../core/present.ts';
import type { MediaStore } from '../sessions/media-store.ts';

export interface AppUnderstandingParts {
  readonly deps: AppDeps;
  readonly plugins: PluginLoader;
  readonly models: Models;
  readonly media: MediaStore;
  readonly sessions: Pick<Sessions, 'peek'>;
  readonly channels: Pick<ChannelRegistry, 'connection' | 'capabilities' | 'isDeliverable'>;
  origins(): Origins;
}

export function createAppUnderstanding(parts: AppUnderstandingParts) {
  const { deps, plugins, models, media, sessions, channels, origins } = parts;
  const { env, log, clock, version } = deps;
  const config = (): Config => deps.config.current();
  return createUnderstanding({
    env,
    log,
    clock,
    version,
    media,
    models,
    config,
    root: deps.root,
    providerIds: () => plugins.ids('provider'),
    modelOverride: (key) => {
      const entry = sessions.peek(key);
      return entry && modelOverride(entry);
    },
    sessionId: (key) => sessions.peek(key)?.sessionId,
    isDeliverable: channels.isDeliverable,
    origins,
    download: createChannelDownload({
      connection: channels.connection,
      capabilities: channels.capabilities,
      clock,
    }),
    ...present({ resolve: deps.resolve }),
  });
}
