/** Composes understanding with the channels that provide files, the sessions, and the models. */
import { present } from '../core/present.ts';
import {
  createUnderstanding,
  type AppUnderstanding,
  type UnderstandingDeps,
} from '../pipeline/understander/create-understander.ts';
import type { PluginLoader } from '../plugins/load.ts';
import { modelOverride } from '../sessions/model-override.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ChannelRegistry } from './channel-registry.ts';
import { createChannelDownload } from './channel-download.ts';

export interface ChannelUnderstandingDeps extends Pick<UnderstandingDeps, 'media' | 'models' | 'config' | 'origins'> {
  readonly machine: UnderstandingDeps['machine'];
  readonly plugins: Pick<PluginLoader, 'ids'>;
  readonly sessions: Pick<Sessions, 'peek'>;
  readonly channels: Pick<ChannelRegistry, 'connection' | 'capabilities' | 'isDeliverable'>;
  /** DNS, for what messages link to; the system's when absent. */
  readonly resolve: UnderstandingDeps['resolve'] | undefined;
}

export function createChannelUnderstanding(deps: ChannelUnderstandingDeps): AppUnderstanding {
  const { machine, media, models, config, origins, plugins, sessions, channels, resolve } = deps;
  return createUnderstanding({
    machine,
    media,
    models,
    config,
    origins,
    providerIds: () => plugins.ids('provider'),
    modelOverride: (key) => {
      const entry = sessions.peek(key);
      return entry && modelOverride(entry);
    },
    sessionId: (key) => sessions.peek(key)?.sessionId,
    isDeliverable: channels.isDeliverable,
    download: createChannelDownload({
      connection: channels.connection,
      capabilities: channels.capabilities,
      clock: machine.clock,
    }),
    ...present({ resolve }),
  });
}
