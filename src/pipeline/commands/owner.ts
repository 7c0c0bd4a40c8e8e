/** Whether a channel's sender is the owner, who may use `/config` and the like. A pairing alone makes nobody that. Pure. */
import { rawSettings, settingsOf } from '../../config/channel-config.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { CommandsConfig } from './config.ts';

export interface OwnerFacts {
  readonly commands: Pick<CommandsConfig, 'ownerAllowFrom'>;
  readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

/**
 * `spelled`: the channel's own reading of an entry (`ChannelPlugin.senderEntry`). Names decide nothing, and `*` names nobody.
 */
export function ownerOf({ commands, channels }: OwnerFacts, { address: { channel, accountId }, sender }: Pick<InboundMessage, 'address' | 'sender'>, spelled?: (entry: string) => string | undefined): boolean {
  const own = `${channel}:`;
  const id = sender.id.trim().toLowerCase();
  const named = commands.ownerAllowFrom
    ? commands.ownerAllowFrom.map((entry) => entry.trim()).filter((entry) => entry.toLowerCase().startsWith(own))
    : settingsOf(channels, channel, accountId).allowFrom;
  const names = (entries: readonly string[]): boolean => entries.map((entry) => entry.trim()).some((entry) => {
    const bare = entry.toLowerCase().startsWith(own) ? entry.slice(own.length) : entry;
    const written = spelled ? spelled(bare) : bare;
    return bare !== '*' && written !== undefined && written.trim() !== '' && written.trim().toLowerCase() === id;
  });
  if (!names(named)) return false;
  // Where direct chats have a list of their own, who is only on the one it stands in place of is not the owner.
  const { dm } = rawSettings(channels, channel, accountId);
  const instead = typeof dm === 'object' && dm !== null && 'allowFrom' in dm ? dm.allowFrom : undefined;
  return commands.ownerAllowFrom !== undefined || !Array.isArray(instead) || names(instead.map(String));
}
