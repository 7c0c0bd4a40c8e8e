/** Finds `broadcast` entries that can never match, given the channels' ids. Pure. */
import type { Issue } from '../../config/store.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import { broadcastEntry, type BroadcastConfig } from './broadcast-config.ts';
import { isNamed } from './match.ts';

/** As session keys and targets write it, before the id itself. */
const KIND = /^(?:direct|dm|group|channel|user):/;

export function lintBroadcast(
  config: BroadcastConfig | undefined,
  plugins: readonly Pick<ChannelPlugin, 'id' | 'aliases'>[],
): readonly Issue[] {
  if (!config) return [];
  return Object.keys(config)
    .filter((key) => broadcastEntry(config, key) !== undefined)
    .flatMap((key): readonly Issue[] => {
      const at = key.indexOf(':');
      const named = at > 0 && plugins.some((one) => isNamed(key.slice(0, at), one.id, one));
      const id = named ? key.slice(at + 1) : key;
      if (!KIND.test(id)) return [];
      const meant = `${named ? key.slice(0, at + 1) : ''}${id.replace(KIND, '')}`;
      return [
        {
          path: `broadcast.${key}`,
          problem: 'a chat must be given by its id only, so no message matches',
          fix: `Write "${meant}".`,
        },
      ];
    });
}
