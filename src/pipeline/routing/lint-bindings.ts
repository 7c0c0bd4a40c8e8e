/** Bindings that can never match, seen with what the channels can do. Pure; what needs no channel is found when the configuration is read. */
import type { Issue } from '../../config/store.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { Binding } from './config.ts';
import { isNamed } from './match.ts';

export function lintBindings(bindings: readonly Binding[], plugins: readonly Pick<ChannelPlugin, 'id' | 'aliases' | 'label' | 'capabilities'>[]): readonly Issue[] {
  return bindings.flatMap(({ match }, index): readonly Issue[] => {
    const path = `bindings[${index}].match`;
    const plugin = plugins.find((one) => isNamed(match.channel, one.id, one));
    if (!plugin) return [{ path: `${path}.channel`, problem: `there is no channel "${match.channel}"`, fix: `Use one of: ${plugins.map(({ id }) => id).join(', ')}.` }];
    const { label, capabilities } = plugin;
    if (capabilities.operator) return [{ path: `${path}.channel`, problem: `${label} names its sessions itself; a binding changes nothing`, fix: 'Remove it.' }];
    const kind = match.peer?.kind === 'dm' ? 'direct' : match.peer?.kind;
    return [
      ...(kind !== undefined && !capabilities.chats.includes(kind) ? [{ path: `${path}.peer.kind`, problem: `${label} has no chats of the kind "${kind}"`, fix: `Use one of: ${capabilities.chats.join(', ')}.` }] : []),
      // Servers, workspaces and teams are made of channels.
      ...((match.guildId ?? match.teamId) !== undefined && !capabilities.chats.includes('channel') ? [{ path, problem: `${label} has neither servers nor teams`, fix: 'Remove guildId and teamId.' }] : []),
    ];
  });
}
